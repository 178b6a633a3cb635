//! What a rule would have done to calls of the past.

use std::sync::Arc;

use handraise_gate::Entry;
use handraise_policy::Policy;
use handraise_policy::rules::{Diagnostic, Protections, Rule};
use handraise_protocol::{Action, DecidedBy, Preview, PreviewCall, PreviewRequest, Problem, ProblemCode, Status};

use jiff::Timestamp;

use super::Engine;
use super::history::PastCalls;
use super::policy_problem::invalid;
use crate::approval_result;
use crate::policy_file::{PolicyEdit, PolicyText, edited};
use crate::prepare::{Files, Known, LoggedCall};
use crate::redacted::{RedactedEntry, RequestRedactor};
use crate::view;

/// Calls that are looked at unless somebody asks for more or less.
pub(super) const USUAL_CALLS: u32 = 500;
/// Calls that can be looked at.
const MAX_CALLS: u32 = 5_000;
/// Calls that are named one by one.
const NAMED: usize = 20;

/// A policy with rules that are to be tried.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) policy: Policy,
    added: Vec<Arc<Rule>>,
}

impl Engine {
    /// What a rule would have done to calls of the past, with files as they are now. Changes nothing.
    ///
    /// # Errors
    /// When the rule cannot be used, or the audit log cannot be read.
    pub async fn preview_rule(&self, request: PreviewRequest) -> Result<Preview, Problem> {
        let wanted = checked_calls(request.calls)?;
        let confirmed =
            self.call(|state| (state.policy.confirmed().clone(), state.policy.protections().clone())).await?;
        // Reading a text takes a while: not while the engine answers.
        let read = |_: &_, (confirmed, rule): &((PolicyText, Protections), String), _: Files<'_>| {
            Candidate::new(&confirmed.0, &confirmed.1, rule)
        };
        let policy = self.preparer.one("", (confirmed, request.rule), &mut None, read).await??;
        let mut preview = Preview::default();
        let work = move |call: &LoggedCall<'_>, known: &Known| policy.try_on(&call.entry, &known.redactor, call.now());
        self.each_past(wanted, work, |tried| {
            preview.calls += 1;
            tried.flatten().into_iter().for_each(|tried| tried.count_in(&mut preview));
        })
        .await?;
        Ok(preview)
    }

    /// Does `work` with each of the last `wanted` calls, the latest first, and hands on what comes of it; `None` for one
    /// that this version cannot read.
    pub(super) async fn each_past<Done: Send + 'static>(
        &self,
        wanted: u32,
        work: impl Fn(&LoggedCall<'_>, &Known) -> Done + Clone + Send + Sync + 'static,
        mut take: impl FnMut(Option<Done>),
    ) -> Result<(), Problem> {
        let mut past = PastCalls::latest(wanted);
        while let Some(calls) = past.next(self).await? {
            let work = work.clone();
            let done = self.preparer.past(calls, move |call, known| work(&call, known)).await?;
            done.into_iter().for_each(&mut take);
        }
        Ok(())
    }
}

impl Candidate {
    /// The `confirmed` policy with `rule` behind the others.
    pub(super) fn new(confirmed: &PolicyText, protections: &Protections, rule: &str) -> Result<Self, Problem> {
        // Read alone first, so that what is wrong has its place in the rule and not in the whole file.
        let head = "version = 1\n";
        PolicyText::read(format!("{head}{rule}"))
            .map_err(|refused| invalid(refused.diagnostics.into_iter().map(|d| moved_up(d, head.len())).collect()))?;
        let text = edited(&confirmed.text, &PolicyEdit::Rules(rule.to_owned()))
            .map_err(|error| Problem::new(ProblemCode::InvalidRequest, error.to_string()))?;
        let text = PolicyText::read(text).map_err(|refused| invalid(refused.diagnostics))?;
        let before = confirmed.policy.rules.len();
        let added = text.policy.rules.iter().skip(before).cloned().collect();
        Ok(Self { policy: Policy { protections: protections.clone(), ..text.policy }, added })
    }

    /// `None`: the new rules say nothing about it.
    pub(super) fn try_on(&self, entry: &Entry, redactor: &RequestRedactor, now: Timestamp) -> Option<Tried> {
        let decision = self.policy.decide(&entry.request, now);
        let mut deciding = decision.rule.iter().chain(decision.parts.iter().flat_map(|part| &part.rule));
        if !deciding.any(|rule| self.added.contains(rule)) {
            return None;
        }
        Some(Tried::new(entry, redactor, decision.action.into()))
    }
}

/// What a rule would have done to one call.
pub(super) struct Tried {
    pub(super) call: PreviewCall,
    by_person: bool,
}

impl Tried {
    /// The call of `entry`, about which a policy says `action`.
    pub(super) fn new(entry: &Entry, redactor: &RequestRedactor, action: Action) -> Self {
        let redacted = RedactedEntry::of(entry, redactor);
        let result = approval_result::result(redacted.entry());
        let call = PreviewCall {
            id: result.id,
            title: view::title(&redacted),
            action,
            status: result.status,
            decided_by: result.decided_by,
            requested_at: result.requested_at,
        };
        Self { call, by_person: result.decided_by == Some(DecidedBy::Person) }
    }

    pub(super) fn count_in(self, preview: &mut Preview) {
        let Self { call, by_person } = self;
        preview.matched += 1;
        match call.action {
            Action::Allow => preview.would_allow += 1,
            Action::Confine => preview.would_confine += 1,
            Action::Ask => preview.would_ask += 1,
            Action::Deny => preview.would_deny += 1,
        }
        match (by_person, call.status) {
            (true, Status::Approved) => preview.approved_by_person += 1,
            (true, Status::Denied) => {
                preview.denied_by_person_count += 1;
                if call.action == Action::Allow && preview.denied_by_person.len() < NAMED {
                    preview.denied_by_person.push(call.clone());
                }
            }
            _ => {}
        }
        if preview.examples.len() < NAMED {
            preview.examples.push(call);
        }
    }
}

/// How many calls of the past to look at.
pub(super) fn checked_calls(calls: Option<u32>) -> Result<u32, Problem> {
    let calls = calls.unwrap_or(USUAL_CALLS);
    if (1..=MAX_CALLS).contains(&calls) {
        return Ok(calls);
    }
    Err(Problem::new(ProblemCode::InvalidRequest, format!("`calls` is between 1 and {MAX_CALLS}.")))
}

/// A place in a text that stood one line, or `bytes`, further down.
fn moved_up(diagnostic: Diagnostic, bytes: usize) -> Diagnostic {
    Diagnostic {
        line: diagnostic.line.saturating_sub(1).max(1),
        span: diagnostic.span.start.saturating_sub(bytes)..diagnostic.span.end.saturating_sub(bytes),
        ..diagnostic
    }
}
