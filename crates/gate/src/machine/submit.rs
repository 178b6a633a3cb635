//! A request comes in.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

use super::confined_run::Confined;
use super::{Acknowledgement, Effect, Entry, Evaluation, Gate, Record, Refusal, SessionState, add};
use crate::{DecidedBy, Outcome, Status};
use handraise_policy::rules::Foreseen;
use handraise_policy::{Action, Request, RequestId, Scope, SessionKey};

/// Open requests that a changed policy is asked about in one turn: nobody else waits for longer than that.
const SETTLED_IN_ONE_TURN: usize = 16;

impl Gate {
    pub(super) fn submit(
        &mut self,
        request: Request,
        foreseen: Option<&Foreseen>,
        unless_asked: bool,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        self.requesters.note(&request.processes);
        self.requests.check_open().map_err(|refused| self.refusal(refused, request.id))?;
        if let Some(earlier) = self.earlier(&request, now)? {
            return Ok(self.resume(earlier, effects));
        }
        if let Some(joined) = self.join_first_phase(&request, foreseen, now, effects) {
            return Ok(joined);
        }
        let (evaluation, under) = self.evaluate_foreseen(foreseen, &request, now);
        let asks = automatic(&evaluation, &request).is_none();
        if unless_asked && asks {
            return Ok(Acknowledgement::PersonNeeded);
        }
        let ticket = if asks { self.ticket_for(&request, now) } else { None };
        let id = request.id;
        let timeout = SignedDuration::from_secs(self.policy.timeout_seconds_for(&request).into());
        let entry = Entry { under, ..Entry::new(request, evaluation, now, add(now, timeout)) };
        if asks && ticket.is_none() {
            self.requests.check_room(&entry, &[]).map_err(|refused| self.refusal(refused, id))?;
        }
        self.touch_session(&entry.request, now)?;
        self.forget_failures(&entry.request, entry.evaluation.policy.risk.level);

        self.await_second_phase(&entry.request);
        let evaluation = entry.evaluation.clone();
        self.requests.insert(entry);
        effects.push(Effect::Record(Record::Requested(id)));
        if let Some(timed_out) = ticket {
            self.take_ticket_back(timed_out);
            self.approve_with_ticket(id, now, effects);
        } else if !self.settle_by(&evaluation, id, now, effects) {
            effects.push(Effect::Present(id));
        }
        Ok(Acknowledgement::Accepted(id))
    }

    pub(super) fn restore(&mut self, entry: Entry, effects: &mut Vec<Effect>) -> Result<Acknowledgement, Refusal> {
        let id = entry.request.id;
        self.touch_session(&entry.request, entry.life.asked_at)?;
        self.requests.insert(entry);
        effects.push(Effect::Present(id));
        Ok(Acknowledgement::Accepted(id))
    }

    /// Whether there is no place for the session of `request`.
    pub(super) fn is_full_for(&self, request: &Request) -> bool {
        let is_new = request.session.as_ref().is_some_and(|key| !self.sessions.contains_key(key));
        is_new && self.sessions.len() >= self.limits.sessions && self.longest_idle_session().is_none()
    }

    fn touch_session(&mut self, request: &Request, now: Timestamp) -> Result<(), Refusal> {
        let Some(key) = &request.session else { return Ok(()) };
        if !self.sessions.contains_key(key) && self.sessions.len() >= self.limits.sessions {
            let idle = self.longest_idle_session().ok_or(Refusal::TooManySessions)?;
            self.sessions.remove(&idle);
        }
        let session = self.sessions.entry(key.clone()).or_insert_with(|| SessionState {
            first_call: now,
            last_call: now,
            calls: 0,
            project: None,
            walled_in: VecDeque::new(),
        });
        session.last_call = session.last_call.max(now);
        if request.project.is_some() {
            session.project.clone_from(&request.project);
        }
        session.calls += 1;
        Ok(())
    }

