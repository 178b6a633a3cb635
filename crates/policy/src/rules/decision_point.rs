//! An external decision point that a call is put before as well. It tightens, and nothing else.

use super::action::Action;
use super::decision::PolicyDecision;
use crate::Request;
use crate::facts::{DecisionPointAnswer, DecisionPointResult};

/// Seconds that an external decision point has unless the policy says otherwise.
pub(super) const DEFAULT_SECONDS: u32 = 2;
/// The most seconds that the policy can give it: agents wait meanwhile.
pub(super) const MAX_SECONDS: u32 = 30;

/// The table `[authzen]`: a decision point that speaks the AuthZEN Authorization API 1.0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionPoint {
    /// Its address, without `/access/v1/evaluation` and without a slash at the end.
    pub url: String,
    /// Seconds that it has to answer.
    pub timeout_seconds: u32,
}

impl PolicyDecision {
    /// The same with what `point`, the decision point of the policy, has said about `request`. A denial denies; whatever is no answer
    /// asks a person, whatever was remembered.
    pub(super) fn tightened_by(self, point: Option<&DecisionPoint>, request: &Request) -> Self {
        let Some(point) = point.filter(|_| self.action < Action::Deny) else { return self };
        let own = request.decision_point.as_ref().filter(|asked| asked.url == point.url);
        match own.map(|DecisionPointResult { answer, .. }| answer) {
            Some(DecisionPointAnswer::Permits) => self,
            Some(DecisionPointAnswer::Denies(Some(words))) => {
                self.held(Action::Deny, format!("{} denies it: “{words}”", point.name()))
            }
            Some(DecisionPointAnswer::Denies(None)) => self.held(Action::Deny, format!("{} denies it.", point.name())),
            Some(DecisionPointAnswer::Failed(why)) => {
                self.held(Action::Ask, format!("Only a person lets it pass: {} was asked, and {why}.", point.name()))
            }
            None => self.held(Action::Ask, format!("Only a person lets it pass: {} was not asked.", point.name())),
        }
    }

    fn held(self, action: Action, why: String) -> Self {
        let held =
            Self { action, rule: None, grantable: false, is_held_by_decision_point: true, why: why.clone(), ..self };
        if action == Action::Deny {
            return Self { possible_walls: None, ..held };
        }
        held.without_confined_parts(&why)
    }
}

impl DecisionPoint {
    /// What a person and a model read in its place: "The decision point at `HOST`", also in mid-sentence.
    fn name(&self) -> String {
        let host = self.url.split_once("://").map_or(self.url.as_str(), |(_, rest)| rest);
        format!("the decision point at {}", host.split('/').next().unwrap_or(host))
    }
}
