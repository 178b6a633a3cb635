"""The OpenAI Agents SDK."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import (
    Agent,
    FunctionTool,
    Model,
    ModelResponse,
    Runner,
    RunState,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from conftest import Server
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from suite import TOOLS, AdapterSuite, Call, Run, gated, mail, request_for, said, tools_ended

from handraise import AsyncClient
from handraise_openai_agents import GatedTools, gate_tools

__all__ = ["gated"]
set_tracing_disabled(True)


class ScriptedModel(Model):
    """Makes the calls that it is told to make, then says ``done``."""

    def __init__(self, calls: list[Call]) -> None:
        self.calls = calls
        self.inputs: list[Any] = []

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **more: Any) -> ModelResponse:
        self.inputs.append(input)
        output: list[Any] = [
            ResponseFunctionToolCall(
                arguments=json.dumps(call.args), call_id=call.id, name=call.name, type="function_call"
            )
            for call in self.calls
        ]
        if len(self.inputs) > 1:
            text = ResponseOutputText(annotations=[], text="done", type="output_text")
            output = [
                ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
            ]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError

    def read(self) -> list[str]:
        outputs = {
            item["call_id"]: said(item["output"])
            for item in self.inputs[-1]
            if item.get("type") == "function_call_output"
        }
        return [outputs.get(call.id, "") for call in self.calls]


def tool_of(run: Run, name: str) -> FunctionTool:
    def send(to: str) -> str:
        return run.sent(name, to)

    return function_tool(send, name_override=name, description_override=name)


def tools_of(run: Run, client: AsyncClient) -> GatedTools:
    return gate_tools([tool_of(run, name) for name in TOOLS], client=client, **run.options)


class TestInterruptions(AdapterSuite):
    async def arun(self, run: Run) -> list[str]:
        async with AsyncClient(**run.client_options) as client:
            tools = tools_of(run, client)
            model = ScriptedModel(run.calls)
            agent = Agent(name="Office", model=model, tools=tools.tools)
            result = await Runner.run(agent, "go")
            while state := await tools.settle(result):
                result = await Runner.run(agent, state)
            assert result.final_output == "done"
            return model.read()


class TestToolsThatAskThemselves(AdapterSuite):
    """Where somebody has turned the approval off."""

    async def arun(self, run: Run) -> list[str]:
        async with AsyncClient(**run.client_options) as client:
            tools = tools_of(run, client)
            for tool in tools.tools:
                assert isinstance(tool, FunctionTool)
                tool.needs_approval = False
            model = ScriptedModel(run.calls)
            try:
                await Runner.run(Agent(name="Office", model=model, tools=tools.tools), "go")
            finally:
                await tools_ended()
            return model.read()


def test_a_run_that_nobody_settles_stops_before_the_tool(gated: Server) -> None:
    run = Run(gated, [Call("c", "free_search", {"to": "x"})])

    async def main() -> int:
        async with AsyncClient(**run.client_options) as client:
            agent = Agent(name="Office", model=ScriptedModel(run.calls), tools=tools_of(run, client).tools)
            return len((await Runner.run(agent, "go")).interruptions)

    assert asyncio.run(main()) == 1
    assert run.ran == []


def test_by_itself_the_sdk_runs_no_tool_when_needs_approval_raises(gated: Server) -> None:
    run = Run(gated, [mail("ann")])

    async def broken(*_: Any) -> bool:
        raise ValueError("broken")

    tool = tool_of(run, "mail")
    tool.needs_approval = broken
    with pytest.raises(Exception, match="broken"):
        asyncio.run(Runner.run(Agent(name="Office", model=ScriptedModel(run.calls), tools=[tool]), "go"))
    assert run.ran == []


def test_nobody_changes_the_arguments_of_other_tools(gated: Server) -> None:
    run = Run(gated, [mail("ann")])
    tool = tool_of(run, "mail")
    tool.needs_approval = True
    gated.aside(lambda: gated.decide(request_for(gated, "ann")["id"], "approve", arguments={"to": "bob"}))

    async def main() -> str:
        async with AsyncClient(**run.client_options) as client:
            other = gate_tools([], client=client)
            model = ScriptedModel(run.calls)
            agent = Agent(name="Office", model=model, tools=[tool])
            result = await Runner.run(agent, "go")
            while state := await other.settle(result):
                result = await Runner.run(agent, state)
            return model.read()[0]

    read = asyncio.run(main())
    assert "other arguments" in read and "bob" in read
    assert run.ran == []


def test_a_saved_run_is_asked_about_anew_when_it_goes_on_elsewhere(gated: Server) -> None:
    run = Run(gated, [mail("nia")])

    def answer() -> None:
        gated.decide(request_for(gated, "nia")["id"], "approve")
        gated.decide(request_for(gated, "nia")["id"], "deny", reason="not twice")

    async def main() -> str:
        async with AsyncClient(**run.client_options) as client:
            tools = tools_of(run, client)
            model = ScriptedModel(run.calls)
            result = await Runner.run(Agent(name="Office", model=model, tools=tools.tools), "go")
            state = await tools.settle(result)
            assert state is not None
            # Another program knows of no approval: what the saved state says approves nothing.
            agent = Agent(name="Office", model=model, tools=tools_of(run, client).tools)
            await Runner.run(agent, await RunState.from_string(agent, state.to_string()))
            return model.read()[0]

    gated.aside(answer)
    assert "not twice" in asyncio.run(main())
    assert run.ran == []
