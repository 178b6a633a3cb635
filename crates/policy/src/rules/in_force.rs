//! The policy in force while a change that nobody confirmed lies beside it.

use std::sync::Arc;

use jiff::Timestamp;

use crate::Request;
use crate::rules::decision::PolicyDecision;
use crate::rules::policy::Policy;
use crate::rules::rule_set::RuleSet;
use crate::rules::rule_text::RuleText;

/// The confirmed policy, and a change made outside the app that a person has not looked at yet.
///
/// The stricter of both decides: what the change would loosen has no effect until it is confirmed,
/// what it tightens holds at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyInForce {
    /// What a person made or confirmed.
    pub confirmed: Policy,
    /// What the file holds now, if it is something else.
    pub unconfirmed: Option<Policy>,
}

/// What a change of the policy does, for the person who confirms it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyDifference {
    /// Rules that the new policy has and the old has not.
    pub added: Vec<RuleText>,
    /// Rules that the old policy has and the new has not.
    pub removed: Vec<RuleText>,
    /// Rules that both have, at another place among their neighbours.
    pub moved: Vec<RuleText>,
    /// Settings with another value.
    pub settings: Vec<SettingChange>,
    /// Something may pass now that did not pass before.
    pub loosens: bool,
}

/// A setting with another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingChange {
    /// Its key in the file, as `risk.write`.
    pub key: String,
    /// Its old value; empty when it had none.
    pub old: String,
    /// Its new value; empty when it has none.
    pub new: String,
}

impl From<Policy> for PolicyInForce {
    fn from(confirmed: Policy) -> Self {
        Self { confirmed, unconfirmed: None }
    }
}

impl From<Policy> for Arc<PolicyInForce> {
    fn from(confirmed: Policy) -> Self {
        Self::new(confirmed.into())
    }
}

impl PolicyInForce {
    /// What is decided about `request` at the time `now`. A decision point that nobody has confirmed is asked nothing,
    /// so that under it a person decides.
    #[must_use]
    pub fn decide(&self, request: &Request, now: Timestamp) -> PolicyDecision {
        let policies = std::iter::once(&self.confirmed).chain(&self.unconfirmed);
        policies.fold(self.decide_alone(request, now), |decision, policy| {
            decision.tightened_by(policy.authzen.as_ref(), request)
        })
    }

    /// The same by its rules alone, without an external decision point.
    #[must_use]
    pub fn decide_alone(&self, request: &Request, now: Timestamp) -> PolicyDecision {
        let confirmed = self.confirmed.decide(request, now);
        match &self.unconfirmed {
            None => confirmed,
            Some(policy) => confirmed.stricter(policy.decide(request, now)),
        }
    }

    /// Whether a rule expires between the times `one` and `other`, so that it applies at one of them only.
    pub(super) fn expires_between(&self, one: Timestamp, other: Timestamp) -> bool {
        let policies = std::iter::once(&self.confirmed).chain(&self.unconfirmed);
        let tables = policies
            .flat_map(|policy| std::iter::once(&policy.rules).chain(policy.agents.values().map(|table| &table.rules)));
        tables.flat_map(RuleSet::iter).any(|rule| rule.expires_between(one, other))
    }

    /// Seconds that a person has for `request`: as the confirmed policy says.
    #[must_use]
    pub fn timeout_seconds_for(&self, request: &Request) -> u32 {
        self.confirmed.timeout_seconds_for(request)
    }

    /// The policy that the file holds.
    #[must_use]
    pub fn written(&self) -> &Policy {
        self.unconfirmed.as_ref().unwrap_or(&self.confirmed)
    }
}
