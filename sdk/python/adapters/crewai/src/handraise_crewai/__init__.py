"""CrewAI (tried with crewai 1.15.30): its hooks before and after tool calls.

.. code-block:: python

    with gate_tools():
        crew.kickoff()

By itself CrewAI runs the tool when a hook raises an ordinary exception. This one raises none: whatever goes wrong
blocks the call. Hooks that are registered later may change a call that was approved, so register this one last.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from crewai.hooks import (
    ToolCallHookContext,
    register_after_tool_call_hook,
    register_before_tool_call_hook,
    unregister_after_tool_call_hook,
    unregister_before_tool_call_hook,
)

from handraise import Client
from handraise.adapter import CallContext, Denied, decide_blocking

__all__ = ["HandraiseHooks", "gate_tools"]


class HandraiseHooks:
    """The two hooks: one decides, the other tells the model why a call was blocked."""

    def __init__(self, client: Client | None, context: CallContext) -> None:
        self._client = client
        self._context = context
        self._lock = threading.Lock()
        # By the object that both hooks get; it is kept here, so that its id belongs to no other.
        self._refused: dict[int, tuple[object, Denied]] = {}

    def before(self, context: ToolCallHookContext) -> bool | None:
        """Blocks the call, or puts what was decided in place. ``None``: it may run."""
        try:
            decision = decide_blocking(self._client, self._context.call(context.tool_name, context.tool_input))
            if not isinstance(decision, Denied):
                if decision.is_changed:
                    # In place: CrewAI runs the tool with this very object.
                    context.tool_input.clear()
                    context.tool_input.update(decision.arguments)
                return None
            with self._lock:
                self._refused[id(context.tool_input)] = (context.tool_input, decision)
            return False
        except Exception:
            # CrewAI would run the tool.
            return False

    def after(self, context: ToolCallHookContext) -> str | None:
        """The reason, in the place of CrewAI's words for a blocked call."""
        with self._lock:
            _, decision = self._refused.pop(id(context.tool_input), (None, None))
        return decision.text if decision is not None else None


@contextmanager
def gate_tools(
    *,
    client: Client | None = None,
    agent: str | None = None,
    session: str | None = None,
    timeout_seconds: int | None = None,
) -> Iterator[HandraiseHooks]:
    """Gates every tool call of every crew of this program, as long as the block runs.

    Args:
        client: the connection. Without one each call has its own.
        agent: name of the agent.
        session: the conversation. Without one nothing is remembered.
        timeout_seconds: how long the person has; as the gate's policy says when absent.
    """
    hooks = HandraiseHooks(client, CallContext(agent, session, timeout_seconds))
    register_before_tool_call_hook(hooks.before)
    register_after_tool_call_hook(hooks.after)
    try:
        yield hooks
    finally:
        unregister_before_tool_call_hook(hooks.before)
        unregister_after_tool_call_hook(hooks.after)
