//! What a policy says about a request, found out before the request is taken in.

use std::sync::Arc;

use jiff::Timestamp;

use crate::Request;
use crate::rules::decision::PolicyDecision;
use crate::rules::in_force::PolicyInForce;

/// What a decision was made by.
#[derive(Clone, Debug, PartialEq)]
pub struct DecidedUnder {
    policy: Arc<PolicyInForce>,
    at: Timestamp,
}

/// A decision made ahead, beside the thread that takes requests in.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreseen {
    /// What the policy says.
    pub decision: PolicyDecision,
    /// What it was made by.
    pub under: DecidedUnder,
}

impl DecidedUnder {
    /// By `policy`, at the time `at`.
    #[must_use]
    pub fn new(policy: Arc<PolicyInForce>, at: Timestamp) -> Self {
        Self { policy, at }
    }

    /// Whether `policy` decides the same at the time `now`: it is that very policy, and none of its rules has
    /// expired between, whichever of the two times comes first.
    #[must_use]
    pub fn holds(&self, policy: &Arc<PolicyInForce>, now: Timestamp) -> bool {
        Arc::ptr_eq(&self.policy, policy) && !policy.expires_between(self.at, now)
    }
}

impl Foreseen {
    /// What `policy` says about `request` at the time `now`.
    #[must_use]
    pub fn new(policy: &Arc<PolicyInForce>, request: &Request, now: Timestamp) -> Self {
        Self { decision: policy.decide(request, now), under: DecidedUnder::new(policy.clone(), now) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Policy;
    use crate::rules::parse;

    fn policy(text: &str) -> Arc<PolicyInForce> {
        Arc::new(Policy::clone(&parse(text).unwrap().policy).into())
    }

    #[test]
    fn a_decision_holds_under_its_policy_until_a_rule_expires() {
        let text = "version = 1\n[[rule]]\npattern = \"x\"\nexpires = \"2027-01-31T18:00:00Z\"\naction = \"ask\"\n\
             [agent.codex]\n[[agent.codex.rule]]\npattern = \"y\"\nexpires = \"2027-02-28T18:00:00Z\"\naction = \"deny\"\n";
        let own = policy(text);
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let under = DecidedUnder::new(own.clone(), at("2027-01-01T00:00:00Z"));

        assert!(under.holds(&own, at("2027-01-31T17:59:59Z")));
        assert!(!under.holds(&own, at("2027-01-31T18:00:00Z")), "the first rule is over");
        assert!(!under.holds(&policy(text), at("2027-01-01T00:00:00Z")), "an equal policy is another one");
        let later = DecidedUnder::new(own.clone(), at("2027-02-01T00:00:00Z"));
        assert!(later.holds(&own, at("2027-02-02T00:00:00Z")));
        assert!(!later.holds(&own, at("2027-03-01T00:00:00Z")), "the agent's rule is over");
        assert!(!later.holds(&own, at("2027-01-02T00:00:00Z")), "the clock was set back: a rule applies again");
    }
}
