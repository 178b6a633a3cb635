//! What calls of the past say about rules: which would have spared a question, and what was refused.

use std::collections::{BTreeSet, VecDeque};

use handraise_agents::PastOutcome;
use handraise_display::FindingKind;
use handraise_gate::{Evaluation, Mode};
use handraise_policy::rules::PartDecision;
use handraise_policy::{Action, Breadth, Request, RiskLevel, Scope, ToolClass, choices, written_findings};
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
            PastOutcome::Ok | PastOutcome::Error if is_to_be_learned(&request, &evaluation) => {
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

/// Whether a rule may come of it. What a rule of the person's own asks about they want to be asked about, and neither
/// what destroys nor what reaches credentials or acts later is anything to get used to.
fn is_to_be_learned(request: &Request, evaluation: &Evaluation) -> bool {
    let policy = &evaluation.policy;
    evaluation.action == Action::Ask
        && policy.grantable
        && policy.risk.level != RiskLevel::Destructive
        && policy.protection.is_none()
        && policy.parts.iter().all(|part| part.protection.is_none() && !is_asked_by_a_person(part))
        && written_findings(request, policy.risk.level).iter().all(|(kind, _)| *kind != FindingKind::ActsLater)
}

/// Whether a rule of the person's own asks, and not the preset.
fn is_asked_by_a_person(part: &PartDecision) -> bool {
    let is_of_a_file = || part.rule.as_ref().is_some_and(|rule| rule.shown(None).line.is_some());
    part.action == Action::Ask && is_of_a_file()
}
