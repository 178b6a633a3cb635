//! What a policy can say: one action, or one for each risk level.

use crate::RiskLevel;

/// What the policy says about a call. Ordered by strictness, so that the strictest is the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Let it pass without asking.
    Allow,
    /// Let it run at once, inside walls: it writes nowhere but in its project, reads no credentials and reaches no
    /// network ([`crate::Walls`]). Where that cannot be done, a person is asked.
    Confine,
    /// Ask a person.
    Ask,
    /// Refuse without asking.
    Deny,
}

/// The action for each risk level when no rule matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RiskActions {
    /// For [`RiskLevel::ReadOnly`].
    pub read_only: Action,
    /// For [`RiskLevel::Write`].
    pub write: Action,
    /// For [`RiskLevel::Destructive`].
    pub destructive: Action,
}

/// Risk defaults of which some may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartialRiskActions {
    /// For [`RiskLevel::ReadOnly`].
    pub read_only: Option<Action>,
    /// For [`RiskLevel::Write`].
    pub write: Option<Action>,
    /// For [`RiskLevel::Destructive`].
    pub destructive: Option<Action>,
}

impl RiskActions {
    /// The action for `level`.
    #[must_use]
    pub fn get(self, level: RiskLevel) -> Action {
        match level {
            RiskLevel::ReadOnly => self.read_only,
            RiskLevel::Write => self.write,
            RiskLevel::Destructive => self.destructive,
        }
    }
}
