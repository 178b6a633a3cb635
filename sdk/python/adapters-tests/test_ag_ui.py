"""AG-UI."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from ag_ui.core import (
    AssistantMessage,
    FunctionCall,
    Interrupt,
    Message,
    ResumeEntry,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    ToolCall,
    UserMessage,
)
from conftest import Server
from suite import AdapterSuite, Run, gated, mail, request_for

import handraise
from handraise import ApprovalCancelledError, ApprovalDeniedError, ApprovalError, AsyncClient, GateUnavailableError
from handraise_ag_ui import answer_interrupts, interrupt_of, resume_interrupt

__all__ = ["gated"]


def wired(outcome: RunFinishedInterruptOutcome) -> list[Interrupt]:
    """The interrupts as they are after their way over the wire."""
    event = RunFinishedEvent(thread_id="t", run_id="r", outcome=outcome)
    read = RunFinishedEvent.model_validate_json(event.model_dump_json(by_alias=True, exclude_none=True))
    assert isinstance(read.outcome, RunFinishedInterruptOutcome)
    return read.outcome.interrupts


class TestAnsweredByTheClient(AdapterSuite):
    async def arun(self, run: Run) -> list[str]:
        function = [FunctionCall(name=call.name, arguments=text_of(call.args)) for call in run.calls]
        calls = [ToolCall(id=call.id, function=one) for call, one in zip(run.calls, function, strict=True)]
        messages: list[Message] = [AssistantMessage(id="m", tool_calls=calls)]
        outcome = RunFinishedInterruptOutcome(
            interrupts=[Interrupt(id=f"i-{call.id}", reason="tool_call", tool_call_id=call.id) for call in calls]
        )
        async with AsyncClient(**run.client_options) as client:
            entries = await answer_interrupts(wired(outcome), messages, client=client, **run.options)
        read: list[str] = []
        for call, entry in zip(run.calls, entries, strict=True):
            assert (entry.interrupt_id, entry.status) == (f"i-{call.id}", "resolved")
            payload: Any = entry.payload
            arguments = payload.get("arguments", call.args)
            read.append(run.sent(call.name, **arguments) if payload["approved"] is True else payload["reason"])
        return read


def text_of(arguments: dict[str, Any]) -> str:

    return json.dumps(arguments)


class TestMadeByTheAgent(AdapterSuite):
    async def arun(self, run: Run) -> list[str]:
        async with AsyncClient(**run.client_options) as client:

            async def one(id: str, name: str, args: dict[str, Any]) -> str:
                call = handraise.ToolCall(name, args, trace_id=id, **run.options)
                try:
                    result = await client.submit(call, wait=0)
                    if result.is_pending:
                        (interrupt,) = wired(RunFinishedInterruptOutcome(interrupts=[interrupt_of(result, call, id)]))
                        entry = ResumeEntry(interrupt_id=interrupt.id, status="resolved")
                        try:
                            result = await resume_interrupt(client, entry, call)
                        except asyncio.CancelledError:
                            stop = ResumeEntry(interrupt_id=interrupt.id, status="cancelled")
                            with pytest.raises(ApprovalCancelledError):
                                await resume_interrupt(client, stop, call)
                            raise
                    handraise.require_approval(result)
                except GateUnavailableError as error:
                    return f"Handraise could not be asked: {error.reason}"
                except ApprovalError as error:
                    return error.reason
                return run.sent(name, **(result.arguments or args))

            return list(await asyncio.gather(*(one(call.id, call.name, call.args) for call in run.calls)))


def test_an_interrupt_without_a_call_that_can_be_seen_is_cancelled(gated: Server) -> None:
    unreadable = ToolCall(id="c", function=FunctionCall(name="free_x", arguments="[1]"))
    messages: list[Message] = [UserMessage(id="u", content="a"), AssistantMessage(id="m", tool_calls=[unreadable])]
    interrupts = [
        Interrupt(id="a", reason="tool_call", tool_call_id="nowhere"),
        Interrupt(id="b", reason="input_required"),
        Interrupt(id="c", reason="tool_call", tool_call_id="c"),
    ]

    async def main() -> list[ResumeEntry]:
        async with gated.async_client() as client:
            return await answer_interrupts(interrupts, messages, client=client)

    entries = asyncio.run(main())
    assert [entry.status for entry in entries] == ["cancelled", "cancelled", "resolved"]
    assert entries[2].payload == {"approved": False, "reason": "The arguments are no JSON object."}


def test_a_client_that_answers_resolved_approves_nothing(gated: Server) -> None:
    run = Run(gated, [mail("ann")])
    call = handraise.ToolCall("mail", {"to": "ann"})
    gated.aside(lambda: gated.decide(request_for(gated, "ann")["id"], "deny", reason="no"))

    async def main() -> None:
        async with AsyncClient(**run.client_options) as client:
            pending = await client.submit(call, wait=0)
            entry = ResumeEntry(interrupt_id=pending.id, status="resolved", payload={"approved": True})
            await resume_interrupt(client, entry, call)

    with pytest.raises(ApprovalDeniedError):
        asyncio.run(main())
