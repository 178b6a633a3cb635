//! What calls of the past say about rules: which would have spared a question, and what was refused.

use std::collections::{BTreeSet, VecDeque};

use handraise_agents::PastOutcome;
use handraise_gate::{Evaluation, Mode};
use handraise_policy::{Action, Breadth, Request, Scope, ToolClass, choices, may_be_suggested};
use jiff::Timestamp;

use super::{WrittenPolicy, tables};
use crate::command::policy::shown::Shown;

/// Calls that are kept, the latest: more would take the memory of the machine.
const MAX_CALLS: usize = 50_000;
/// What a rule may cover; of a server's tool and an agent's own, every call of it.
const BREADTHS: [Breadth; 4] = [Breadth::Exact, Breadth::Prefix, Breadth::Folder, Breadth::Tool];

/// Calls of the past, seen by what a policy says about them.
pub(in crate::command::policy) struct Evidence<'a> {
    pub(super) base: &'a WrittenPolicy,
    pub(super) asked: VecDeque<Asked>,
    /// Calls that a person refused, which `base` does not allow.
    pub(super) refused: VecDeque<Request>,
    pub(super) shown: &'a Shown,
}

/// A call that a person was asked about, and that ran.
pub(super) struct Asked {
    pub(super) request: Request,
    /// Each with the rules that would have answered the question together, every rule in a text of its own.
    pub(super) answers: Vec<BTreeSet<String>>,
}

impl<'a> Evidence<'a> {
    /// Nothing yet, about questions that `base` asks.
    pub(in crate::command::policy) fn new(base: &'a WrittenPolicy, shown: &'a Shown) -> Self {
        Self { base, asked: VecDeque::new(), refused: VecDeque::new(), shown }
    }

    /// Learns from a call.
    pub(in crate::command::policy) fn add(&mut self, request: Request, outcome: PastOutcome) {
        let decision = self.base.policy.decide(&request, Timestamp::UNIX_EPOCH);
        let evaluation = Evaluation::by_policy(decision, Mode::Normal, &request);
        match outcome {
            PastOutcome::Rejected if evaluation.action != Action::Allow => keep(&mut self.refused, request),
            PastOutcome::Ok | PastOutcome::Error if may_be_suggested(&request, &evaluation.policy) => {
                let answers = self.answers(&request, &evaluation);
                if !answers.is_empty() {
                    keep(&mut self.asked, Asked { request, answers });
                }
            }
            _ => {}
        }
    }

    /// How many questions there are about calls that ran and that a rule could have answered, and how many refusals.
    pub(in crate::command::policy) fn counts(&self) -> (usize, usize) {
        (self.asked.len(), self.refused.len())
    }

    /// What the prompt would have offered to write.
    fn answers(&self, request: &Request, evaluation: &Evaluation) -> Vec<BTreeSet<String>> {
        let offered = choices(request, &evaluation.policy).into_iter();
        // Every edit, and every page that is fetched, is more than anybody has seen.
        let is_narrow =
            |breadth| breadth != Breadth::Tool || matches!(request.class, ToolClass::Mcp | ToolClass::Other);
        let lasting = offered.filter(|choice| {
            choice.scope == Scope::Always && BREADTHS.contains(&choice.breadth) && is_narrow(choice.breadth)
        });
        let rules = lasting.filter_map(|choice| choice.rule).filter(|rule| !self.shown.hides(rule));
        rules.map(|rules| tables(&rules).collect()).collect()
    }
}

fn keep<T>(calls: &mut VecDeque<T>, call: T) {
    if calls.len() == MAX_CALLS {
        calls.pop_front();
    }
    calls.push_back(call);
}
