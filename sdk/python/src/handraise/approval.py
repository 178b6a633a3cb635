"""The words between whoever gates a call and whoever decides about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from .risk import RiskLevel

DecisionWord = Literal["approved", "denied", "approved_always"]


@dataclass(frozen=True)
class ApprovalRequest:
    """One call that somebody is asked about."""

    request_id: str
    """A UUID."""
    tool_name: str
    arguments: Mapping[str, Any]
    """Always an object; ``{}`` when the model wrote none that can be read."""
    risk_level: RiskLevel
    agent_name: str = ""
    session: str | None = None
    """The conversation; ``None``: nothing is remembered."""
    reason: str = ""
    """Why somebody is asked."""
    declared_risk: RiskLevel | None = None
    """The level that the tool itself declares, if it does."""
    runs_changed_command: bool = False
    """The tool runs the command line that it is handed, and not that of the call."""


@dataclass(frozen=True)
class ApprovalDecision:
    """The answer. Only ``approved=True`` approves."""

    approved: bool
    always: bool = False
    """Ask no more about this tool in this session; only together with an approval."""
    reason: str = ""
    arguments: Mapping[str, Any] | None = field(default=None)
    """What to run instead, when a person changed the arguments."""
    approval_id: str | None = None
    """The id under which the gate knows the request."""


@runtime_checkable
class ApprovalHandler(Protocol):
    """Whoever decides."""

    async def decide(self, request: ApprovalRequest) -> ApprovalDecision:
        """Decides about ``request``. An exception is a denial to whoever asked, and is passed on."""
        ...


@dataclass(frozen=True)
class ApprovalRequestEvent:
    """Somebody is being asked."""

    request_id: str
    tool_name: str
    arguments: Mapping[str, Any]
    """Without what stands under the name of a secret."""
    risk_level: str
    agent_name: str

    def to_dict(self) -> dict[str, Any]:
        """For the wire."""
        return {
            "request_id": self.request_id,
            "tool_name": self.tool_name,
            "arguments": dict(self.arguments),
            "risk_level": self.risk_level,
            "agent_name": self.agent_name,
        }


@dataclass(frozen=True)
class ApprovalResultEvent:
    """How it ended; follows every :class:`ApprovalRequestEvent`."""

    request_id: str
    tool_name: str
    decision: DecisionWord
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For the wire."""
        return {
            "request_id": self.request_id,
            "tool_name": self.tool_name,
            "decision": self.decision,
            "reason": self.reason,
        }
