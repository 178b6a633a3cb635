//! One call in, allow, ask or deny out: policy first, then the session allowlist, then a person.

use jiff::Timestamp;

use super::{Gate, Mode};
use crate::grant::{self, Remembered};
use crate::policy::PolicyDecision;
use crate::shell::Part;
use crate::{Action, DecidedBy, GrantId, Request};

/// What would happen to a call, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The final answer.
    pub action: Action,
    /// What gave it; for [`Action::Ask`] the policy.
    pub decided_by: DecidedBy,
    /// What the policy says.
    pub policy: PolicyDecision,
    /// The grant that settled it.
    pub grant: Option<GrantId>,
    /// The mode that overruled the policy.
    pub mode: Mode,
}

impl Evaluation {
    /// The words for a denial that no person gave.
    #[must_use]
    pub fn denial_reason(&self, request: &Request) -> String {
        if self.mode == Mode::DenyEverything {
            return "Handraise is paused and denies everything.".to_owned();
        }
        if self.grant.is_some() {
            return format!("A person has denied `{}` for this session.", request.tool);
        }
        let own = self.policy.rule.as_ref().and_then(|rule| rule.reason.clone());
        own.unwrap_or_else(|| format!("Policy denies '{}'", request.tool))
    }

    /// The words for an approval that no person gave.
    #[must_use]
    pub fn approval_reason(&self) -> String {
        match (self.grant, &self.policy.rule) {
            (Some(_), _) => "Approved for this session before.".to_owned(),
            (None, Some(rule)) => format!("Allowed by the rule `{}`.", rule.text()),
            (None, None) => "Allowed by the policy's default.".to_owned(),
        }
    }
}

impl Gate {
    /// What would happen to `request` now. Changes nothing.
    #[must_use]
    pub fn evaluate(&self, request: &Request, now: Timestamp) -> Evaluation {
        let evaluation = self.evaluate_as_it_is(request, now);
        let needs_a_person = request.is_masked || request.require_approval;
        if needs_a_person && evaluation.action == Action::Allow {
            return Evaluation { action: Action::Ask, decided_by: DecidedBy::Policy, grant: None, ..evaluation };
        }
        evaluation
    }

    fn evaluate_as_it_is(&self, request: &Request, now: Timestamp) -> Evaluation {
        let policy = self.policy.decide(request, now);
        let by_policy = |action| Evaluation {
            action,
            decided_by: DecidedBy::Policy,
            policy: policy.clone(),
            grant: None,
            mode: self.mode,
        };
        if self.mode == Mode::DenyEverything || policy.action == Action::Deny {
            return by_policy(Action::Deny);
        }
        let by_grant =
            |action, id| Evaluation { action, decided_by: DecidedBy::Grant, grant: Some(id), ..by_policy(action) };
        let asked: Vec<&Part> =
            request.understood_command().map(|command| policy.asked_parts(command).collect()).unwrap_or_default();
        match (grant::look_up(&self.grants, request, &asked, now), self.mode) {
            // A person's "no" stands even where the policy would let the call pass.
            (Remembered::Denied(id), _) => by_grant(Action::Deny, id),
            (_, Mode::AskEverything) => by_policy(Action::Ask),
            (Remembered::Approved(id), _) if policy.action == Action::Ask && policy.grantable => {
                by_grant(Action::Allow, id)
            }
            _ => by_policy(policy.action),
        }
    }
}
