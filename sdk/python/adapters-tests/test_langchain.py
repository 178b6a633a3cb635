"""LangChain and LangGraph."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import Server
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from suite import TOOLS, AdapterSuite, Call, Run, gated, mail, request_for

from handraise import AsyncClient, Client
from handraise_langchain import HandraiseMiddleware

__all__ = ["gated"]
INPUT: Any = {"messages": [{"role": "user", "content": "go"}]}


class ScriptedModel(GenericFakeChatModel):
    """LangChain's own, which takes tools as well."""

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self


def model_of(calls: list[Call]) -> ScriptedModel:
    tool_calls: Any = [{"id": call.id, "name": call.name, "args": call.args} for call in calls]
    messages: list[BaseMessage] = [AIMessage("", tool_calls=tool_calls), AIMessage("done")]
    return ScriptedModel(messages=iter(messages))


def tools_of(run: Run) -> list[BaseTool]:
    def one(name: str) -> BaseTool:
        def send(to: str) -> str:
            return run.sent(name, to)

        return StructuredTool.from_function(send, name=name, description=name)

    return [one(name) for name in TOOLS]


def read(result: Any, calls: list[Call]) -> list[str]:
    said = {one.tool_call_id: str(one.content) for one in result["messages"] if isinstance(one, ToolMessage)}
    return [said.get(call.id, "") for call in calls]


class TestAwaited(AdapterSuite):
    async def arun(self, run: Run) -> list[str]:
        async with AsyncClient(**run.client_options) as client:
            middleware = [HandraiseMiddleware(async_client=client, **run.options)]
            agent = create_agent(model_of(run.calls), tools_of(run), middleware=middleware)
            return read(await agent.ainvoke(INPUT), run.calls)


class TestBlocking(AdapterSuite):
    can_be_cancelled = False

    def run(self, run: Run) -> list[str]:
        with Client(**run.client_options) as client:
            middleware = [HandraiseMiddleware(client=client, **run.options)]
            agent = create_agent(model_of(run.calls), tools_of(run), middleware=middleware)
            return read(agent.invoke(INPUT), run.calls)


def test_a_thread_is_a_session_of_its_own(gated: Server) -> None:
    run = Run(gated, [mail("ann")], session="program")
    sessions: list[Any] = []

    def answer() -> None:
        request = request_for(gated, "ann")
        sessions.append(request["session"]["id"])
        breadth = next(one["breadth"] for one in request["scopes"] if one["scope"] == "session")
        gated.decide(request["id"], "approve", scope="session", breadth=breadth)

    with Client(**run.client_options) as client:

        def invoke(thread: str) -> str:
            middleware = [HandraiseMiddleware(client=client, **run.options)]
            agent = create_agent(
                model_of(run.calls), tools_of(run), middleware=middleware, checkpointer=InMemorySaver()
            )
            return read(agent.invoke(INPUT, {"configurable": {"thread_id": thread}}), run.calls)[0]

        gated.aside(answer).name = "approves"
        invoke("t1")
        gated.aside(lambda: gated.decide(request_for(gated, "ann")["id"], "deny", reason="not in this thread"))
        assert "not in this thread" in invoke("t2")
    assert sessions == ["program/t1"]
    assert run.ran == ["mail ann"]


def test_by_itself_langchain_runs_no_tool_when_a_middleware_raises(gated: Server) -> None:
    run = Run(gated, [mail("ann")])

    @wrap_tool_call
    def broken(request: Any, handler: Any) -> Any:
        raise ValueError("broken")

    agent = create_agent(model_of(run.calls), tools_of(run), middleware=[broken])
    with pytest.raises(ValueError, match="broken"):
        agent.invoke(INPUT)
    assert run.ran == []


def test_without_a_client_a_call_is_denied_where_handraise_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: Any) -> Any:
        raise OSError("no such user")

    monkeypatch.setattr("handraise.locations.Folders.of_user", nowhere)
    run = Run(None, [mail("ann")])  # type: ignore[arg-type]
    agent = create_agent(model_of(run.calls), tools_of(run), middleware=[HandraiseMiddleware()])
    assert "Handraise could not be asked" in read(agent.invoke(INPUT), run.calls)[0]
    agent = create_agent(model_of(run.calls), tools_of(run), middleware=[HandraiseMiddleware()])
    assert "Handraise could not be asked" in read(asyncio.run(agent.ainvoke(INPUT)), run.calls)[0]
    assert run.ran == []
