"""What is said to the gate, in order, without saying how it travels.

Each conversation is a generator that yields steps and is sent replies, so that the client that blocks and the
one that awaits say the same.
"""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from .call import ToolCall
from .canonical import arguments_hash
from .errors import ApprovalError, GateRefusedError, GateUnavailableError
from .result import ApprovalResult, QuestionResult

MAX_LOOK = 30.0
"""Seconds that one request waits at most; a longer wait is several of them, so that a dead server is noticed."""
_SLACK = 15.0
_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0)


@dataclass(frozen=True)
class Send:
    """Send a request."""

    method: str
    path: str
    query: Mapping[str, str] | None = None
    body: Any = None
    timeout_seconds: float = _SLACK
    """Seconds until an answer must have begun."""


@dataclass(frozen=True)
class Pause:
    """Wait so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    body: Any


class Disconnected(Exception):
    """The connection broke before the answer; thrown into a conversation."""

    def __init__(self, *, sent: bool) -> None:
        super().__init__()
        self.sent = sent
        """Something may have arrived."""


Talk: TypeAlias = "Generator[Send | Pause, Reply, Reply]"
ApprovalTalk: TypeAlias = "Generator[Send | Pause, Reply, ApprovalResult]"
QuestionTalk: TypeAlias = "Generator[Send | Pause, Reply, QuestionResult]"
_Result = TypeVar("_Result", ApprovalResult, QuestionResult)


def once(send: Send) -> Talk:
    """Sends something that must not be repeated."""
    try:
        reply = yield send
    except Disconnected as error:
        raise _gone(error) from error
    return checked(reply)


def repeatable(send: Send, reconnect: float, *, known: bool = False) -> Talk:
    """Sends something that may be repeated, until the gate is back or ``reconnect`` seconds are over.

    ``known``: the gate was there a moment ago, so that even its absence may be short.
    """
    until = time.monotonic() + reconnect
    attempt = 0
    while True:
        try:
            reply = yield send
            return checked(reply)
        except Disconnected as error:
            known = known or error.sent
            if not known or time.monotonic() >= until:
                raise _gone(error) from error
        yield Pause(_PAUSES[min(attempt, len(_PAUSES) - 1)])
        attempt += 1


def submit(call: ToolCall, wait: float | None, reconnect: float) -> ApprovalTalk:
    """Submits ``call`` and waits for the end, at most ``wait`` seconds."""
    if call.idempotency_key is None:
        # A retry after a dropped connection asks nobody twice.
        call = replace(call, idempotency_key=str(uuid.uuid4()))
    body = call.to_wire()
    # Without waiting, so that the id is known and the request can be taken back.
    reply = yield from repeatable(Send("POST", "/v1/approvals", {"wait": "0"}, body), reconnect)
    result = ApprovalResult.from_wire(_object(reply))
    if result.is_pending and wait != 0:
        result = yield from follow(result.id, wait, reconnect, take_back=True)
    if result.is_approved:
        decided = body["arguments"] if result.arguments is None else result.arguments
        if arguments_hash(decided) != result.arguments_hash:
            raise GateUnavailableError("The gate answered about other arguments than those that were sent.", result)
    return result


def follow(id: str, wait: float | None, reconnect: float, *, take_back: bool = False) -> ApprovalTalk:
    """Waits for the end of a request. With ``take_back`` it is cancelled when the wait is broken off."""
    return _follow(f"/v1/approvals/{id}", ApprovalResult.from_wire, wait, reconnect, take_back)


def hook(agent: str, message: Mapping[str, Any], wait: float) -> Send:
    """Hands an agent's hook message in. It lives as long as its connection, so it is not repeated."""
    seconds = max(1, int(wait))
    return Send("POST", f"/v1/hooks/{agent}", {"wait": str(seconds)}, dict(message), timeout_seconds=seconds + _SLACK)


def hook_answer(reply: Reply) -> dict[str, Any]:
    """The agent's own answer."""
    if not isinstance(reply.body, dict):
        raise GateUnavailableError("Handraise answered a hook with something that is no answer.")
    return reply.body


def ask(body: Mapping[str, Any], wait: float | None, reconnect: float) -> QuestionTalk:
    """Asks a question and waits for the answer, at most ``wait`` seconds."""
    body = {"idempotency_key": str(uuid.uuid4()), **body}
    reply = yield from repeatable(Send("POST", "/v1/questions", {"wait": "0"}, body), reconnect)
    result = QuestionResult.from_wire(_object(reply))
    if result.is_pending and wait != 0:
        result = yield from follow_question(result.id, wait, reconnect, take_back=True)
    return result


def follow_question(id: str, wait: float | None, reconnect: float, *, take_back: bool = False) -> QuestionTalk:
    """Waits for the answer to a question, as :func:`follow` does."""
    return _follow(f"/v1/questions/{id}", QuestionResult.from_wire, wait, reconnect, take_back)


def _follow(
    path: str, read: Callable[[Any], _Result], wait: float | None, reconnect: float, take_back: bool
) -> Generator[Send | Pause, Reply, _Result]:
    until = None if wait is None else time.monotonic() + wait
    try:
        while True:
            reply = yield from repeatable(_look(path, until), reconnect, known=True)
            result = read(_object(reply))
            if not result.is_pending or (until is not None and time.monotonic() >= until):
                return result
    except (GateUnavailableError, GateRefusedError):
        raise
    except BaseException:
        if take_back:
            yield from _goodbye(path)
        raise


def _look(path: str, until: float | None) -> Send:
    left = MAX_LOOK if until is None else max(0.0, min(MAX_LOOK, until - time.monotonic()))
    seconds = int(left) if left == int(left) else int(left) + 1
    return Send("GET", path, {"wait": str(seconds)}, timeout_seconds=seconds + _SLACK)


def _goodbye(path: str) -> Generator[Send | Pause, Reply, None]:
    """Takes a request back; that it cannot be changes nothing for whoever breaks off."""
    with contextlib.suppress(Disconnected, ApprovalError):
        yield Send("DELETE", path, timeout_seconds=2.0)


def _object(reply: Reply) -> Mapping[str, Any]:
    if not isinstance(reply.body, dict) or "id" not in reply.body or "status" not in reply.body:
        raise GateUnavailableError("Handraise answered something that cannot be understood.")
    return reply.body


def _gone(error: Disconnected) -> GateUnavailableError:
    if isinstance(error.__cause__, GateUnavailableError):
        return error.__cause__
    if error.sent:
        return GateUnavailableError(
            "The connection to Handraise broke off. Look whether it still runs, then try again."
        )
    return GateUnavailableError("Handraise is not running. Start it, then try again.")


def checked(reply: Reply) -> Reply:
    """``reply``, when it is none of the gate's problem documents.

    Raises:
        GateUnavailableError: the gate cannot answer, or not so that it can be understood.
        GateRefusedError: the gate does not take the request.
    """
    if 200 <= reply.status < 300:
        return reply
    problem = reply.body if isinstance(reply.body, dict) else {}
    code, detail = str(problem.get("code", "")), str(problem.get("detail", ""))
    result = problem.get("result")
    known = ApprovalResult.from_wire(result) if isinstance(result, dict) else None
    if not code or reply.status >= 500:
        raise GateUnavailableError(detail or "Handraise answered something that cannot be understood.", known)
    raise GateRefusedError(detail or code, problem=code, status=reply.status, result=known)
