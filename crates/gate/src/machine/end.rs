//! Requests, grants and sessions end.

use jiff::Timestamp;

use super::submit::base_outcome;
use super::{Answer, Attendance, Effect, Entry, Gate, Gone, Record, Refusal, SessionState, add, hook};
use crate::{DecidedBy, Grant, GrantId, Outcome, RequestId, SessionKey, Status};

impl Gate {
    /// Ends whatever is due by `now`.
    pub(super) fn expire(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let due: Vec<(RequestId, Outcome)> = self
            .pending()
            .filter(|entry| entry.due() <= now)
            .map(|entry| (entry.request.id, due_outcome(entry, now)))
            .collect();
        for (id, outcome) in due {
            self.finish(id, outcome, None, effects);
        }
        self.expire_grants(now, effects);
        self.tickets.retain(|ticket| now < ticket.expires_at);
        while let Some((ended, id)) = self.finished.front().copied() {
            let old = add(ended, self.limits.finished_for) <= now;
            if !old && !self.is_finished_full() {
                break;
            }
            self.finished.pop_front();
            self.forget(id);
        }
    }

    /// Ends an open request, on every surface and for everyone who waits.
    pub(super) fn finish(
        &mut self,
        id: RequestId,
        outcome: Outcome,
        approver: Option<String>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(entry) = self.entries.get_mut(&id).filter(|entry| entry.outcome.is_none()) else {
            return;
        };
        self.open.remove(&id);
        self.just_ended.push(id);
        // Who waits has it with this reaction.
        entry.handed_out = entry.attendance == Attendance::Waits;
        entry.outcome = Some(outcome.clone());
        entry.second_question = hook::answered(entry, &outcome, self.limits.second_question);
        self.finished.push_back((outcome.decided_at, id));
        effects.push(Effect::Record(Record::Decided(id, outcome.clone(), approver)));
        effects.push(Effect::Withdraw(id));
        effects.push(Effect::Resolve(id, outcome));
    }

