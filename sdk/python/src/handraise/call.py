"""One tool call that is to be decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from .canonical import plain
from .risk import RiskLevel


@dataclass(frozen=True)
class ToolCall:
    """One tool call. Field for field the ``ApprovalRequest`` of the local API; only ``tool`` has to be there."""

    tool: str
    """Tool name, as the agent calls it."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    agent: str | None = None
    session: str | None = None
    """The conversation. Without it, ``conversation_id`` and ``user`` nothing is remembered."""
    conversation_id: str | None = None
    user: str | None = None
    intent: str | None = None
    """The requester's words for why."""
    summary: str | None = None
    """One line for the person; made from tool and arguments when absent."""
    description: str | None = None
    tags: Sequence[str] = ()
    risk: RiskLevel | None = None
    """``None``: not declared, which counts as ``write``."""
    annotations: Mapping[str, bool] | None = None
    """MCP annotations, as ``{"destructiveHint": True}``. They raise the risk, never lower it."""
    server: str | None = None
    """MCP server that offers the tool."""
    cwd: str | None = None
    batch: str | None = None
    """Calls of one parallel batch share this."""
    trace_id: str | None = None
    idempotency_key: str | None = None
    """The same key with the same call is the same request."""
    timeout_seconds: int | None = None
    """How long a person has, 1 to 86 400. ``None``: as the policy says."""
    runs_changed_command: bool = False
    """The tool runs the command line of the arguments that it is handed, and not that of the call: on this machine, in
    ``cwd``. Only then can the call run confined."""

    @property
    def session_id(self) -> str | None:
        """The session that the call belongs to: ``session ?? conversation_id ?? user``."""
        candidates = (self.session, self.conversation_id, self.user)
        return next((candidate for candidate in candidates if candidate is not None), None)

    def to_wire(self) -> dict[str, Any]:
        """The JSON of the local API.

        Raises:
            NotJsonError: when the arguments are no JSON.
        """
        body: dict[str, Any] = {"tool": self.tool, "arguments": plain(self.arguments)}
        for name in (each.name for each in fields(self)[2:]):
            value = getattr(self, name)
            if value is None or value is False or value == ():
                continue
            if isinstance(value, RiskLevel):
                value = value.value
            elif name == "tags":
                value = list(value)
            body[name] = value
        return body
