//! What the gate wants done, done in order: first the audit log, then the store, then the world.

use std::sync::Arc;

use handraise_gate::{Effect, LastingEffect, Outcome, PersonsDecision, Record};
use handraise_policy::{RequestId, rule_from_approval};
use handraise_protocol::{
    ApprovalRequested, ApprovalResolved, Event, GrantAdded, GrantRevoked, ModeChanged, Notice, PolicyChanged, Problem,
    ProblemCode,
};
use jiff::Timestamp;

use super::State;
use crate::approval_result;
use crate::audit::New;
use crate::prepare::Prepared;
use crate::telemetry::CallSpan;

impl State {
    /// Carries `effects` out. When the log cannot be written, nothing is approved: the waiting agents get
    /// denials, new grants are taken back, and no rule is written.
    pub(super) fn carry_out(
        &mut self,
        mut effects: Vec<Effect>,
        prepared: Option<&Prepared>,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let prepared = asked(&effects).zip(prepared);
        let new = prepared.map(|(id, prepared)| {
            self.results.asked(id, prepared.redactor().clone());
            let (asked, stored, kept) = (prepared.asked(), prepared.stored(), prepared.kept.as_ref());
            New { id, asked, stored, kept }
        });
        let mut failure = None;
        match self.audit.write(&effects, &self.gate, new, &self.redactor, &mut self.results, now) {
            Ok(()) if has_records(&effects) => self.recorded(),
            Ok(()) => {}
            Err(error) => {
                self.gate.unrecorded(&mut effects, now);
                self.results.ended_otherwise(effects.iter().filter_map(ended));
                failure = Some(self.cannot_record(&error));
            }
        }
        if effects.contains(&Effect::LastingEffect(LastingEffect::GrantsChanged)) {
            self.list_grants();
        }
        for effect in effects {
            // The answer is on the disk by now; one that could not be written makes no rule.
            if let Effect::LastingEffect(LastingEffect::AddRule(id, rule)) = effect {
                self.change_policy_by_answer(id, rule.toml);
            } else {
                self.carry_out_one(effect, prepared, now);
            }
        }
        self.results.forget_with(self.gate.ended_count(), |id| self.gate.entry(id).is_some());
        failure.map_or(Ok(()), Err)
    }

    fn carry_out_one(&mut self, effect: Effect, prepared: Option<(RequestId, &Prepared)>, now: Timestamp) {
        match effect {
            Effect::Record(record) => self.announce(&record),
            Effect::Present(id) => {
                let Some(entry) = self.gate.entry(id) else { return };
                let requester = entry.request.requester.clone();
                let prepared = prepared.filter(|(own, _)| *own == id).map(|(_, prepared)| prepared);
                let ready = prepared.and_then(|prepared| prepared.approval(entry)).map(Arc::new);
                let shown = self.shown.entry(id).or_default();
                // It may be shown already, and be another one by now.
                shown.approval = ready;
                shown.runs = prepared.map_or(shown.runs.take(), |prepared| prepared.runs().cloned());
                if let Some(prepared) = prepared {
                    shown.consequences = prepared.consequences().to_vec();
                }
                let Some(approval) = self.shown(id) else { return };
                for surface in &self.surfaces {
                    surface.present(&approval);
                }
                self.events.publish(Some(requester), Event::ApprovalRequested(ApprovalRequested { approval }));
            }
            Effect::Withdraw(id) => {
                // What no person was asked about is on no surface.
                let Some(result) = self.shown_result(id).filter(|_| self.shown.contains_key(&id)) else { return };
                for surface in &self.surfaces {
                    surface.withdraw(id.into(), &result);
                }
            }
            Effect::Resolve(id, outcome) => self.resolve(id, &outcome, now),
            Effect::LastingEffect(_) => {}
        }
    }

