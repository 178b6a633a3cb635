"""AG-UI, on the side of the client: a run has ended with two interrupts."""

import asyncio
import json

import office
from ag_ui.core import AssistantMessage, FunctionCall, Interrupt, Message, ToolCall

from handraise import AsyncClient
from handraise_ag_ui import answer_interrupts

calls = [
    ToolCall(id=call.id, function=FunctionCall(name=call.name, arguments=json.dumps(call.args)))
    for call in office.CALLS
]
messages: list[Message] = [AssistantMessage(id="m1", tool_calls=calls)]
interrupts = [Interrupt(id=f"i-{call.id}", reason="tool_call", tool_call_id=call.id) for call in calls]


async def main() -> None:
    async with AsyncClient(**office.PLACES) as client:
        resume = await answer_interrupts(interrupts, messages, client=client, agent="office")
        for call, entry in zip(office.CALLS, resume, strict=True):
            payload = entry.payload or {}
            print(office.mail(**call.args) if payload["approved"] else payload["reason"])


asyncio.run(main())
