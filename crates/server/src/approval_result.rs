//! How a request stands, as its requester is told.

use handraise_gate::{Entry, Outcome};
use handraise_policy::Walls;
use handraise_protocol::{ApprovalResult, Status};

/// How the request of `entry` stands.
pub(crate) fn result(entry: &Entry) -> ApprovalResult {
    result_with(entry, entry.life.outcome.as_ref())
}

/// The same with `outcome` as how it ended.
pub(crate) fn result_with(entry: &Entry, outcome: Option<&Outcome>) -> ApprovalResult {
    let request = &entry.request;
    let pending = ApprovalResult {
        id: request.id.into(),
        status: Status::Pending,
        decided_by: None,
        scope: None,
        reason: None,
        rule: entry.evaluation.policy.rule.as_ref().map(|rule| rule.text().to_owned()),
        risk: entry.evaluation.policy.risk.level.into(),
        arguments: None,
        confined: None,
        arguments_hash: request.arguments_hash.clone().into(),
        requested_at: entry.life.asked_at,
        decided_at: None,
        expires_at: entry.life.expires_at,
        trace_id: request.trace_id.clone(),
    };
    match outcome {
        Some(outcome) => ended(pending, outcome),
        None => pending,
    }
}

/// `pending` with its end filled in.
pub(crate) fn ended(pending: ApprovalResult, outcome: &Outcome) -> ApprovalResult {
    ApprovalResult {
        status: outcome.status.into(),
        decided_by: Some(outcome.decided_by.into()),
        scope: outcome.scope.map(Into::into),
        reason: Some(outcome.reason.clone()),
        rule: outcome.rule.clone(),
        risk: outcome.risk.into(),
        arguments: outcome.arguments.clone(),
        confined: outcome.walls.as_ref().map(Walls::sentence),
        arguments_hash: outcome.arguments_hash.clone().into(),
        decided_at: Some(outcome.decided_at),
        ..pending
    }
}
