"""The handler that puts apcore's calls to Handraise, and the gate that holds what was approved to its call.

:class:`HandraiseApprovalHandler` alone is an ``ApprovalHandler`` like any other and waits for the person.
Answering ``pending`` and resuming with ``_approval_token`` needs :func:`install`: apcore hands a resumed token to
its handler without the call that it is used for, and only the gate that is installed knows that call. What was
approved is then used once, for the same module, the same arguments and the same caller.
"""

from __future__ import annotations

import json
import sys
from collections import OrderedDict
from contextvars import ContextVar
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from apcore.approval import ApprovalRequest, ApprovalResult
from apcore.builtin_steps import BuiltinApprovalGate
from apcore.errors import ApprovalPendingError

from handraise import ApprovalError, AsyncClient, GateRefusedError, NotJsonError, ToolCall, arguments_hash
from handraise import ApprovalResult as GateResult
from handraise.adapter import conversation_in, plain, session_within

MAX_KNOWN = 10_000
"""Requests that are remembered; of more the oldest is forgotten."""
_TOKEN = "_approval_token"  # noqa: S105  the name of an argument


class CallAtGate:
    """The call that is at an installed gate."""

    def __init__(self, step: Any) -> None:
        self._step = step
        self.changed: dict[str, Any] | None = None
        """What to run instead, when a person changed the arguments."""

    @property
    def context(self) -> Any:
        """apcore's own context of the call."""
        return self._step.context

    def call(self, handler: HandraiseApprovalHandler) -> ToolCall:
        """The call as ``handler`` puts it to Handraise."""
        arguments = {name: value for name, value in self._step.inputs.items() if name != _TOKEN}
        return handler.tool_call(self._step.module_id, arguments, self.context)

    def described(self) -> dict[str, Any]:
        """What the module says of itself, for :meth:`HandraiseApprovalHandler.tool_call`."""
        module = self._step.module
        described: dict[str, Any] = {
            "description": getattr(module, "description", None),
            "tags": tuple(getattr(module, "tags", None) or ()),
        }
        annotations = getattr(module, "annotations", None)
        # A module written by hand may have a plain dictionary.
        if isinstance(annotations, dict):
            annotations = SimpleNamespace(**annotations)
        if annotations is not None:
            described["annotations"] = hints(annotations)
        return described


_flight: ContextVar[CallAtGate | None] = ContextVar("handraise_apcore_call", default=None)


def call_at_gate() -> CallAtGate | None:
    """The call at an installed gate that this is done for."""
    return _flight.get()


