"""CrewAI."""

from __future__ import annotations

import json
import os
from typing import Any

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false", OTEL_SDK_DISABLED="true")

from conftest import Server
from crewai import Agent, BaseLLM, Crew, Task
from crewai.hooks import (
    ToolCallHookContext,
    register_before_tool_call_hook,
    unregister_before_tool_call_hook,
)
from crewai.tools import BaseTool
from pydantic import BaseModel
from suite import TOOLS, AdapterSuite, Call, Run, gated, mail

from handraise import Client
from handraise_crewai import HandraiseHooks, gate_tools

__all__ = ["gated"]


class ScriptedModel(BaseLLM):
    """Makes the calls that it is told to make, then says ``done``."""

    calls: list[Any] = []
    seen: list[Any] = []

    def supports_function_calling(self) -> bool:
        return True

    def call(self, messages: Any, tools: Any = None, *args: Any, **more: Any) -> Any:
        self.seen = list(messages)
        if any(isinstance(one, dict) and one.get("role") == "tool" for one in messages):
            return "Thought: I now know the final answer\nFinal Answer: done"
        return [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.dumps(call.args)}}
            for call in self.calls
        ]


class Arguments(BaseModel):
    to: str


def tools_of(run: Run) -> list[BaseTool]:
    def one(name: str) -> BaseTool:
        class Sends(BaseTool):
            name: str = ""
            description: str = "sends"
            args_schema: type[BaseModel] = Arguments
            # Equal calls are calls of their own.
            cache_function: Any = lambda *_: False

            def _run(self, to: str) -> str:
                return run.sent(self.name, to)

        return Sends(name=name)

    return [one(name) for name in TOOLS]


def kickoff(run: Run) -> list[str]:
    model = ScriptedModel(model="scripted", calls=run.calls)
    agent = Agent(role="Office", goal="g", backstory="b", llm=model, tools=tools_of(run), max_retry_limit=0)
    task = Task(description="go", expected_output="done", agent=agent)
    Crew(agents=[agent], tasks=[task], cache=False).kickoff()
    said = {one.get("tool_call_id"): str(one.get("content")) for one in model.seen if one.get("role") == "tool"}
    return [said.get(call.id, "") for call in run.calls]


class TestCrew(AdapterSuite):
    can_be_cancelled = False
    asks_in_order = True

    def run(self, run: Run) -> list[str]:
        with Client(**run.client_options) as client, gate_tools(client=client, **run.options):
            return kickoff(run)


def test_by_itself_crewai_runs_the_tool_when_a_hook_raises(gated: Server) -> None:
    """Why the adapter raises nothing."""
    run = Run(gated, [mail("ann")])

    def broken(context: ToolCallHookContext) -> bool | None:
        raise ValueError("broken")

    register_before_tool_call_hook(broken)
    try:
        kickoff(run)
    finally:
        unregister_before_tool_call_hook(broken)
    assert run.ran == ["mail ann"]


def test_whatever_breaks_in_the_adapter_blocks_the_call(gated: Server) -> None:
    run = Run(gated, [mail("ann")])

    class Broken:
        def submit(self, call: Any) -> Any:
            raise ValueError("broken")

    broken: Any = Broken()
    with gate_tools(client=broken):
        assert "Handraise could not be asked" in kickoff(run)[0]

    class Worse(HandraiseHooks):
        @property
        def _context(self) -> Any:
            raise ValueError("broken")

        @_context.setter
        def _context(self, value: Any) -> None: ...

    worse = Worse(None, broken)
    register_before_tool_call_hook(worse.before)
    try:
        assert "blocked" in kickoff(run)[0]
    finally:
        unregister_before_tool_call_hook(worse.before)
    assert run.ran == []


def test_the_block_ends_the_gate(gated: Server) -> None:
    run = Run(gated, [Call("c", "never_wipe", {"to": "x"})])
    with Client(**run.client_options) as client:
        with gate_tools(client=client):
            kickoff(run)
        assert run.ran == []
        kickoff(run)
    assert run.ran == ["never_wipe x"]
