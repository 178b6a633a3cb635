//! Rules that a person has made for a task, and that runs something else now.

use std::sync::Arc;

use super::situation::{Situation, Target};
use crate::Request;
use crate::project_task::{ChangedTask, changed_tasks, unlike_pins};
use crate::rules::applies::{Applies, Miss};
use crate::rules::decision::PolicyDecision;
use crate::rules::rule::Rule;

/// The rule among `candidates`, which are in order, that would have decided about `situation` did its task run what the
/// rule holds.
pub(super) fn unheld<'a>(
    candidates: impl DoubleEndedIterator<Item = &'a Arc<Rule>>,
    situation: &Situation<'_>,
) -> Option<&'a Arc<Rule>> {
    let mut told = candidates.rev().map(|rule| (rule, rule.apply(situation)));
    let last = told.find(|(_, applies)| matches!(applies, Applies::Yes | Applies::No(Miss::Task)));
    last.filter(|(_, applies)| *applies != Applies::Yes).map(|(rule, _)| rule)
}

/// Why `rule` does not hold, as one sentence.
pub(super) fn unheld_sentence(rule: &Rule, situation: &Situation<'_>) -> Option<String> {
    let Target::Command(part) = situation.target else { return None };
    Some(format!("The rule {} does not hold: {}.", rule.name(), unlike_pins(situation.call.request, part)))
}

impl PolicyDecision {
    /// The tasks of `request`, which this is about, that run something else than the rules made for them hold.
    #[must_use]
    pub fn changed_tasks(&self, request: &Request) -> Vec<ChangedTask> {
        let rules = self.parts.iter().filter_map(|part| part.unheld.as_deref());
        let pins: Vec<_> = rules.flat_map(|rule| rule.conditions.tasks.clone()).collect();
        changed_tasks(&pins, request)
    }
}
