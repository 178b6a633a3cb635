"""Which conversation a call belongs to, where a framework knows it.

What a person approves "for this session" holds in that conversation alone, so an adapter that can know it says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

_NAMES = tuple(
    word + ending for word in ("conversation", "thread", "session", "chat", "run") for ending in ("_id", "Id", "ID")
)


@dataclass(frozen=True)
class Conversation:
    """A conversation that a framework knows."""

    id: str | None
    """``None``: there is one whose id cannot be told, so that nothing may be remembered."""


def conversation_in(known: object) -> Conversation | None:
    """The conversation that ``known`` names, a mapping with the id in it; ``None``: it names none."""
    if not isinstance(known, Mapping):
        return None
    value = next((known[name] for name in _NAMES if known.get(name) is not None), None)
    if value is None:
        return None
    if isinstance(value, str):
        return Conversation(value if value.strip() else None)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return Conversation(str(value) if is_number else None)


def session_within(session: str | None, conversation: Conversation) -> str | None:
    """A session of its own for each conversation within ``session``."""
    id = conversation.id
    if id is None or session is None or session == id:
        return id
    return f"{quote(session, safe='')}/{quote(id, safe='')}"
