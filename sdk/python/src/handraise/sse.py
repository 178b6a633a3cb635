"""Server-sent events (WHATWG HTML, "Server-sent events"): reading those of the gate, writing one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import GateUnavailableError
from .result import GateEvent

_MAX_EVENT = 8 * 1024 * 1024


def frame(name: str, data: Mapping[str, Any]) -> str:
    """One event as it goes over the wire: ``event: NAME``, ``data: JSON`` and an empty line."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


class EventReader:
    """Puts events together from pieces that end anywhere."""

    def __init__(self) -> None:
        self._buffer = b""
        self._id = ""
        self._event = ""
        self._data: list[str] = []

    def push(self, piece: bytes) -> Iterator[GateEvent]:
        """The events that ``piece`` completes.

        Raises:
            GateUnavailableError: when an event is longer than any that the gate sends.
        """
        self._buffer += piece
        if len(self._buffer) > _MAX_EVENT:
            raise GateUnavailableError("Handraise sent an event that is too long.")
        *lines, self._buffer = self._buffer.split(b"\n")
        for line in lines:
            event = self._line(line.rstrip(b"\r").decode(errors="replace"))
            if event is not None:
                yield event

    def _line(self, line: str) -> GateEvent | None:
        if line == "":
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self._id = value
        elif name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        return None

    def _dispatch(self) -> GateEvent | None:
        text, name = "\n".join(self._data), self._event
        self._data, self._event = [], ""
        if not text:
            return None
        try:
            data = json.loads(text)
        except ValueError:
            return None
        return GateEvent(id=self._id, type=name, data=data) if isinstance(data, dict) else None
