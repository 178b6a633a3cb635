"""The Claude Agent SDK. Its hooks and ``can_use_tool`` are called as the SDK calls them: it brings no model."""

from __future__ import annotations

import asyncio
import re
import textwrap
from collections.abc import AsyncIterator
from typing import Any

import claude_agent_sdk
import pytest
from claude_agent_sdk import ClaudeAgentOptions, PermissionResultAllow, ToolPermissionContext
from conftest import SDK, Server, eventually
from suite import AdapterSuite, Call, Run, gated, request_for

from handraise import AsyncClient
from handraise_claude_agent_sdk import can_use_tool, claude_hooks

__all__ = ["gated"]


class TestCanUseTool(AdapterSuite):
    async def arun(self, run: Run) -> list[str]:
        async with AsyncClient(**run.client_options) as client:
            ask = can_use_tool(client=client, **run.options)
            assert ClaudeAgentOptions(can_use_tool=ask).can_use_tool is ask

            async def one(call: Call) -> str:
                result = await ask(call.name, call.args, ToolPermissionContext(tool_use_id=call.id))
                if isinstance(result, PermissionResultAllow):
                    return run.sent(call.name, **(result.updated_input or {}))
                return result.message

            return list(await asyncio.gather(*map(one, run.calls)))


async def ask(to: str, **places: Any) -> dict[str, Any]:
    """What the hook answers for a call of ``mail``."""
    (matcher,) = claude_hooks(**places)["PreToolUse"]
    assert matcher.on_failure == "block"
    (hook,) = matcher.hooks
    message: Any = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "transcript_path": "",
        "cwd": "/tmp",
        "permission_mode": "bypassPermissions",
        "tool_name": "mcp__office__mail",
        "tool_input": {"to": to},
        "tool_use_id": f"toolu-{to}",
    }
    answer: Any = await hook(message, message["tool_use_id"], {"signal": None})
    return dict(answer["hookSpecificOutput"])


def test_a_hook_asks_as_the_installed_one_does(gated: Server) -> None:
    shown: list[Any] = []

    def answer() -> None:
        request = request_for(gated, "ann")
        shown.append((request["agent"], request["session"]["id"]))
        gated.decide(request["id"], "approve", arguments={"to": "anna"})
        gated.decide(request_for(gated, "bob")["id"], "deny", reason="Bob is on leave")

    gated.aside(answer)
    approved = asyncio.run(ask("ann", **gated.places))
    assert (approved["permissionDecision"], approved["updatedInput"]) == ("allow", {"to": "anna"})
    denied = asyncio.run(ask("bob", **gated.places))
    assert denied["permissionDecision"] == "deny" and "Bob is on leave" in denied["permissionDecisionReason"]
    assert shown == [("claude-code", "s")]


def test_a_run_that_is_cancelled_takes_its_question_back(gated: Server) -> None:
    async def main() -> None:
        task = asyncio.create_task(ask("carl", **gated.places))
        await asyncio.to_thread(request_for, gated, "carl")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())
    eventually(lambda: not gated.open_requests())


def test_a_call_that_nobody_answers_is_denied(gated: Server) -> None:
    assert asyncio.run(ask("dora", deadline_seconds=1.0, **gated.places))["permissionDecision"] == "deny"


def test_where_there_is_no_handraise_the_hook_denies(tmp_path: Any) -> None:
    denied = asyncio.run(ask("x", config_dir=tmp_path, runtime_dir=tmp_path))
    assert denied["permissionDecision"] == "deny" and "could not be asked" in denied["permissionDecisionReason"]


def test_what_the_readme_shows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[Any] = []

    async def query(*, prompt: str, options: ClaudeAgentOptions) -> AsyncIterator[str]:
        asked.append((prompt, list(options.hooks or {})))
        yield "a message"

    monkeypatch.setattr(claude_agent_sdk, "query", query)
    readme = (SDK / "adapters/claude-agent-sdk/README.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    names: dict[str, Any] = {}
    exec(f"async def main():\n{textwrap.indent(example, '    ')}", names)
    asyncio.run(names["main"]())
    assert asked == [("Write to Ann", ["PreToolUse"])]
    assert capsys.readouterr().out == "a message\n"
