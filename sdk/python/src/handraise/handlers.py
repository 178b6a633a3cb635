"""Who decides: nobody, a terminal, a web page, or the person whom Handraise asks."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TextIO

from .approval import ApprovalDecision, ApprovalRequest
from .call import ToolCall
from .client import AsyncClient
from .errors import ApprovalDeniedError, ApprovalError, ApprovalTimeoutError
from .hidden import labelled
from .secret_names import redacted

DEFAULT_TIMEOUT_SECONDS = 300.0
"""How long somebody has to answer."""


class AutoApproveHandler:
    """Approves everything: for tests, and for what nobody minds."""

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Approves."""
        return ApprovalDecision(approved=True)


class AutoDenyHandler:
    """Denies everything that would have to be asked about."""

    def __init__(self, reason: str = "Read-only mode") -> None:
        self._reason = reason

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Denies."""
        return ApprovalDecision(approved=False, reason=self._reason)


class CallbackHandler:
    """Lets an async function decide."""

    def __init__(self, callback: Callable[[ApprovalRequest], Awaitable[ApprovalDecision]]) -> None:
        self._callback = callback

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Asks the function."""
        return await self._callback(request)


class TerminalHandler:
    """Asks on the terminal: ``a`` approves, ``d`` denies, ``A`` approves this tool for the session.

    Enter and every other key decide nothing. Requests are asked one after the other.

    Args:
        read: gives the next line, or an empty text at the end of the input, which denies.
        output: where the question goes.
    """

    def __init__(self, *, read: Callable[[], str] | None = None, output: TextIO | None = None) -> None:
        self._read = read or sys.stdin.readline
        self._output = output
        self._turn = asyncio.Lock()

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Shows the request and waits for a key that decides."""
        async with self._turn:
            self._say(f"\n{labelled(request.agent_name) or 'An agent'} wants to call {labelled(request.tool_name)}")
            self._say(f"  risk: {request.risk_level}")
            self._say(f"  arguments: {shown(request.arguments)}")
            if request.reason:
                self._say(f"  {labelled(request.reason)}")
            while True:
                self._say("a approve, d deny, A approve this tool for the session; then Enter.")
                line = await asyncio.to_thread(self._read)
                if line == "":
                    return ApprovalDecision(approved=False, reason="Nobody is at the terminal")
                key = line.rstrip("\r\n").strip(" ")
                if key == "a":
                    return ApprovalDecision(approved=True)
                if key == "A":
                    return ApprovalDecision(approved=True, always=True)
                if key == "d":
                    return ApprovalDecision(approved=False, reason="User denied")

    def _say(self, text: str) -> None:
        print(text, file=self._output or sys.stdout, flush=True)


def shown(arguments: Mapping[str, Any]) -> str:
    """``arguments`` as a person may read them: indented JSON without secrets, all that misleads labelled."""
    return labelled(json.dumps(redacted(dict(arguments)), ensure_ascii=False, indent=2, default=repr))


class SSEApprovalHandler:
    """Waits for an answer that comes over the wire: send the events of the capability to a page, and mount
    :meth:`answer` at ``POST /approve/{request_id}``.

    Args:
        timeout_seconds: how long somebody has. After that the call is denied.
    """

    def __init__(self, timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS) -> None:
        self._timeout = timeout_seconds
        self._pending: dict[str, asyncio.Future[ApprovalDecision]] = {}

    @property
    def pending(self) -> tuple[str, ...]:
        """Ids that wait for an answer, the oldest first."""
        return tuple(self._pending)

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Waits for :meth:`resolve`."""
        answer: asyncio.Future[ApprovalDecision] = asyncio.get_running_loop().create_future()
        self._pending[request.request_id] = answer
        try:
            return await asyncio.wait_for(answer, self._timeout)
        except asyncio.TimeoutError:
            return ApprovalDecision(approved=False, reason=f"Nobody answered within {self._timeout:g} seconds")
        finally:
            self._pending.pop(request.request_id, None)

    def resolve(self, request_id: str, decision: ApprovalDecision) -> bool:
        """Answers a request; the first answer counts. ``False``: an id that is not waiting, which is ignored."""
        answer = self._pending.get(request_id)
        if answer is None or answer.done():
            return False
        answer.set_result(decision)
        return True

    def answer(self, request_id: str, body: Mapping[str, Any]) -> dict[str, str]:
        """What ``POST /approve/{request_id}`` does with its JSON body, and answers.

        The body is ``{"approved": false, "always": false, "reason": ""}``; nothing but ``true`` approves.
        Whoever mounts it makes sure that the agent itself cannot reach it.
        """
        approved = body.get("approved") is True
        always = approved and body.get("always") is True
        reason = body.get("reason")
        decision = ApprovalDecision(approved, always, reason if isinstance(reason, str) else "")
        self.resolve(request_id, decision)
        return {"status": "ok"}


class HandraiseHandler:
    """Lets Handraise decide: its policy, and the person whom it asks.

    What a person remembers there stays there, bound to what was approved, so that ``always`` is never set.

    Args:
        client: the connection.
        timeout_seconds: how long the person has; as the gate's policy says when absent.
    """

    def __init__(self, client: AsyncClient, *, timeout_seconds: int | None = None) -> None:
        self._client = client
        self._timeout = timeout_seconds

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Submits the request and waits for the end. A gate that is not there denies."""
        call = ToolCall(
            tool=request.tool_name,
            arguments=request.arguments,
            agent=request.agent_name or None,
            session=request.session,
            risk=request.declared_risk,
            trace_id=request.request_id,
            idempotency_key=request.request_id,
            timeout_seconds=self._timeout,
            runs_changed_command=request.runs_changed_command,
        )
        try:
            result = await self._client.require(call)
        except (ApprovalDeniedError, ApprovalTimeoutError) as error:
            known = error.result.id if error.result is not None else None
            return ApprovalDecision(approved=False, reason=error.reason, approval_id=known)
        except ApprovalError as error:
            return ApprovalDecision(approved=False, reason=str(error))
        return ApprovalDecision(True, reason=result.reason or "", arguments=result.arguments, approval_id=result.id)
