//! What every surface in a terminal has in common: how a person's key or line becomes a decision,
//! and what keeps one from being made by accident.

use std::time::Duration;

use handraise_protocol::{Approval, Breadth, Decision, DecisionRequest, RiskLevel, Scope};

/// What has to be typed to approve a destructive call.
pub(crate) const CONFIRMATION: &str = "yes";

/// How long a request must have been in view before anything decides about it: whoever was typing
/// just then did not mean this request.
pub(crate) fn delay(risk: RiskLevel) -> Duration {
    Duration::from_millis(match risk {
        RiskLevel::ReadOnly => 300,
        RiskLevel::Write => 600,
        RiskLevel::Destructive => 1_500,
    })
}

/// A decision about exactly what was shown.
pub(crate) fn decision(
    approval: &Approval,
    decision: Decision,
    scope: Scope,
    reason: Option<String>,
) -> DecisionRequest {
    DecisionRequest {
        decision,
        scope,
        breadth: Breadth::Exact,
        reason,
        arguments: None,
        arguments_hash: Some(approval.arguments_hash.clone()),
        late: false,
    }
}