class HandraiseApprovalHandler:
    """apcore's ``ApprovalHandler``, answered by Handraise.

    A gate that is not running rejects. Every call has a connection of its own, since apcore may run each in
    another event loop.

    Args:
        pending: answer ``pending`` at once where a person has to be asked. Where the handler is not installed
            with :func:`install`, it waits all the same.
        agent: name of the agent.
        session: the conversation. A conversation, thread, session or run whose id stands in the ``data`` of apcore's
            context is one of its own within it. Without either the caller's identity counts; without that nothing is
            remembered.
        server: MCP server that the modules belong to.
        timeout_seconds: how long the person has; as the gate's policy says when absent.
        config_dir: as for :class:`handraise.Client`.
        runtime_dir: as for :class:`handraise.Client`.
        token_file: as for :class:`handraise.Client`.
    """

    def __init__(
        self,
        *,
        pending: bool = False,
        agent: str | None = None,
        session: str | None = None,
        server: str | None = None,
        timeout_seconds: int | None = None,
        config_dir: str | Path | None = None,
        runtime_dir: str | Path | None = None,
        token_file: str | Path | None = None,
    ) -> None:
        self._pending = pending
        self._named = {"agent": agent, "session": session, "server": server, "timeout_seconds": timeout_seconds}
        self._places: dict[str, Any] = {"config_dir": config_dir, "runtime_dir": runtime_dir, "token_file": token_file}
        # Calls that somebody was told to come back with, so that coming back without the id asks nobody again.
        self._open: OrderedDict[tuple[str | None, ...], str] = OrderedDict()

    async def request_approval(self, request: ApprovalRequest) -> ApprovalResult:
        """Submits the call; waits for the end, or answers ``pending`` with the id to come back with."""
        flight = _flight.get()
        try:
            call = self.tool_call(
                request.module_id,
                request.arguments,
                request.context,
                description=request.description,
                tags=tuple(request.tags or ()),
                annotations=hints(request.annotations),
            )
            key = _key(call)
            async with AsyncClient(**self._places) as client:
                if flight is None or not self._pending:
                    return self._translated(await client.submit(call), flight)
                result = await self._come_back(client, key, call)
                if result is None:
                    result = await client.submit(call, wait=0)
                if result.is_pending:
                    self._remember(key, result.id)
                return self._translated(result, flight)
        except (ApprovalError, NotJsonError) as error:
            return _rejected(error)

    async def check_approval(self, approval_id: str) -> ApprovalResult:
        """Uses the approval for the call that is at the installed gate; elsewhere only tells how it stands.

        An approval that is merely looked at is still ``pending`` for whoever looks, with the words that it can
        be used: an executor without the installed gate would run any call with it otherwise.
        """
        flight = _flight.get()
        try:
            async with AsyncClient(**self._places) as client:
                if flight is not None:
                    call = flight.call(self)
                    result = await client.resume(approval_id, call)
                    if not result.is_pending and self._open.get(_key(call)) == approval_id:
                        self._open.pop(_key(call), None)
                    return self._translated(result, flight)
                result = await client.wait(approval_id, wait=0)
        except (ApprovalError, NotJsonError) as error:
            return _rejected(error)
        if result.is_approved:
            words = f"Approved. Call the module again with the same arguments and {_TOKEN}={approval_id}."
            return ApprovalResult(status="pending", reason=words, approval_id=result.id)
        return self._translated(result, None)

    def tool_call(self, module_id: str, arguments: dict[str, Any], context: Any, **more: Any) -> ToolCall:
        """The call as the gate knows it: the same words when it is asked for and when it is resumed."""
        identity = getattr(context, "identity", None)
        user = getattr(identity, "id", None)
        named = {**self._named, **more}
        conversation = conversation_in(getattr(context, "data", None))
        if conversation is not None:
            named["session"] = session_within(self._named["session"], conversation)  # type: ignore[arg-type]
            # Without an id that can be told nothing is remembered: not for the user either.
            user = user if named["session"] is not None else None
        return ToolCall(
            tool=module_id,
            arguments=plain(arguments),
            user=str(user) if user else None,
            trace_id=getattr(context, "trace_id", None),
            **named,
        )

    async def _come_back(self, client: AsyncClient, key: tuple[str | None, ...], call: ToolCall) -> GateResult | None:
        """How the request stands that somebody was told to come back with; ``None``: there is none of use."""
        id = self._open.get(key)
        if id is None:
            return None
        try:
            result = await client.resume(id, call)
        except GateRefusedError:
            self._open.pop(key, None)
            return None
        if not result.is_pending:
            self._open.pop(key, None)
        return result

    def _remember(self, key: tuple[str | None, ...], id: str) -> None:
        self._open[key] = id
        while len(self._open) > MAX_KNOWN:
            self._open.popitem(last=False)

    def _translated(self, result: GateResult, flight: CallAtGate | None) -> ApprovalResult:
        metadata = {"decided_by": result.decided_by, "scope": result.scope, "rule": result.rule, "risk": result.risk}
        known = {"approval_id": result.id, "metadata": metadata}
        if result.is_approved:
            if result.arguments is not None:
                if flight is None:
                    words = f"The person wants other arguments: {json.dumps(dict(result.arguments))}"
                    return ApprovalResult(status="rejected", reason=words, **known)
                flight.changed = dict(result.arguments)
            return ApprovalResult(status="approved", approved_by=result.decided_by, reason=result.reason, **known)
        if result.is_pending:
            return ApprovalResult(status="pending", reason=_how_to_come_back(result.id), **known)
        if result.status == "timeout":
            return ApprovalResult(status="timeout", reason=result.reason, **known)
        return ApprovalResult(status="rejected", reason=result.reason or "The call was not approved.", **known)