    /// The session that can be forgotten with the least loss: never one with grants or open requests.
    fn longest_idle_session(&self) -> Option<SessionKey> {
        let needed = |key: &SessionKey| {
            self.grants.iter().any(|grant| grant.session == *key)
                || self.pending().any(|entry| entry.request.session.as_ref() == Some(key))
        };
        self.sessions
            .iter()
            .filter(|(key, _)| !needed(key))
            .min_by_key(|(_, session)| session.last_call)
            .map(|(key, _)| key.clone())
    }

    fn approve_with_ticket(&mut self, id: RequestId, now: Timestamp, effects: &mut Vec<Effect>) {
        let Some(entry) = self.entry(id) else { return };
        let outcome = Outcome {
            status: Status::Approved,
            decided_by: DecidedBy::Person,
            scope: Some(Scope::Once),
            reason: "Approved after an earlier identical request had timed out.".to_owned(),
            ..entry.denial(now)
        };
        self.finish(id, outcome, None, effects);
    }

    /// Ends every open request that policy and grants decide by now.
    pub(super) fn settle(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let open: Vec<RequestId> = self.pending().map(|entry| entry.request.id).collect();
        for id in open {
            self.settle_one(id, now, effects);
        }
    }

    /// The same after the policy has changed. A policy takes as long as a call is large, and a thousand calls may wait:
    /// each turn asks it about a few. Until then nobody but the policy decides about a request ([`Gate::settle_first`]).
    pub(super) fn settle_in_turns(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        self.unsettled = self.pending().map(|entry| entry.request.id).collect();
        self.unsettled_since = now;
        self.settle_some(now, effects);
    }

    /// Asks the policy about the next few of them.
    pub(super) fn settle_some(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        for id in self.unsettled.drain(..self.unsettled.len().min(SETTLED_IN_ONE_TURN)).collect::<Vec<_>>() {
            self.settle_one(id, now, effects);
        }
    }

    /// Somebody decides about the request `id`: a changed policy comes first.
    pub(super) fn settle_first(&mut self, id: RequestId, now: Timestamp, effects: &mut Vec<Effect>) {
        if let Some(place) = self.unsettled.iter().position(|unsettled| *unsettled == id) {
            self.unsettled.remove(place);
            self.settle_one(id, now, effects);
        }
    }

    fn settle_one(&mut self, id: RequestId, now: Timestamp, effects: &mut Vec<Effect>) {
        // It may have ended since.
        let Some(entry) = self.entry(id).filter(|entry| entry.life.outcome.is_none()) else { return };
        let (evaluation, _) = self.evaluate_again(entry, now);
        self.settle_by(&evaluation, id, now, effects);
    }

    /// Ends one request by what its evaluation says now, unless a person has to be asked.
    fn settle_by(&mut self, evaluation: &Evaluation, id: RequestId, now: Timestamp, effects: &mut Vec<Effect>) -> bool {
        let Some(entry) = self.entry(id) else { return false };
        let Some((status, reason)) = automatic(evaluation, &entry.request) else { return false };
        let confined = confined(evaluation, &entry.request);
        let outcome = Outcome {
            status,
            decided_by: evaluation.decided_by,
            reason,
            rule: evaluation.policy.rule.as_ref().map(|rule| rule.text().to_owned()),
            ..entry.denial(now)
        };
        let outcome = match confined {
            Some(confined) => confined.of(outcome),
            None => outcome,
        };
        self.finish(id, outcome, None, effects);
        true
    }
}

fn automatic(evaluation: &Evaluation, request: &Request) -> Option<(Status, String)> {
    match evaluation.action {
        Action::Allow => Some((Status::Approved, evaluation.approval_reason())),
        Action::Deny => Some((Status::Denied, evaluation.denial_reason(request))),
        // What cannot be rewritten waits for a person.
        Action::Confine => confined(evaluation, request).map(|_| (Status::Approved, evaluation.approval_reason())),
        Action::Ask => None,
    }
}

/// What runs confined by itself.
fn confined(evaluation: &Evaluation, request: &Request) -> Option<Confined> {
    let walls = evaluation.policy.walls().filter(|_| evaluation.action == Action::Confine)?;
    Confined::new(walls, request)
}
