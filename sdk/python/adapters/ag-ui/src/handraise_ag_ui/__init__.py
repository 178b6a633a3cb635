"""AG-UI interrupts (tried with ag-ui-protocol 1.0.0), on both sides of a run.

On the side of the agent, a call that waits for a person ends the run with an interrupt:

.. code-block:: python

    pending = await client.submit(call, wait=0)
    outcome = RunFinishedInterruptOutcome(interrupts=[interrupt_of(pending, call)])
    …
    approval = await resume_interrupt(client, entry, call)

On the side of the client, :func:`answer_interrupts` makes the ``resume`` of the next run.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from ag_ui.core import Interrupt, Message, ResumeEntry

from handraise import ApprovalResult, AsyncClient, ToolCall, require_approval
from handraise.adapter import NOT_READABLE, CallContext, Decision, Denied, decide, decide_all, read_arguments

__all__ = ["answer_interrupts", "interrupt_of", "resume_interrupt"]


async def answer_interrupts(
    interrupts: Sequence[Interrupt],
    messages: Sequence[Message],
    *,
    client: AsyncClient | None = None,
    agent: str | None = None,
    session: str | None = None,
    timeout_seconds: int | None = None,
) -> list[ResumeEntry]:
    """Answers the interrupts of a run that are about tool calls, on the side of the client. All are shown together.

    The payload is ``{"approved": true}``, with ``arguments`` when the person changed them, or
    ``{"approved": false, "reason": …}``. An interrupt whose call is not among the messages is ``cancelled``: nobody can
    decide about what they do not see.

    Args:
        interrupts: what the run waits for.
        messages: the thread's messages: the calls that interrupts are about.
        client: the connection. Without one each call has its own.
        agent: name of the agent.
        session: the conversation. Without one nothing is remembered.
        timeout_seconds: how long the person has; as the gate's policy says when absent.
    """
    context = CallContext(agent, session, timeout_seconds)
    batch = str(uuid.uuid4())

    async def answer(interrupt: Interrupt) -> ResumeEntry:
        found = _call(messages, interrupt.tool_call_id)
        if found is None:
            return ResumeEntry(interrupt_id=interrupt.id, status="cancelled")
        name, arguments = found
        decision: Decision = NOT_READABLE
        if arguments is not None:
            more = {"batch": batch, "trace_id": interrupt.tool_call_id, "intent": interrupt.message}
            decision = await decide(client, context.call(name, arguments, **more))
        return ResumeEntry(interrupt_id=interrupt.id, status="resolved", payload=_payload(decision))

    return await decide_all([answer(interrupt) for interrupt in interrupts])


def interrupt_of(pending: ApprovalResult, call: ToolCall, tool_call_id: str | None = None) -> Interrupt:
    """The interrupt for a call that waits for a person, on the side of the agent."""
    return Interrupt(
        id=pending.id,
        reason="handraise:approval",
        message=f"Tool '{call.tool}' requires approval.",
        tool_call_id=tool_call_id,
        expires_at=pending.expires_at or None,
    )


async def resume_interrupt(client: AsyncClient, entry: ResumeEntry, call: ToolCall) -> ApprovalResult:
    """Goes on with a call after :func:`interrupt_of`: waits for Handraise, whatever the client says.

    A client that answers ``resolved`` approves nothing by that; one that answers ``cancelled`` takes the request back.
    Run ``result.arguments`` when it is there.

    Raises:
        ApprovalError: the call must not run.
    """
    if entry.status != "resolved":
        await client.cancel(entry.interrupt_id)
    await client.wait(entry.interrupt_id)
    return require_approval(await client.resume(entry.interrupt_id, call))


def _call(messages: Sequence[Message], id: str | None) -> tuple[str, dict[str, Any] | None] | None:
    for message in reversed(messages):
        # What a tool or a person has written names no call.
        if message.role != "assistant" or id is None:
            continue
        for call in message.tool_calls or ():
            if call.id == id:
                return call.function.name, read_arguments(call.function.arguments)
    return None


def _payload(decision: Decision) -> dict[str, Any]:
    if isinstance(decision, Denied):
        return {"approved": False, "reason": decision.reason}
    return {"approved": True, **({"arguments": decision.arguments} if decision.is_changed else {})}