    pub(super) fn cancel(
        &mut self,
        id: RequestId,
        requester: &str,
        reason: String,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Answer, Refusal> {
        let own = self.entries.get(&id).filter(|entry| entry.request.requester == requester);
        let entry = own.ok_or(Refusal::UnknownRequest)?;
        if let Some(outcome) = &entry.outcome {
            return Err(Refusal::AlreadyOver(Box::new(outcome.clone())));
        }
        let outcome = cancelled(entry, reason, now);
        self.finish(id, outcome, None, effects);
        Ok(Answer::Done)
    }

    pub(super) fn hang_up(
        &mut self,
        id: RequestId,
        gone: Gone,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Answer, Refusal> {
        let entry = self.entries.get_mut(&id).ok_or(Refusal::UnknownRequest)?;
        if entry.outcome.is_some() || entry.attendance == Attendance::ComesBack {
            return Ok(Answer::Done);
        }
        // What is gone already has been gone for longer.
        if matches!(entry.attendance, Attendance::Gone { .. }) {
            return Ok(Answer::Done);
        }
        if entry.request.idempotency_key.is_some() {
            entry.attendance = Attendance::Gone { since: now, until: add(now, self.limits.reconnect) };
            return Ok(Answer::Done);
        }
        let why = match gone {
            Gone::Connection => GONE,
            Gone::Process => ENDED,
        };
        let outcome = cancelled(entry, why.to_owned(), now);
        self.finish(id, outcome, None, effects);
        Ok(Answer::Done)
    }

    pub(super) fn end_session(
        &mut self,
        key: &SessionKey,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Answer, Refusal> {
        let open: Vec<(RequestId, Outcome)> = self
            .pending()
            .filter(|entry| entry.request.session.as_ref() == Some(key))
            .map(|entry| (entry.request.id, cancelled(entry, "The session has ended.".to_owned(), now)))
            .collect();
        for (id, outcome) in open {
            self.finish(id, outcome, None, effects);
        }
        self.forget_answers(key, |_| true);
        self.revoke_where(|grant| grant.session == *key, "the session ended", effects);
        if self.sessions.remove(key).is_some() {
            effects.push(Effect::Record(Record::SessionEnded(key.clone())));
        }
        Ok(Answer::Done)
    }

    pub(super) fn revoke(&mut self, id: GrantId, effects: &mut Vec<Effect>) -> Result<Answer, Refusal> {
        if !self.grants.iter().any(|grant| grant.id == id) {
            return Err(Refusal::UnknownGrant);
        }
        self.revoke_where(|grant| grant.id == id, "revoked by a person", effects);
        Ok(Answer::Done)
    }

    pub(super) fn restore_grants(&mut self, grants: Vec<(Grant, Timestamp)>) -> Result<Answer, Refusal> {
        for (grant, last_call) in grants {
            self.sessions.entry(grant.session.clone()).or_insert_with(|| SessionState {
                first_call: grant.created_at,
                last_call,
                calls: 0,
            });
            self.grants.push(grant);
        }
        Ok(Answer::Done)
    }

    pub(super) fn shut_down(&mut self, now: Timestamp, effects: &mut Vec<Effect>) -> Result<Answer, Refusal> {
        self.shutting_down = true;
        let open: Vec<(RequestId, Outcome)> = self
            .pending()
            .map(|entry| {
                let outcome = Outcome {
                    decided_by: DecidedBy::Shutdown,
                    reason: "Handraise was closed before a person answered.".to_owned(),
                    ..base_outcome(entry, now)
                };
                (entry.request.id, outcome)
            })
            .collect();
        for (id, outcome) in open {
            self.finish(id, outcome, None, effects);
        }
        Ok(Answer::Done)
    }

    fn expire_grants(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        let idle = self.limits.session_idle;
        self.revoke_where(|grant| grant.expires_at.is_some_and(|end| end <= now), "its time was up", effects);
        let over: Vec<SessionKey> = self
            .sessions
            .iter()
            .filter(|(_, session)| add(session.last_call, idle) <= now)
            .map(|(key, _)| key.clone())
            .collect();
        for key in &over {
            self.revoke_where(|grant| grant.session == *key, "the session was idle", effects);
            let waiting = self.pending().any(|entry| entry.request.session.as_ref() == Some(key));
            if !waiting {
                self.sessions.remove(key);
            }
        }
    }

    fn revoke_where(&mut self, ends: impl Fn(&Grant) -> bool, why: &'static str, effects: &mut Vec<Effect>) {
        let (ended, kept) = std::mem::take(&mut self.grants).into_iter().partition(|grant| ends(grant));
        self.grants = kept;
        let ended: Vec<Grant> = ended;
        if ended.is_empty() {
            return;
        }
        effects.extend(ended.into_iter().map(|grant| Effect::Record(Record::GrantRevoked(grant, why))));
        effects.push(Effect::GrantsChanged);
    }

    fn forget(&mut self, id: RequestId) {
        let Some(entry) = self.entries.remove(&id) else { return };
        // What has just ended is not counted yet.
        if !entry.is_whole {
            self.finished_bytes = self.finished_bytes.saturating_sub(entry.size);
        }
        if let Some(key) = entry.request.idempotency_key {
            let key = (entry.request.requester, key);
            // The key may stand for a later request by now.
            if self.keys.get(&key) == Some(&id) {
                self.keys.remove(&key);
            }
        }
    }
}

const ENDED: &str = "The agent, or the program that asked for it, has ended.";
const GONE: &str = "The requester went away before a person answered.";

pub(super) fn cancelled(entry: &Entry, reason: String, now: Timestamp) -> Outcome {
    Outcome { status: Status::Cancelled, decided_by: DecidedBy::Requester, reason, ..base_outcome(entry, now) }
}

fn due_outcome(entry: &Entry, now: Timestamp) -> Outcome {
    if entry.expires_at <= now {
        return Outcome {
            status: Status::Timeout,
            decided_by: DecidedBy::Timeout,
            reason: "No person answered in time. This is not a refusal: nobody has looked at it yet.".to_owned(),
            ..base_outcome(entry, now)
        };
    }
    cancelled(entry, GONE.to_owned(), now)
}
