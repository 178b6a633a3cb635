"""LangChain and LangGraph (tried with langchain 1.4.7 and langgraph 1.2.22): ``wrap_tool_call``.

.. code-block:: python

    agent = create_agent(model, tools, middleware=[HandraiseMiddleware()])

A thread (``configurable.thread_id``) is a session of its own. Put the middleware last in the list: what stands behind
it may change a call that was approved.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from langchain.agents.middleware import AgentMiddleware
from langchain.tools.tool_node import ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from handraise import AsyncClient, Client, ToolCall
from handraise.adapter import Approved, CallContext, Denied, decide, decide_blocking

__all__ = ["HandraiseMiddleware"]

Result: TypeAlias = "ToolMessage | Command[Any]"


class HandraiseMiddleware(AgentMiddleware[Any, Any, Any]):
    """Has every tool call of an agent decided.

    Args:
        client: the connection of ``invoke`` and ``stream``. Without one each call has its own.
        async_client: that of ``ainvoke`` and ``astream``.
        agent: name of the agent.
        session: what a thread's session lies in; the session where there is no thread.
        timeout_seconds: how long the person has; as the gate's policy says when absent.
    """

    def __init__(
        self,
        *,
        client: Client | None = None,
        async_client: AsyncClient | None = None,
        agent: str | None = None,
        session: str | None = None,
        timeout_seconds: int | None = None,
    ) -> None:
        super().__init__()
        self._client = client
        self._async_client = async_client
        self._context = CallContext(agent, session, timeout_seconds)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Result]) -> Result:
        """Called by LangChain for each call."""
        decision = decide_blocking(self._client, self._call(request))
        if isinstance(decision, Denied):
            return _refusal(request, decision)
        return handler(_decided(request, decision))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Result]]
    ) -> Result:
        """Called by LangChain for each call that is awaited."""
        decision = await decide(self._async_client, self._call(request))
        if isinstance(decision, Denied):
            return _refusal(request, decision)
        return await handler(_decided(request, decision))

    def _call(self, request: ToolCallRequest) -> ToolCall:
        call = request.tool_call
        configurable = (getattr(request.runtime, "config", None) or {}).get("configurable") or {}
        thread = configurable.get("thread_id")
        known = str(thread) if thread is not None else None
        return self._context.call(call["name"], call["args"], known, trace_id=call.get("id"))


def _refusal(request: ToolCallRequest, denied: Denied) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(denied.text, tool_call_id=call["id"] or "", name=call["name"], status="error")


def _decided(request: ToolCallRequest, approved: Approved) -> ToolCallRequest:
    return request.override(tool_call={**request.tool_call, "args": approved.arguments})
