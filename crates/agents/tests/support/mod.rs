//! Results as the gate would give them.

use std::path::PathBuf;

use handraise_agents::HookCall;
use handraise_policy::ArgumentsHash;
use handraise_protocol::{ApprovalResult, DecidedBy, RequestId, RiskLevel, Scope, Status};
use jiff::Timestamp;
use serde_json::{Map, Value};

pub(crate) fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

pub(crate) fn result(call: &HookCall, status: Status, reason: Option<&str>) -> ApprovalResult {
    let then = Timestamp::UNIX_EPOCH;
    ApprovalResult {
        id: RequestId(uuid::Uuid::nil()),
        status,
        decided_by: Some(DecidedBy::Person),
        scope: Some(Scope::Once),
        reason: reason.map(str::to_owned),
        rule: None,
        risk: RiskLevel::Write,
        arguments: None,
        confined: None,
        arguments_hash: ArgumentsHash::of(&call.request.arguments).unwrap().into(),
        requested_at: then,
        decided_at: Some(then),
        expires_at: then,
        trace_id: call.request.trace_id.clone(),
    }
}

pub(crate) fn edited(call: &HookCall, arguments: Map<String, Value>) -> ApprovalResult {
    let arguments_hash = ArgumentsHash::of(&arguments).unwrap().into();
    ApprovalResult { arguments: Some(arguments), arguments_hash, ..result(call, Status::Approved, None) }
}
