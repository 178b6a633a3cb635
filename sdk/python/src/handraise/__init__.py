"""Ask a person before an AI agent acts.

:class:`Client` and :class:`AsyncClient` speak to a running Handraise. :class:`ApprovalCapability` puts a policy
and whoever decides between a model and its tools. ``handraise.adapter`` is for packages that fit them into
a framework, as ``handraise-langchain`` does.
"""

from .approval import (
    ApprovalDecision,
    ApprovalHandler,
    ApprovalRequest,
    ApprovalRequestEvent,
    ApprovalResultEvent,
)
from .approver import Approver, AsyncApprover, OpenApproval
from .batch import HandOff, ModelCall, ToolResult, run_calls
from .call import ToolCall
from .canonical import NotJsonError, arguments_hash, canonical_json
from .capability import ApprovalCapability, ApprovalEvent, CallClearance
from .client import AsyncClient, Client
from .errors import (
    ApprovalCancelledError,
    ApprovalDeniedError,
    ApprovalError,
    ApprovalPendingError,
    ApprovalTimeoutError,
    GateRefusedError,
    GateUnavailableError,
    require_approval,
)
from .gated import with_approval
from .glob import InvalidPatternError
from .handlers import (
    AutoApproveHandler,
    AutoDenyHandler,
    CallbackHandler,
    HandraiseHandler,
    SSEApprovalHandler,
    TerminalHandler,
)
from .policy import ApprovalPolicy, PolicyDecision
from .result import ApprovalResult, Choice, Evaluation, GateEvent, QuestionResult
from .risk import RiskLevel
from .rule import Action, AgentPolicy, ApprovalRule, RiskDefaults, UnsupportedKeyError
from .sse import frame as sse_frame
from .tools import ToolDeclaration, declaration, tool

CLIApprovalHandler = TerminalHandler
"""The name that some designs use."""

__all__ = [
    "Action",
    "AgentPolicy",
    "ApprovalCancelledError",
    "ApprovalCapability",
    "ApprovalDecision",
    "ApprovalDeniedError",
    "ApprovalError",
    "ApprovalEvent",
    "ApprovalHandler",
    "ApprovalPendingError",
    "ApprovalPolicy",
    "ApprovalRequest",
    "ApprovalRequestEvent",
    "ApprovalResult",
    "ApprovalResultEvent",
    "ApprovalRule",
    "ApprovalTimeoutError",
    "Approver",
    "AsyncApprover",
    "AsyncClient",
    "AutoApproveHandler",
    "AutoDenyHandler",
    "CLIApprovalHandler",
    "CallClearance",
    "CallbackHandler",
    "Choice",
    "Client",
    "Evaluation",
    "GateEvent",
    "GateRefusedError",
    "GateUnavailableError",
    "HandOff",
    "HandraiseHandler",
    "InvalidPatternError",
    "ModelCall",
    "NotJsonError",
    "OpenApproval",
    "PolicyDecision",
    "QuestionResult",
    "RiskDefaults",
    "RiskLevel",
    "SSEApprovalHandler",
    "TerminalHandler",
    "ToolCall",
    "ToolDeclaration",
    "ToolResult",
    "UnsupportedKeyError",
    "arguments_hash",
    "canonical_json",
    "declaration",
    "require_approval",
    "run_calls",
    "sse_frame",
    "tool",
    "with_approval",
]
