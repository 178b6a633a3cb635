//! The rules of one table, in order, found without looking at each.

mod index;
mod path_index;
mod program_index;

use std::sync::Arc;

use index::Index;

use super::situation::Situation;
use crate::rules::action::Action;
use crate::rules::rule::Rule;

/// The rules of one table in the order of the file; the last match wins.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<Arc<Rule>>,
    index: Index,
    depends_on_agent: bool,
    holds_tasks: bool,
    confines: bool,
}

impl RuleSet {
    /// The rules, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Arc<Rule>> {
        self.rules.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// These rules, and behind them `later`.
    pub(super) fn followed_by(&self, later: Self) -> Self {
        if self.is_empty() {
            return later;
        }
        self.iter().chain(later.iter()).map(|rule| Rule::clone(rule)).collect()
    }

    /// A rule has a condition on the agent's name.
    pub(super) fn depends_on_agent(&self) -> bool {
        self.depends_on_agent
    }

    /// A rule holds what tasks run.
    pub(super) fn holds_tasks(&self) -> bool {
        self.holds_tasks
    }

    /// A rule puts walls up.
    pub(super) fn confines(&self) -> bool {
        self.confines
    }

    /// Every rule that may apply, in order; one that is not among them does not.
    pub(super) fn candidates(&self, situation: &Situation<'_>) -> Vec<&Arc<Rule>> {
        let positions = self.index.candidates(situation);
        positions.into_iter().filter_map(|position| self.rules.get(position)).collect()
    }

    /// The same rules, each of them looked at every time.
    #[cfg(test)]
    pub(super) fn without_index(&self) -> Self {
        Self { index: Index::everything(self.rules.len()), ..self.clone() }
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        let rules: Vec<Arc<Rule>> = rules.into_iter().map(Arc::new).collect();
        let index = Index::of(&rules);
        let depends_on_agent = rules.iter().any(|rule| !rule.conditions.agents.is_empty());
        let holds_tasks = rules.iter().any(|rule| rule.holds_tasks());
        let confines = rules.iter().any(|rule| rule.action == Action::Confine);
        Self { rules, index, depends_on_agent, holds_tasks, confines }
    }
}

impl PartialEq for RuleSet {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
    }
}

impl<'a> IntoIterator for &'a RuleSet {
    type Item = &'a Arc<Rule>;
    type IntoIter = std::slice::Iter<'a, Arc<Rule>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
