"""Pydantic AI."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from conftest import Server
from pydantic_ai import Agent, DeferredToolRequests, Tool
from pydantic_ai.capabilities import HandleDeferredToolCalls
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import FunctionToolset, WrapperToolset
from suite import TOOLS, AdapterSuite, Call, Run, gated, mail, request_for, tools_ended

from handraise import AsyncClient
from handraise_pydantic_ai import DeferredApprovals, HandraiseToolset

__all__ = ["gated"]


def model_of(calls: list[Call]) -> FunctionModel:
    """Makes the calls that it is told to make, then says ``done``."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if any(isinstance(message, ModelResponse) for message in messages):
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(parts=[ToolCallPart(call.name, call.args, tool_call_id=call.id) for call in calls])

    return FunctionModel(answer)


def read(messages: list[ModelMessage], calls: list[Call]) -> list[str]:
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    said = {part.tool_call_id: str(part.content) for part in parts if part.part_kind in ("tool-return", "retry-prompt")}
    return [said.get(call.id, "") for call in calls]


def tools_of(run: Run, *, requires_approval: bool = False) -> list[Tool[Any]]:
    def one(name: str) -> Tool[Any]:
        def send(to: str) -> str:
            return run.sent(name, to)

        return Tool(send, name=name, requires_approval=requires_approval)

    return [one(name) for name in TOOLS]


class TestToolset(AdapterSuite):
    async def arun(self, run: Run) -> list[str]:
        async with AsyncClient(**run.client_options) as client:
            toolset = HandraiseToolset(FunctionToolset(tools_of(run)), client=client, **run.options)
            agent = Agent(model_of(run.calls), toolsets=[toolset])
            return read((await agent.run("go")).all_messages(), run.calls)


class TestDeferredInTheRun(AdapterSuite):
    async def arun(self, run: Run) -> list[str]:
        async with AsyncClient(**run.client_options) as client:
            handler = HandleDeferredToolCalls(DeferredApprovals(client, **run.options))
            tools = tools_of(run, requires_approval=True)
            agent = Agent(model_of(run.calls), tools=tools, capabilities=[handler])
            try:
                return read((await agent.run("go")).all_messages(), run.calls)
            finally:
                await tools_ended()


class TestDeferredBetweenRuns(AdapterSuite):
    async def arun(self, run: Run) -> list[str]:
        async with AsyncClient(**run.client_options) as client:
            approvals = DeferredApprovals(client, **run.options)
            tools = tools_of(run, requires_approval=True)
            agent = Agent(model_of(run.calls), tools=tools, output_type=[str, DeferredToolRequests])
            result = await agent.run("go")
            while isinstance(result.output, DeferredToolRequests):
                answers = await approvals.answer(result.output)
                result = await agent.run(message_history=result.all_messages(), deferred_tool_results=answers)
            return read(result.all_messages(), run.calls)


def test_a_conversation_of_pydantic_ai_is_a_session(gated: Server) -> None:
    run = Run(gated, [mail("ann")])
    sessions: list[Any] = []

    def answer() -> None:
        request = request_for(gated, "ann")
        sessions.append(request["session"]["id"])
        gated.decide(request["id"], "deny")

    async def main() -> None:
        async with AsyncClient(**run.client_options) as client:
            toolset = HandraiseToolset(FunctionToolset(tools_of(run)), client=client)
            await Agent(model_of(run.calls), toolsets=[toolset]).run("go", conversation_id="c-815")

    gated.aside(answer)
    asyncio.run(main())
    assert sessions == ["c-815"]


def test_by_itself_pydantic_ai_runs_no_tool_when_a_toolset_raises(gated: Server) -> None:
    run = Run(gated, [mail("ann")])

    class Broken(WrapperToolset[Any]):
        async def call_tool(self, *_: Any, **__: Any) -> Any:
            raise ValueError("broken")

    agent = Agent(model_of(run.calls), toolsets=[Broken(FunctionToolset(tools_of(run)))])
    with pytest.raises(ValueError, match="broken"):
        asyncio.run(agent.run("go"))
    assert run.ran == []


def test_a_tool_gets_what_pydantic_has_read_changed_or_not(gated: Server) -> None:
    run = Run(gated, [Call("c", "when", {"day": "2026-01-01"})])
    days: list[Any] = []

    def when(day: date) -> str:
        days.append(day)
        return "noted"

    async def main() -> None:
        async with AsyncClient(**run.client_options) as client:
            toolset = HandraiseToolset(FunctionToolset([when]), client=client)
            agent = Agent(model_of(run.calls), toolsets=[toolset])
            gated.aside(lambda: gated.decide(request_for(gated, "2026-01-01")["id"], "approve"))
            await agent.run("go")
            change = {"arguments": {"day": "2026-02-02"}}
            gated.aside(lambda: gated.decide(request_for(gated, "2026-01-01")["id"], "approve", **change))
            await agent.run("go")

    asyncio.run(main())
    assert days == [date(2026, 1, 1), date(2026, 2, 2)]
