"""The Claude Agent SDK (tried with claude-agent-sdk 0.2.187): its hooks, and ``can_use_tool``.

.. code-block:: python

    options = ClaudeAgentOptions(hooks=claude_hooks())
    async for message in query(prompt="Write to Ann", options=options): ...

The hooks see every call. ``can_use_tool`` is asked only where Claude Code's own settings and mode have not decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import anyio
from claude_agent_sdk import (
    CanUseTool,
    HookContext,
    HookInput,
    HookJSONOutput,
    HookMatcher,
    PermissionResult,
    PermissionResultAllow,
    PermissionResultDeny,
    ToolPermissionContext,
)
from claude_agent_sdk.types import HookEvent

from handraise import ApprovalError, AsyncClient
from handraise.adapter import CallContext, Denied, decide, token_file_of

__all__ = ["can_use_tool", "claude_hooks"]

_AGENT = "claude-code"
_MARGIN = 10.0
"""Seconds that the answer has to get from here to Claude Code."""


def claude_hooks(
    *,
    deadline_seconds: float = 590.0,
    config_dir: str | Path | None = None,
    runtime_dir: str | Path | None = None,
    token_file: str | Path | None = None,
) -> dict[HookEvent, list[HookMatcher]]:
    """Hooks that ask about every tool call, as those that ``handraise connect claude-code`` installs do.

    They hand in the same messages, so the answers are the same. Each session of Claude Code is a session of its own.

    Args:
        deadline_seconds: until a call that nobody has answered is denied.
        config_dir: as for :class:`handraise.Client`.
        runtime_dir: as for :class:`handraise.Client`.
        token_file: as for :class:`handraise.Client`; Claude Code's own token when absent and there is one.
    """

    async def before_tool(input: HookInput, _id: str | None, _context: HookContext) -> HookJSONOutput:
        # By itself the SDK lets the call go ahead when a hook fails or takes too long.
        try:
            token = token_file if token_file is not None else token_file_of(_AGENT, config_dir)
            with anyio.fail_after(deadline_seconds):
                async with AsyncClient(config_dir=config_dir, runtime_dir=runtime_dir, token_file=token) as client:
                    message = cast(Mapping[str, Any], input)
                    answer = await client.hook(_AGENT, message, wait=deadline_seconds)
        except Exception as error:
            why = error.reason if isinstance(error, ApprovalError) else f"{type(error).__name__}: {error}"
            return _denial(f"Handraise could not be asked, so this call was denied. {why}")
        return _checked(answer)

    timeout = deadline_seconds + _MARGIN
    return {"PreToolUse": [HookMatcher(hooks=[before_tool], timeout=timeout, on_failure="block")]}


def can_use_tool(
    *,
    client: AsyncClient | None = None,
    agent: str | None = None,
    session: str | None = None,
    timeout_seconds: int | None = None,
) -> CanUseTool:
    """Asks about what Claude Code itself would ask.

    Args:
        client: the connection. Without one each call has its own.
        agent: name of the agent.
        session: the conversation. Without one nothing is remembered.
        timeout_seconds: how long the person has; as the gate's policy says when absent.
    """
    context = CallContext(agent, session, timeout_seconds)

    async def ask(tool: str, input: dict[str, Any], question: ToolPermissionContext) -> PermissionResult:
        decision = await decide(client, context.call(tool, input, trace_id=question.tool_use_id))
        if isinstance(decision, Denied):
            return PermissionResultDeny(message=decision.reason)
        return PermissionResultAllow(updated_input=decision.arguments)

    return ask


def _checked(answer: dict[str, Any]) -> HookJSONOutput:
    """Handraise's answer, when it is one; anything else denies. It says nothing about Claude Code's own questions."""
    if not answer:
        return {}
    output = answer.get("hookSpecificOutput")
    if isinstance(output, dict) and output.get("permissionDecision") in ("allow", "deny"):
        return cast(HookJSONOutput, answer)
    return _denial("Handraise answered something that cannot be understood.")


def _denial(reason: str) -> HookJSONOutput:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }
