"""How things ended: approvals, questions, evaluations. All of them are frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .risk import RiskLevel


@dataclass(frozen=True)
class ApprovalResult:
    """Where a request stands, and how it ended. Field for field the ``ApprovalResult`` of the local API.

    Times are RFC 3339 text. A status that is none of ``approved``, ``denied``, ``timeout``, ``cancelled``
    and ``pending`` means denied.
    """

    id: str
    status: str
    risk: str = RiskLevel.WRITE.value
    decided_by: str | None = None
    scope: str | None = None
    reason: str | None = None
    rule: str | None = None
    arguments: Mapping[str, Any] | None = None
    """What to run instead; only when a person changed the arguments, or when it runs inside walls."""
    confined: str | None = None
    """What the walls hold that it runs inside of; ``None``: it runs without."""
    arguments_hash: str = ""
    """SHA-256 of the RFC 8785 text of what was decided."""
    requested_at: str = ""
    decided_at: str | None = None
    expires_at: str = ""
    trace_id: str | None = None

    @property
    def is_approved(self) -> bool:
        """The call may run."""
        return self.status == "approved"

    @property
    def is_pending(self) -> bool:
        """Nobody has answered yet."""
        return self.status == "pending"

    @classmethod
    def from_wire(cls, body: Mapping[str, Any]) -> ApprovalResult:
        """From the JSON of the local API. Fields that are not known are passed over."""
        return cls(id=str(body["id"]), status=str(body["status"]), **_known(cls, body, {"id", "status"}))


@dataclass(frozen=True)
class Choice:
    """One of the answers that a question offers."""

    label: str
    description: str | None = None


@dataclass(frozen=True)
class QuestionResult:
    """How a question ended. Only the status ``answered`` carries an answer."""

    id: str
    status: str
    """``answered``, ``declined``, ``timeout``, ``cancelled`` or ``pending``."""
    selected: tuple[str, ...] = ()
    """The labels that were chosen."""
    custom: str | None = None
    """What the person wrote."""
    answer: str | None = None
    """Both in one text."""
    reason: str | None = None
    asked_at: str = ""
    answered_at: str | None = None
    expires_at: str = ""
    trace_id: str | None = None

    @property
    def is_answered(self) -> bool:
        """There is an answer."""
        return self.status == "answered"

    @property
    def is_pending(self) -> bool:
        """Nobody has answered yet."""
        return self.status == "pending"

    @classmethod
    def from_wire(cls, body: Mapping[str, Any]) -> QuestionResult:
        """From the JSON of the local API."""
        selected = tuple(str(label) for label in body.get("selected") or ())
        rest = _known(cls, body, {"id", "status", "selected"})
        return cls(id=str(body["id"]), status=str(body["status"]), selected=selected, **rest)


@dataclass(frozen=True)
class Evaluation:
    """What the gate would do with a call, and why. Nothing was asked, changed or recorded."""

    action: str
    """``allow``, ``ask`` or ``deny``."""
    decided_by: str
    risk: str
    explanation: str
    rule: str | None = None
    document: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The whole ``EvaluationResult`` of the local API."""

    @classmethod
    def from_wire(cls, body: Mapping[str, Any]) -> Evaluation:
        """From the JSON of the local API."""
        return cls(
            action=str(body["action"]),
            decided_by=str(body["decided_by"]),
            risk=str(body["risk"]["level"]),
            explanation=str(body["explanation"]),
            rule=body.get("rule"),
            document=body,
        )


@dataclass(frozen=True)
class GateEvent:
    """One event of the gate's stream."""

    id: str
    """Hand it back as ``last_event_id`` to go on behind it."""
    type: str
    """``approval_requested``, ``approval_resolved``, ``policy_changed``, …"""
    data: Mapping[str, Any]


def _known(cls: type, body: Mapping[str, Any], done: set[str]) -> dict[str, Any]:
    names = set(cls.__dataclass_fields__) - done  # type: ignore[attr-defined]
    return {name: body[name] for name in names if body.get(name) is not None}
