"""What an adapter for a framework is built with: one call, decided, in the terms that a framework needs.

.. code-block:: python

    context = CallContext(agent="office")

    async def before_tool(name, arguments):  # a hook of the framework
        decision = await decide(client, context.call(name, arguments))
        if isinstance(decision, Denied):
            return decision.text  # the model reads it in the place of the result
        return await run_tool(name, decision.arguments)

The rest is in ``handraise`` itself. The packages ``handraise-NAME`` use nothing else.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import anyio

from .call import ToolCall
from .canonical import arguments_hash, plain
from .client import AsyncClient, Client
from .errors import ApprovalError, GateRefusedError, GateUnavailableError, require_approval
from .known_conversation import Conversation, conversation_in, session_within
from .locations import Folders
from .result import ApprovalResult

__all__ = [
    "NOT_READABLE",
    "Approved",
    "ApprovedCalls",
    "CallContext",
    "Conversation",
    "Decision",
    "Denied",
    "conversation_in",
    "decide",
    "decide_all",
    "decide_blocking",
    "plain",
    "read_arguments",
    "session_within",
    "token_file_of",
    "unchanged",
]

_Answer = TypeVar("_Answer")
# Of more, the oldest is forgotten and asked about again.
_MAX_KEPT = 10_000


@dataclass(frozen=True)
class Approved:
    """The call may run."""

    arguments: dict[str, Any]
    """What runs: the arguments that were decided about, or what the person put in their place."""
    is_changed: bool


@dataclass(frozen=True)
class Denied:
    """The call must not run."""

    reason: str
    """Text for the model; never empty."""

    @property
    def text(self) -> str:
        """What the model gets in the place of the tool's result."""
        return f"Denied: {self.reason}"


Decision: TypeAlias = "Approved | Denied"
"""What becomes of a call."""

NOT_READABLE = Denied("The arguments are no JSON object.")
"""What becomes of a call whose arguments :func:`read_arguments` cannot read."""


@dataclass(frozen=True)
class CallContext:
    """What all calls of an agent have in common. What is absent is as the client says."""

    agent: str | None = None
    """Name of the agent."""
    session: str | None = None
    """The conversation. Without one nothing is remembered."""
    timeout_seconds: int | None = None
    """How long the person has; as the gate's policy says when absent."""

    def call(self, tool: str, arguments: Any, thread: str | None = None, **more: Any) -> ToolCall:
        """The call of ``tool``.

        Args:
            tool: its name, as the model calls it.
            arguments: what it is called with; :func:`decide` denies what is no JSON object.
            thread: a conversation that the framework knows, which is a session of its own within ``session``.
            more: other fields of :class:`handraise.ToolCall`.
        """
        session = self.session
        if thread is not None:
            session = session_within(session, Conversation(thread))
        named = {"agent": self.agent, "session": session, "timeout_seconds": self.timeout_seconds, **more}
        return ToolCall(tool, arguments, **named)


async def decide(client: AsyncClient | None, call: ToolCall) -> Decision:
    """Has a call decided. Without a client it has a connection of its own.

    Frameworks treat an error that a hook raises in different ways, and some run the tool then. So nothing is raised
    here but what cancels a task: whatever goes wrong is a denial with its reason, as in Handraise's own hooks.
    """
    try:
        call = _copied(call)
        if client is not None:
            return _decided(call, await client.submit(call))
        async with AsyncClient() as own:
            return _decided(call, await own.submit(call))
    except Exception as error:
        return _failed(error)


async def decide_all(decisions: Sequence[Awaitable[_Answer]]) -> list[_Answer]:
    """The decisions about the calls of one turn, in their order. All are asked for at once.

    In a task group of anyio, not with ``asyncio.gather``: frameworks that cancel by scopes would cancel the last words
    of a request, too, and it would stay open.
    """
    answers: dict[int, _Answer] = {}

    async def one(index: int, decision: Awaitable[_Answer]) -> None:
        answers[index] = await decision

    async with anyio.create_task_group() as group:
        for index, decision in enumerate(decisions):
            group.start_soon(one, index, decision)
    return [answers[index] for index in range(len(decisions))]


def decide_blocking(client: Client | None, call: ToolCall) -> Decision:
    """As :func:`decide`, for a thread that waits."""
    try:
        call = _copied(call)
        if client is not None:
            return _decided(call, client.submit(call))
        with Client() as own:
            return _decided(call, own.submit(call))
    except Exception as error:
        return _failed(error)


def _copied(call: ToolCall) -> ToolCall:
    # Nobody who holds the original can change what is decided about, and what is decided about is what runs.
    if not isinstance(call.arguments, Mapping):
        raise TypeError("the arguments of a call are an object")
    return replace(call, arguments=dict(plain(call.arguments)))


def _decided(call: ToolCall, result: ApprovalResult) -> Decision:
    approved = require_approval(result)
    if approved.arguments is not None:
        return Approved(dict(plain(approved.arguments)), True)
    return Approved(dict(call.arguments), False)


def _failed(error: Exception) -> Denied:
    if isinstance(error, ApprovalError) and not isinstance(error, GateUnavailableError | GateRefusedError):
        return Denied(error.reason)
    why = error.reason if isinstance(error, ApprovalError) else f"{type(error).__name__}: {error}"
    return Denied(f"Handraise could not be asked, so this call was denied. {why}")


def unchanged(decision: Decision) -> Decision:
    """The same decision where a framework has no place for other arguments.

    Then a change is a denial that says what the person wants, so that the model can make that call.
    """
    if isinstance(decision, Denied) or not decision.is_changed:
        return decision
    return Denied(f"The person wants other arguments: {json.dumps(decision.arguments, ensure_ascii=False)}")


def read_arguments(text: Any) -> dict[str, Any] | None:
    """The arguments as a model wrote them; ``None``: no JSON object, which nothing runs with."""
    try:
        arguments = json.loads(text or "{}") if isinstance(text, str | bytes) or text is None else text
    except (ValueError, RecursionError):
        return None
    return dict(arguments) if isinstance(arguments, Mapping) else None


def token_file_of(agent: str, config_dir: str | Path | None = None) -> Path | None:
    """The agent's own token, where ``handraise connect`` or a start of Handraise has made one.

    For an adapter that hands in an agent's hook messages, which Handraise takes from that agent. ``config_dir`` is as
    for :class:`handraise.Client`.

    Raises:
        GateUnavailableError: the user database does not know the user.
    """
    own = Folders.of_user()
    folders = own if config_dir is None else Folders(config=Path(config_dir), runtime=own.runtime)
    path = folders.token_file(agent)
    return path if path.exists() else None


class ApprovedCalls:
    """Approvals between the step that asks and the step that runs the tool. Each is used once, for its call."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], Approved] = OrderedDict()

    def keep(self, id: str, tool: str, asked: Mapping[str, Any], approved: Approved) -> None:
        """Keeps what was approved for the call with the arguments ``asked``."""
        self._kept[_key(id, tool, asked)] = approved
        while len(self._kept) > _MAX_KEPT:
            self._kept.popitem(last=False)

    def take(self, id: str, tool: str, asked: Mapping[str, Any]) -> Approved | None:
        """What may run; ``None`` when this very call was not approved, or was run already."""
        return self._kept.pop(_key(id, tool, asked), None)


def _key(id: str, tool: str, asked: Mapping[str, Any]) -> tuple[str, str, str]:
    # Some models number their calls anew in every turn, so the id alone names no call.
    return id, tool, arguments_hash(asked)
