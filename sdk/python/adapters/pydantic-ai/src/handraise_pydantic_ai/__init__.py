"""Pydantic AI (tried with pydantic-ai-slim 2.68.0): toolsets, and deferred tools.

.. code-block:: python

    agent = Agent(model, toolsets=[HandraiseToolset(FunctionToolset([mail, search]))])

or, for tools with ``requires_approval=True``:

.. code-block:: python

    agent = Agent(model, tools=[…], capabilities=[HandleDeferredToolCalls(DeferredApprovals())])
"""

from __future__ import annotations

import uuid
from dataclasses import KW_ONLY, dataclass
from typing import Any

from pydantic_ai import DeferredToolRequests, DeferredToolResults, RunContext, ToolApproved, ToolDenied
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset
from pydantic_core import to_jsonable_python

from handraise import AsyncClient
from handraise.adapter import NOT_READABLE, CallContext, Decision, Denied, decide, decide_all, read_arguments

__all__ = ["DeferredApprovals", "HandraiseToolset"]


@dataclass
class HandraiseToolset(WrapperToolset[Any]):
    """Has every call of a toolset decided. The model reads ``Denied: REASON`` as the tool's result."""

    _: KW_ONLY
    client: AsyncClient | None = None
    """The connection. Without one each call has its own."""
    agent: str | None = None
    session: str | None = None
    """The conversation; Pydantic AI's own (``conversation_id``) when absent."""
    timeout_seconds: int | None = None
    """How long the person has; as the gate's policy says when absent."""

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        """Called by Pydantic AI for each call."""
        context = CallContext(self.agent, self.session or ctx.conversation_id, self.timeout_seconds)
        # Read by Pydantic already: dates and models are shown as the model wrote them.
        shown = to_jsonable_python(tool_args, fallback=repr)
        decision = await decide(self.client, context.call(name, shown, trace_id=ctx.tool_call_id))
        if isinstance(decision, Denied):
            return decision.text
        if not decision.is_changed:
            # As Pydantic AI has read them, which may be more than JSON holds.
            return await super().call_tool(name, tool_args, ctx, tool)
        validated = tool.args_validator.validate_python(decision.arguments)
        return await super().call_tool(name, validated, ctx, tool)


@dataclass
class DeferredApprovals:
    """Answers deferred tool calls that need an approval. All of them are shown together.

    It is a handler for ``HandleDeferredToolCalls``. For runs that end with ``DeferredToolRequests``, :meth:`answer`
    gives the ``deferred_tool_results`` of the next run.
    """

    client: AsyncClient | None = None
    agent: str | None = None
    session: str | None = None
    timeout_seconds: int | None = None

    async def __call__(self, ctx: RunContext[Any], requests: DeferredToolRequests) -> DeferredToolResults:
        """Called by Pydantic AI in the middle of a run."""
        return await self.answer(requests, conversation_id=ctx.conversation_id)

    async def answer(
        self, requests: DeferredToolRequests, *, conversation_id: str | None = None
    ) -> DeferredToolResults:
        """The results for all calls that need an approval. Calls that run elsewhere are not answered.

        Args:
            requests: what a run has ended with.
            conversation_id: the session where this object has none.
        """
        context = CallContext(self.agent, self.session or conversation_id, self.timeout_seconds)
        batch = str(uuid.uuid4())
        decisions = await decide_all([self._decide(context, part, batch) for part in requests.approvals])
        results = DeferredToolResults()
        for part, decision in zip(requests.approvals, decisions, strict=True):
            results.approvals[part.tool_call_id] = _result(decision)
        return results

    async def _decide(self, context: CallContext, part: ToolCallPart, batch: str) -> Decision:
        arguments = read_arguments(part.args)
        if arguments is None:
            return NOT_READABLE
        call = context.call(part.tool_name, arguments, trace_id=part.tool_call_id, batch=batch)
        return await decide(self.client, call)


def _result(decision: Decision) -> ToolApproved | ToolDenied:
    if isinstance(decision, Denied):
        return ToolDenied(decision.text)
    return ToolApproved(override_args=decision.arguments if decision.is_changed else None)
