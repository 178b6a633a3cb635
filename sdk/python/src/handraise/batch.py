"""The calls of one turn of a model, run through the gate."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .canonical import NotJsonError, plain
from .capability import ApprovalCapability, CallClearance
from .policy import Action
from .tools import declaration

Tool = Callable[..., Any]


@dataclass(frozen=True)
class ModelCall:
    """A call as the model wrote it."""

    name: str
    arguments: str | Mapping[str, Any] = "{}"
    """JSON text, or an object."""
    id: str = ""


@dataclass(frozen=True)
class ToolResult:
    """What the model gets for one call. A denial is a normal result, so that the model can go on."""

    id: str
    name: str
    content: str
    is_error: bool = False
    denied: bool = False
    value: Any = None
    """What the tool gave back."""


@dataclass(frozen=True)
class HandOff:
    """Returned by a tool that hands the conversation to another agent: it ends the batch."""

    to: str


@dataclass(frozen=True)
class _Read:
    call: ModelCall
    arguments: dict[str, Any]
    is_readable: bool
    tool: Tool | None
    risk: Any
    runs_changed_command: bool = False


async def run_calls(
    calls: Sequence[ModelCall],
    tools: Mapping[str, Tool] | Iterable[Tool],
    capability: ApprovalCapability,
    *,
    agent: str | None = None,
    session: str | None = None,
) -> list[ToolResult]:
    """Runs the calls of one turn, each through the gate, and gives one result for each, in order.

    They run at once when nobody has to be asked, else one after the other. After a denial the next call gets
    its turn; after a :class:`HandOff` the rest is not run. A tool that raises gives an error result.

    Args:
        calls: what the model wrote.
        tools: by name, or functions declared with :func:`handraise.tool`. They may be async.
        capability: the gate.
        agent: the agent that calls.
        session: the conversation.
    """
    known = _by_name(tools)
    read = [_read(call, known) for call in calls]

    async def one(item: _Read) -> ToolResult:
        return await _run(item, capability, agent=agent, session=session)

    def action(item: _Read) -> Action:
        return capability.action(item.call.name, item.arguments, item.risk, agent=agent, session=session)

    if not any(item.tool is not None and action(item) is Action.ASK for item in read):
        return list(await asyncio.gather(*(one(item) for item in read)))
    results: list[ToolResult] = []
    for item in read:
        if results and isinstance(results[-1].value, HandOff):
            text = f"Not run: the conversation was handed to {results[-1].value.to}."
            left = read[len(results) :]
            results.extend(ToolResult(rest.call.id, rest.call.name, text, is_error=True) for rest in left)
            break
        results.append(await one(item))
    return results


def _by_name(tools: Mapping[str, Tool] | Iterable[Tool]) -> dict[str, Tool]:
    if isinstance(tools, Mapping):
        return dict(tools)
    named: dict[str, Tool] = {}
    for tool in tools:
        declared = declaration(tool)
        name = declared.name if declared is not None else tool.__name__
        if name in named:
            raise ValueError(f"there are two tools called {name!r}")
        named[name] = tool
    return named


def _read(call: ModelCall, tools: Mapping[str, Tool]) -> _Read:
    tool = tools.get(call.name)
    declared = declaration(tool) if tool is not None else None
    risk = declared.risk_level if declared is not None else None
    changed = declared is not None and declared.runs_changed_command
    try:
        raw = json.loads(call.arguments or "{}") if isinstance(call.arguments, str) else call.arguments
        if isinstance(raw, Mapping):
            return _Read(call, dict(plain(raw)), True, tool, risk, changed)
    except (ValueError, NotJsonError, RecursionError):
        pass
    return _Read(call, {}, False, tool, risk)


async def _run(item: _Read, capability: ApprovalCapability, *, agent: str | None, session: str | None) -> ToolResult:
    call, tool = item.call, item.tool
    if tool is None:
        return ToolResult(call.id, call.name, f"There is no tool called {call.name!r}.", is_error=True)
    verdict = await capability.evaluate(
        call.name,
        item.arguments,
        item.risk,
        agent=agent,
        session=session,
        runs_changed_command=item.runs_changed_command,
    )
    if not verdict.allowed:
        return ToolResult(call.id, call.name, verdict.text, denied=True)
    if not item.is_readable:
        # What was approved is `{}`; what the model meant cannot be run.
        return ToolResult(call.id, call.name, "The arguments are no valid JSON object.", is_error=True)
    return await _execute(call, tool, verdict)


async def _execute(call: ModelCall, tool: Tool, verdict: CallClearance) -> ToolResult:
    try:
        value = tool(**verdict.arguments)
        if inspect.isawaitable(value):
            value = await value
    except Exception as error:  # the model is told, and goes on
        return ToolResult(call.id, call.name, f"{type(error).__name__}: {error}", is_error=True)
    return ToolResult(call.id, call.name, _content(value), value=value)


def _content(value: Any) -> str:
    if isinstance(value, HandOff):
        return f"Handed to {value.to}."
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)