    fn resolve(&mut self, id: RequestId, outcome: &Outcome, now: Timestamp) {
        self.shown.remove(&id);
        let Some(entry) = self.gate.entry(id) else { return };
        let requester = entry.request.requester.clone();
        // Who waits is told the very arguments to run; who only listens is told that there are some.
        let shown = self.results.of(entry, &self.redactor);
        if let Some(target) = self.gate.policy().confirmed.opentelemetry.clone() {
            self.telemetry.tell(target, CallSpan::of(entry, &shown));
        }
        if let Some(waiters) = self.waiters.remove(&id)
            && !waiters.tell(&approval_result::result_with(entry, Some(outcome)))
        {
            self.gate.undelivered(id, now);
        }
        self.events
            .publish(Some(requester), Event::ApprovalResolved(ApprovalResolved { id: id.into(), result: shown }));
    }

    fn announce(&mut self, record: &Record) {
        let (owner, event) = match record {
            Record::GrantAdded(grant) => (
                Some(grant.session.requester.clone()),
                Event::GrantAdded(GrantAdded { grant: self.redactor.grant(grant).into() }),
            ),
            Record::GrantRevoked(grant, why) => (
                Some(grant.session.requester.clone()),
                Event::GrantRevoked(GrantRevoked { id: grant.id.into(), reason: (*why).to_owned() }),
            ),
            Record::PolicyChanged => (None, Event::PolicyChanged(PolicyChanged {})),
            Record::ModeChanged(mode, until) => {
                (None, Event::ModeChanged(ModeChanged { mode: (*mode).into(), until: *until }))
            }
            _ => return,
        };
        self.events.publish(owner, event);
    }

    /// Refuses an answer that would stand as a rule with a secret in it, before anything is decided.
    pub(super) fn check_lasting_rule(&self, id: RequestId, decision: &PersonsDecision) -> Result<(), Problem> {
        let Some(entry) = self.gate.entry(id) else { return Ok(()) };
        let draft = rule_from_approval(&entry.request, &entry.evaluation.policy, decision.coverage(), decision.scope);
        let drafted = draft.as_ref().map(|draft| draft.toml.as_str());
        drafted.into_iter().chain(decision.rule.as_deref()).try_for_each(|rule| self.check_rule(id, rule))
    }

    /// Refuses a rule that holds a secret, as it would come of the request `id`: the policy is a file that people keep and
    /// show.
    pub(super) fn check_rule(&self, id: RequestId, rule: &str) -> Result<(), Problem> {
        if self.redactor.knowing_entry(self.gate.entry(id)).text(rule) == rule {
            return Ok(());
        }
        let what = "The rule would hold a secret of this call. Decide it once, or for this session.";
        Err(Problem::new(ProblemCode::InvalidRequest, what))
    }

    /// Puts the grants in force into the list that a person can read. That they are in force is in the audit log.
    pub(crate) fn list_grants(&mut self) {
        const TITLE: &str = "The list of remembered answers cannot be written";
        let failure =
            self.grant_list.save(&self.grants().into_iter().map(Into::into).collect::<Vec<_>>()).err().map(|error| {
                tracing::error!(%error, "the list of grants cannot be written");
                format!(
                    "{error}. What is remembered since holds until Handraise ends, and may be asked about again then."
                )
            });
        self.set_notice(TITLE, failure);
    }

    /// Puts a notice in the place of the one with the same title, or takes that away.
    pub(crate) fn set_notice(&mut self, title: &str, detail: Option<String>) {
        self.notices.retain(|notice| notice.title != title);
        self.notices.extend(detail.map(|detail| Notice { title: title.to_owned(), detail }));
    }

    /// Adds a notice unless it is there already.
    pub(crate) fn notice(&mut self, title: &str, detail: &str) {
        if !self.notices.iter().any(|notice| notice.title == title) {
            self.notices.push(Notice { title: title.to_owned(), detail: detail.to_owned() });
        }
    }
}

/// The request that whoever waits is told the end of.
fn ended(effect: &Effect) -> Option<RequestId> {
    if let Effect::Resolve(id, _) = effect { Some(*id) } else { None }
}

/// The request that has just come in, if one has.
fn asked(effects: &[Effect]) -> Option<RequestId> {
    effects.iter().find_map(|effect| match effect {
        Effect::Record(Record::Requested(id)) => Some(*id),
        _ => None,
    })
}

fn has_records(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::Record(_)))
}
