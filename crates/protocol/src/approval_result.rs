//! How a request stands.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::{ArgumentsHash, DecidedBy, RequestId, RiskLevel, Scope, Status};

/// Where a request stands, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ApprovalResult {
    /// Identifies the request.
    pub id: RequestId,
    /// Any status that a client does not know means denied.
    pub status: Status,
    /// Absent while pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<DecidedBy>,
    /// How far a person's answer reaches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Text for the model; never empty once decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The rule that matched, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The risk that the request was decided with.
    pub risk: RiskLevel,
    /// The arguments to run instead; only when a person changed them, or when it runs inside walls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Map<String, Value>>,
    /// What the walls hold that it runs inside of, as a sentence without a full stop. Absent: it runs without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confined: Option<String>,
    /// SHA-256 of the RFC 8785 canonical arguments that were decided.
    pub arguments_hash: ArgumentsHash,
    /// When it was asked.
    #[ts(type = "string")]
    pub requested_at: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "string")]
    pub decided_at: Option<Timestamp>,
    /// When nobody can answer any more.
    #[ts(type = "string")]
    pub expires_at: Timestamp,
    /// The requester's own trace id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
}
