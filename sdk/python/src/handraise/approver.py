"""The other side: a program that a person trusts to decide."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TypeAlias, TypeVar
from urllib.parse import quote

from .client import AsyncClient, Client
from .conversation import Pause, Reply, Send, once, repeatable
from .errors import GateUnavailableError
from .result import ApprovalResult, GateEvent, QuestionResult

_Answer = TypeVar("_Answer")
_Talk: TypeAlias = "Generator[Send | Pause, Reply, _Answer]"


class ShownCall(Protocol):
    """A request that was put before whoever decides: an :class:`OpenApproval`, or what ``submit`` gave."""

    @property
    def id(self) -> str:
        """Of the request."""

    @property
    def arguments_hash(self) -> str:
        """What an approval is bound to."""


@dataclass(frozen=True)
class OpenApproval:
    """A request that waits for a person, as it may be shown."""

    id: str
    tool: str
    title: str
    """One line, without secrets."""
    risk: str
    agent: str | None
    session: str | None
    arguments_hash: str
    """What an approval is bound to."""
    wire: Mapping[str, Any]
    """All that the gate says of it; ``Approval`` of the local API."""

    @classmethod
    def from_wire(cls, body: Mapping[str, Any]) -> OpenApproval:
        """Reads it."""
        session = body.get("session")
        return cls(
            id=str(body["id"]),
            tool=str(body["tool"]),
            title=str(body.get("title", "")),
            risk=str(body.get("risk", {}).get("level", "")),
            agent=body.get("agent"),
            session=session.get("id") if isinstance(session, Mapping) else None,
            arguments_hash=str(body["arguments_hash"]),
            wire=body,
        )


class Approver:
    """Decides about requests, with a token that a person made in the settings window.

    What an agent started can never decide, whatever token it holds.

    Args:
        token_file: the file with the approver's token. There is no default: none lies around for programs to find.
        config_dir: as for :class:`handraise.Client`, like all that follow.
        runtime_dir: where Handraise keeps its discovery file.
        reconnect_seconds: how long to try to get a lost connection back.
    """

    def __init__(
        self,
        *,
        token_file: str | Path,
        config_dir: str | Path | None = None,
        runtime_dir: str | Path | None = None,
        reconnect_seconds: float = 10.0,
    ) -> None:
        self._reconnect = reconnect_seconds
        self._client = Client(
            token_file=token_file,
            config_dir=config_dir,
            runtime_dir=runtime_dir,
            reconnect_seconds=reconnect_seconds,
        )

    def pending(self) -> list[OpenApproval]:
        """What waits, oldest first."""
        return self._client._run(_list(self._reconnect))

    def approve(self, approval: ShownCall, **choice: Any) -> ApprovalResult:
        """Approves what was shown. ``choice``: fields of ``DecisionRequest``, as ``scope`` or ``arguments``.

        Raises:
            GateRefusedError: it is over already, other arguments were meant, or this program may not decide.
        """
        return self._client._run(_decide(approval, {"decision": "approve", **choice}))

    def deny(self, approval: ShownCall, reason: str | None = None) -> ApprovalResult:
        """Denies; the reason is for the model."""
        return self._client._run(_decide(approval, _denial(reason)))

    def questions(self) -> list[Mapping[str, Any]]:
        """Open questions, oldest first."""
        return self._client._run(_questions(self._reconnect))

    def answer(self, id: str, **answer: Any) -> QuestionResult:
        """Answers a question with ``selected=[…]`` and ``custom="…"``, or with ``decline=True``."""
        return self._client._run(_answer(id, answer))

    def events(self, *, last_event_id: str | None = None) -> Iterator[GateEvent]:
        """What happens, as it happens."""
        return self._client.events(last_event_id=last_event_id)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def __enter__(self) -> Approver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncApprover:
    """As :class:`Approver`, with ``await``."""

    def __init__(
        self,
        *,
        token_file: str | Path,
        config_dir: str | Path | None = None,
        runtime_dir: str | Path | None = None,
        reconnect_seconds: float = 10.0,
    ) -> None:
        self._reconnect = reconnect_seconds
        self._client = AsyncClient(
            token_file=token_file,
            config_dir=config_dir,
            runtime_dir=runtime_dir,
            reconnect_seconds=reconnect_seconds,
        )

    async def pending(self) -> list[OpenApproval]:
        """As :meth:`Approver.pending`."""
        return await self._client._run(_list(self._reconnect))

    async def approve(self, approval: ShownCall, **choice: Any) -> ApprovalResult:
        """As :meth:`Approver.approve`."""
        return await self._client._run(_decide(approval, {"decision": "approve", **choice}))

    async def deny(self, approval: ShownCall, reason: str | None = None) -> ApprovalResult:
        """As :meth:`Approver.deny`."""
        return await self._client._run(_decide(approval, _denial(reason)))

    async def questions(self) -> list[Mapping[str, Any]]:
        """As :meth:`Approver.questions`."""
        return await self._client._run(_questions(self._reconnect))

    async def answer(self, id: str, **answer: Any) -> QuestionResult:
        """As :meth:`Approver.answer`."""
        return await self._client._run(_answer(id, answer))

    def events(self, *, last_event_id: str | None = None) -> AsyncIterator[GateEvent]:
        """As :meth:`Approver.events`."""
        return self._client.events(last_event_id=last_event_id)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def __aenter__(self) -> AsyncApprover:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _denial(reason: str | None) -> dict[str, Any]:
    return {"decision": "deny", **({"reason": reason} if reason is not None else {})}


def _list(reconnect: float) -> _Talk[list[OpenApproval]]:
    found: list[OpenApproval] = []
    cursor: str | None = None
    while True:
        query = {"limit": "200", **({"cursor": cursor} if cursor is not None else {})}
        reply = yield from repeatable(Send("GET", "/v1/approvals", query), reconnect)
        found.extend(OpenApproval.from_wire(one) for one in _listed(reply, "approvals"))
        cursor = reply.body.get("next_cursor")
        if cursor is None:
            return sorted(found, key=lambda approval: str(approval.wire.get("requested_at", "")))


def _decide(approval: ShownCall, decision: Mapping[str, Any]) -> _Talk[ApprovalResult]:
    body = {"arguments_hash": approval.arguments_hash, **decision}
    reply = yield from once(Send("POST", f"/v1/approvals/{quote(approval.id, safe='')}/decision", None, body))
    result = reply.body.get("result") if isinstance(reply.body, Mapping) else None
    if not isinstance(result, Mapping):
        raise GateUnavailableError("Handraise answered something that is no decision.")
    return ApprovalResult.from_wire(result)


def _questions(reconnect: float) -> _Talk[list[Mapping[str, Any]]]:
    reply = yield from repeatable(Send("GET", "/v1/questions"), reconnect)
    return _listed(reply, "questions")


def _answer(id: str, answer: Mapping[str, Any]) -> _Talk[QuestionResult]:
    reply = yield from once(Send("POST", f"/v1/questions/{quote(id, safe='')}/answer", None, dict(answer)))
    return QuestionResult.from_wire(reply.body)


def _listed(reply: Reply, field: str) -> list[Mapping[str, Any]]:
    found = reply.body.get(field) if isinstance(reply.body, Mapping) else None
    if not isinstance(found, list):
        raise GateUnavailableError(f"Handraise answered without {field}.")
    return found
