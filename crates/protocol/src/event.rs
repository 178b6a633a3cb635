//! What happens, as it happens.

use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Approval, ApprovalResult, Grant, GrantId, Mode, Question, QuestionId, QuestionResult, RequestId};

/// One event of `GET /v1/events`; the SSE event name is its `type`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// A person is being asked.
    ApprovalRequested(ApprovalRequested),
    /// More is known of a request that a person is being asked about.
    ApprovalChanged(ApprovalChanged),
    /// A request ended; follows every `approval_requested`.
    ApprovalResolved(ApprovalResolved),
    /// A person is being asked a question.
    QuestionAsked(QuestionAsked),
    /// A question ended; follows every `question_asked`.
    QuestionResolved(QuestionResolved),
    /// A person's answer is remembered.
    GrantAdded(GrantAdded),
    /// And no longer.
    GrantRevoked(GrantRevoked),
    /// New rules are in force.
    PolicyChanged(PolicyChanged),
    /// A person paused or resumed.
    ModeChanged(ModeChanged),
}

/// A person is being asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ApprovalRequested {
    /// The request.
    pub approval: Arc<Approval>,
}

/// More is known of a request that a person is being asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ApprovalChanged {
    /// The request as it is shown now.
    pub approval: Arc<Approval>,
}

/// A request ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ApprovalResolved {
    /// Which.
    pub id: RequestId,
    /// How.
    pub result: Arc<ApprovalResult>,
}

/// A person is being asked a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct QuestionAsked {
    /// The question as it is shown.
    pub question: Arc<Question>,
}

/// A question ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct QuestionResolved {
    /// Which.
    pub id: QuestionId,
    /// How.
    pub result: QuestionResult,
}

/// A person's answer is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GrantAdded {
    /// What.
    pub grant: Grant,
}

/// A grant ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GrantRevoked {
    /// Which.
    pub id: GrantId,
    /// Why.
    pub reason: String,
}

/// New rules are in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PolicyChanged {}

/// A person paused or resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ModeChanged {
    /// The mode now in force.
    pub mode: Mode,
    /// When it ends by itself; absent: when a person ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "string")]
    pub until: Option<Timestamp>,
}

impl Event {
    /// The SSE event name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::ApprovalRequested(_) => "approval_requested",
            Self::ApprovalChanged(_) => "approval_changed",
            Self::ApprovalResolved(_) => "approval_resolved",
            Self::QuestionAsked(_) => "question_asked",
            Self::QuestionResolved(_) => "question_resolved",
            Self::GrantAdded(_) => "grant_added",
            Self::GrantRevoked(_) => "grant_revoked",
            Self::PolicyChanged(_) => "policy_changed",
            Self::ModeChanged(_) => "mode_changed",
        }
    }
}
