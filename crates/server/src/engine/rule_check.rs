//! A rule that a person is changing, beside the call that it is about.

use std::sync::Arc;

use handraise_gate::{Entry, PersonsDecision};
use handraise_policy::{Action, RequestId, rule_from_approval};
use handraise_protocol::{PreviewCall, Problem, ProblemCode, RuleCheck, RuleCheckRequest, RuleEffect};

use super::Engine;
use super::preview::{Candidate, Tried, USUAL_CALLS};
use crate::prepare::{Files, Known, LoggedCall};

/// Calls that are named one by one.
const NAMED: usize = 5;

/// One call of the past under both rules.
struct Compared {
    /// Under the changed one, where that says something about it.
    tried: Option<Tried>,
    /// What the changed one makes of it, and the one before the change.
    actions: (Action, Action),
    /// As it is named, where it would still be asked about and is of the same tool.
    asked: Option<PreviewCall>,
}

/// The latest calls of both kinds.
#[derive(Default)]
struct Named {
    /// What only one of both rules lets pass.
    differs: Vec<PreviewCall>,
    /// What both say the same about.
    alike: Vec<PreviewCall>,
}

impl Engine {
    /// Whether a person can approve the open request `id` with this rule, and what it would have done. Changes nothing. At
    /// the decision the same is looked at again.
    ///
    /// # Errors
    /// When there is no such open request, or the audit log cannot be read.
    pub async fn check_rule(&self, id: RequestId, request: RuleCheckRequest) -> Result<RuleCheck, Problem> {
        let RuleCheckRequest { rule, scope, breadth, commands } = request;
        let approve = PersonsDecision::approve().with_scope(scope.into());
        let commands = commands.map(positions);
        let decision =
            PersonsDecision { breadth: breadth.into(), commands, rule: Some(rule.as_str().into()), ..approve };
        let looked = self.call(move |state| {
            let checked = state.gate.check_reach(id, &decision, state.clock.now());
            let checked = checked.map_err(|refusal| state.problem(refusal));
            let checked = checked.and_then(|()| state.check_lasting_rule(id, &decision));
            let entry = state.gate.entry(id).filter(|entry| entry.life.outcome.is_none())?;
            let draft =
                rule_from_approval(&entry.request, &entry.evaluation.policy, decision.coverage(), decision.scope);
            let policy = (state.policy.confirmed().clone(), state.policy.protections().clone());
            Some((checked, draft, entry.request.clone(), policy))
        });
        let gone = || Problem::new(ProblemCode::NotFound, "There is no such open request.");
        let (checked, draft, asked, policy) = looked.await?.ok_or_else(gone)?;
        if let Err(problem) = checked {
            return Ok(RuleCheck { refused: Some(problem.detail), effect: None });
        }
        let read = move |_: &_, drafts: &[String; 2], _: Files<'_>| {
            let read = |rule: &String| Candidate::new(&policy.0, &policy.1, rule);
            let [edited, draft] = drafts;
            Ok::<_, Problem>((read(edited)?, read(draft)?))
        };
        let drafts = [rule, draft.map(|draft| draft.toml).unwrap_or_default()];
        let candidates = Arc::new(self.preparer.one("", drafts, &mut None, read).await??);
        let work = move |call: &LoggedCall<'_>, known: &Known| {
            let (edited, draft) = &*candidates;
            let Entry { request, .. } = &call.entry;
            let by = |candidate: &Candidate| candidate.policy.decide(request, call.now()).action;
            let actions = (by(edited), by(draft));
            let is_same_tool = request.tool == asked.tool && request.server == asked.server;
            let named = || Tried::new(&call.entry, &known.redactor, actions.0.into()).call;
            Compared {
                tried: edited.try_on(&call.entry, &known.redactor, call.now()),
                actions,
                asked: (is_same_tool && actions.0 == Action::Ask).then(named),
            }
        };
        let mut effect = RuleEffect::default();
        let (mut passes, mut asked) = (Named::default(), Named::default());
        let take = |compared: Option<Compared>| {
            effect.preview.calls += 1;
            if let Some(compared) = compared {
                compared.count_in(&mut effect, &mut passes, &mut asked);
            }
        };
        self.each_past(USUAL_CALLS, work, take).await?;
        (effect.passes, effect.asked) = (passes.named(), asked.named());
        Ok(RuleCheck { refused: None, effect: Some(effect) })
    }
}

/// Positions as the gate counts them.
pub(super) fn positions(commands: Vec<u32>) -> Vec<usize> {
    commands.into_iter().map(|position| usize::try_from(position).unwrap_or(usize::MAX)).collect()
}

impl Compared {
    fn count_in(self, effect: &mut RuleEffect, passes: &mut Named, asked: &mut Named) {
        let Self { tried, actions: (edited, draft), asked: call } = self;
        let differs = (edited == Action::Allow) != (draft == Action::Allow);
        if differs {
            let side = if edited == Action::Allow { &mut effect.more } else { &mut effect.fewer };
            *side += 1;
        }
        if let Some(tried) = tried {
            if edited == Action::Allow {
                passes.add(tried.call.clone(), differs);
            }
            tried.count_in(&mut effect.preview);
        }
        if let Some(call) = call {
            asked.add(call, differs);
        }
    }
}

impl Named {
    fn add(&mut self, call: PreviewCall, differs: bool) {
        let calls = if differs { &mut self.differs } else { &mut self.alike };
        if calls.len() < NAMED && calls.iter().all(|known| known.title != call.title) {
            calls.push(call);
        }
    }

    fn named(self) -> Vec<PreviewCall> {
        self.differs.into_iter().chain(self.alike).take(NAMED).collect()
    }
}
