"""Why a call does not run. Every error has a code that never changes its meaning."""

from __future__ import annotations

from typing import ClassVar

from .result import ApprovalResult


class ApprovalError(Exception):
    """A call that must not run.

    Attributes:
        code: for programs.
        retryable: trying again can help.
        result: how the request stands; ``None`` when the gate never got as far.
    """

    code: ClassVar[str] = "APPROVAL_ERROR"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, result: ApprovalResult | None = None) -> None:
        super().__init__(message)
        self.result = result

    @property
    def reason(self) -> str:
        """Words for the model; never empty."""
        return (self.result.reason if self.result is not None else None) or str(self)


class ApprovalDeniedError(ApprovalError):
    """Denied, or ended in a way that this version does not know."""

    code = "APPROVAL_DENIED"


class ApprovalTimeoutError(ApprovalError):
    """Nobody answered in time."""

    code = "APPROVAL_TIMEOUT"
    retryable = True


class ApprovalCancelledError(ApprovalError):
    """The request was withdrawn before anybody answered."""

    code = "APPROVAL_CANCELLED"


class ApprovalPendingError(ApprovalError):
    """Nobody has answered yet. ``approval_id`` is what to come back with."""

    code = "APPROVAL_PENDING"

    @property
    def approval_id(self) -> str | None:
        """The id of the open request."""
        return self.result.id if self.result is not None else None


class GateUnavailableError(ApprovalError):
    """The gate is not running, not reachable, or did not prove to be Handraise. Nothing runs then."""

    code = "GATE_UNAVAILABLE"
    retryable = True


class GateRefusedError(ApprovalError):
    """The gate does not take the request as it is.

    Attributes:
        problem: the ``code`` of the gate's RFC 9457 problem document, as ``invalid_request``.
        status: the HTTP status.
    """

    code = "GATE_REFUSED"

    def __init__(self, message: str, *, problem: str, status: int, result: ApprovalResult | None = None) -> None:
        super().__init__(message, result)
        self.problem = problem
        self.status = status


def require_approval(result: ApprovalResult) -> ApprovalResult:
    """``result``, when the call may run.

    Raises:
        ApprovalPendingError: nobody has answered yet.
        ApprovalTimeoutError: nobody answered in time.
        ApprovalCancelledError: the request was withdrawn.
        ApprovalDeniedError: anything else but an approval.
    """
    if result.is_approved:
        return result
    if result.is_pending:
        raise ApprovalPendingError("Nobody has answered yet.", result)
    if result.status == "timeout":
        raise ApprovalTimeoutError(result.reason or "Nobody answered in time.", result)
    if result.status == "cancelled":
        raise ApprovalCancelledError(result.reason or "The request was withdrawn.", result)
    raise ApprovalDeniedError(result.reason or "The call was not approved.", result)