class HandraiseApprovalGate(BuiltinApprovalGate):
    """apcore's approval gate, which also lets its handler know the call that a token is used for.

    Over MCP the token may come as ``_meta.approvalId`` as well, since a tool's schema may not take it.
    """

    async def execute(self, ctx: Any) -> Any:
        """As apcore's own step. Arguments that a person changed take the place of those that were sent."""
        approval_id = _approval_id_of_mcp(ctx)
        if approval_id is not None:
            ctx.inputs = {**ctx.inputs, _TOKEN: approval_id}
        flight = CallAtGate(ctx)
        before = _flight.set(flight)
        try:
            result = await super().execute(ctx)
        except ApprovalPendingError as error:
            # apcore-mcp hands this on to the model, and the id nowhere else.
            error.ai_guidance = error.reason or _how_to_come_back(error.approval_id)
            raise
        finally:
            _flight.reset(before)
        if flight.changed is not None:
            ctx.inputs = flight.changed
        return result


def install(executor: Any, handler: Any) -> None:
    """Puts :class:`HandraiseApprovalGate` in the place of each approval gate of ``executor``.

    ``handler`` is a :class:`HandraiseApprovalHandler`, or apcore-mcp's ``StorageBackedApprovalHandler`` of a
    :class:`handraise_apcore.mcp.HandraiseApprovalStore`: both bind what is approved to its call.

    Raises:
        ValueError: when its pipeline has no approval gate, so that nothing would be asked.
    """
    strategy = getattr(executor, "_strategy", None)
    gates = [step for step in getattr(strategy, "steps", ()) if isinstance(step, BuiltinApprovalGate)]
    if strategy is None or not gates:
        raise ValueError("the pipeline of this executor has no approval gate; use the standard strategy")
    for gate in gates:
        emitter = getattr(gate, "_event_emitter", None)
        own = HandraiseApprovalGate(handler=handler, policy=gate.policy, event_emitter=emitter)
        own.name = gate.name
        strategy.configure_step(gate.name, own)
    executor.set_approval_handler(handler)


def hints(annotations: Any) -> dict[str, bool]:
    """apcore's annotations as hints in the words of MCP.

    A destructive module is shown as such and asked about. It was not declared to the person's policy, which might
    refuse it.
    """
    names = {
        "readOnlyHint": "readonly",
        "destructiveHint": "destructive",
        "idempotentHint": "idempotent",
        "openWorldHint": "open_world",
    }
    return {hint: bool(getattr(annotations, name, hint == "openWorldHint")) for hint, name in names.items()}


def _approval_id_of_mcp(ctx: Any) -> str | None:
    """``_meta.approvalId`` of the MCP request that made this call, when it is a call at the top."""
    server = sys.modules.get("mcp.server.lowlevel.server")
    if server is None or _TOKEN in ctx.inputs or getattr(ctx.context, "caller_id", None) is not None:
        return None
    try:
        meta = server.request_ctx.get().meta
    except LookupError:
        return None
    found = (getattr(meta, "model_extra", None) or {}).get("approvalId")
    return found if isinstance(found, str) else None


def _how_to_come_back(id: str | None) -> str:
    return f"A person is being asked. Call again with the same arguments and {_TOKEN}={id}."


def _key(call: ToolCall) -> tuple[str | None, ...]:
    return (call.tool, arguments_hash(call.arguments), call.session, call.user, call.agent)


def _rejected(error: Exception) -> ApprovalResult:
    if isinstance(error, GateRefusedError):
        words = {
            "not_found": "approval_id not found",
            "not_redeemable": "The approval cannot be used: it belongs to another call, or was used already.",
        }
        return ApprovalResult(status="rejected", reason=words.get(error.problem, str(error)))
    code = error.code if isinstance(error, ApprovalError) else "GENERAL_INVALID_INPUT"
    return ApprovalResult(status="rejected", reason=str(error), metadata={"code": code})
