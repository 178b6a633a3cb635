"""The OpenAI Agents SDK (tried with openai-agents 0.24.0): ``needs_approval`` and interruptions.

.. code-block:: python

    gated = gate_tools([mail, search])
    agent = Agent(name="Office", tools=gated.tools)
    result = await Runner.run(agent, "Write to Ann")
    while state := await gated.settle(result):
        result = await Runner.run(agent, state)
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agents import FunctionTool, RunResult, RunState, Tool
from agents.items import ToolApprovalItem
from agents.tool_context import ToolContext

from handraise import AsyncClient
from handraise.adapter import (
    NOT_READABLE,
    Approved,
    ApprovedCalls,
    CallContext,
    Decision,
    Denied,
    decide,
    decide_all,
    read_arguments,
    unchanged,
)

__all__ = ["GatedTools", "gate_tools"]


class GatedTools:
    """Gated tools, and what answers the interruptions of their runs."""

    tools: list[Tool]
    """For ``Agent(tools=…)``."""

    def __init__(self, tools: Sequence[FunctionTool], client: AsyncClient | None, context: CallContext) -> None:
        self._client = client
        self._context = context
        self._approved = ApprovedCalls()
        self._names = {tool.name for tool in tools}
        self.tools = [self._gate(tool) for tool in tools]

    async def settle(self, result: RunResult) -> RunState[Any] | None:
        """Has every interruption of a run decided. All of them are shown together.

        Gives the state to run again with; ``None``: there was none. Nothing is answered when the task is cancelled.
        A run that nobody settles stops at its first call.

        It also answers the interruptions of other tools (of MCP servers, shells). Nobody can change the arguments of
        those, so the model gets a denial that says what the person wants.
        """
        items = result.interruptions
        if not items:
            return None
        batch = str(uuid.uuid4())
        decisions = await decide_all([self._decide(item, batch) for item in items])
        state = result.to_state()
        for item, decision in zip(items, decisions, strict=True):
            if isinstance(decision, Approved):
                state.approve(item)
            else:
                state.reject(item, rejection_message=decision.text)
        return state

    def _gate(self, tool: FunctionTool) -> FunctionTool:
        async def invoke(context: ToolContext[Any], text: str) -> Any:
            arguments = read_arguments(text)
            if arguments is None:
                return NOT_READABLE.text
            id = context.tool_call_id
            decision: Decision | None = self._approved.take(id, tool.name, arguments)
            if decision is None:
                decision = await decide(self._client, self._context.call(tool.name, arguments, trace_id=id))
            if isinstance(decision, Denied):
                return decision.text
            return await tool.on_invoke_tool(context, json.dumps(decision.arguments, ensure_ascii=False))

        return replace(tool, on_invoke_tool=invoke, needs_approval=True)

    async def _decide(self, item: ToolApprovalItem, batch: str) -> Decision:
        raw = item.raw_item
        name = item.tool_name or str(_field(raw, "type"))
        # A shell, a computer or a patch has an action in the place of arguments.
        given = _field(raw, "arguments")
        arguments = read_arguments(given if given is not None else _field(raw, "action"))
        if arguments is None:
            return NOT_READABLE
        id = _field(raw, "call_id") or _field(raw, "id")
        decision = await decide(self._client, self._context.call(name, arguments, trace_id=id, batch=batch))
        if not isinstance(id, str) or name not in self._names:
            return unchanged(decision)
        if isinstance(decision, Approved):
            self._approved.keep(id, name, arguments, decision)
        return decision


def gate_tools(
    tools: Sequence[FunctionTool],
    *,
    client: AsyncClient | None = None,
    agent: str | None = None,
    session: str | None = None,
    timeout_seconds: int | None = None,
) -> GatedTools:
    """Gates function tools of the OpenAI Agents SDK.

    Args:
        tools: the tools.
        client: the connection. Without one each call has its own.
        agent: name of the agent.
        session: the conversation. Without one nothing is remembered.
        timeout_seconds: how long the person has; as the gate's policy says when absent.
    """
    return GatedTools(tools, client, CallContext(agent, session, timeout_seconds))


def _field(raw: Any, name: str) -> Any:
    value = raw.get(name) if isinstance(raw, Mapping) else getattr(raw, name, None)
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if dump is not None else value
