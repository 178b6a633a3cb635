//! A person's approval is handed out once: to whoever waits for it, or to whoever comes back for it in time. What the
//! policy or a grant approves is judged anew each time.
//!
//! Two ways lead back to an approval that nobody waited for: the same call under its idempotency key, and
//! redeeming it by its id. Both use it up.

use jiff::Timestamp;

use super::{Answer, Attendance, Effect, Entry, Gate, Record, Refusal, add};
use crate::display::line;
use crate::{Action, DecidedBy, Outcome, Request, RequestId, Status};

impl Gate {
    /// A retry of a request that is known by its idempotency key is that request. `None`: it is to be taken
    /// anew, as one without a key.
    pub(super) fn join(
        &mut self,
        request: &Request,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Option<Answer>, Refusal> {
        let Some(entry) = self.keyed(request) else { return Ok(None) };
        if !entry.request.is_same_call(request) {
            return Err(Refusal::KeyReused);
        }
        let id = entry.request.id;
        match &entry.outcome {
            None => {
                if let Some(entry) = self.entries.get_mut(&id) {
                    entry.attendance = Attendance::Waits;
                }
            }
            Some(outcome) if outcome.status == Status::Approved => {
                if self.is_collectable(entry, now) {
                    check_files(entry, request)?;
                    self.hand_out(id, effects);
                } else if outcome.decided_by == DecidedBy::Person {
                    return Err(Refusal::NotRedeemable);
                } else {
                    // No person is spared a question by it, so nothing is: policy and grants answer again.
                    return Ok(None);
                }
            }
            Some(_) => {}
        }
        Ok(Some(Answer::Joined(id)))
    }

    /// Whether [`Gate::join`] would take `request` for one that is known, or refuse it.
    pub(super) fn would_join(&self, request: &Request, now: Timestamp) -> Result<bool, Refusal> {
        let Some(entry) = self.keyed(request) else { return Ok(false) };
        if !entry.request.is_same_call(request) {
            return Err(Refusal::KeyReused);
        }
        match &entry.outcome {
            Some(outcome) if outcome.status == Status::Approved && !self.is_collectable(entry, now) => {
                match outcome.decided_by {
                    DecidedBy::Person => Err(Refusal::NotRedeemable),
                    _ => Ok(false),
                }
            }
            _ => Ok(true),
        }
    }

    /// Whether the idempotency key of `request` is known.
    #[must_use]
    pub fn knows_key(&self, request: &Request) -> bool {
        self.keyed(request).is_some()
    }

    /// The request that is known by the idempotency key of `request`.
    fn keyed(&self, request: &Request) -> Option<&Entry> {
        let key = request.idempotency_key.as_ref()?;
        self.entries.get(self.keys.get(&(request.requester.clone(), key.clone()))?)
    }

    pub(super) fn redeem(
        &mut self,
        request: &Request,
        id: RequestId,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Answer, Refusal> {
        let entry = self.entries.get(&id).ok_or(Refusal::UnknownRequest)?;
        if entry.request.requester != request.requester {
            return Err(Refusal::UnknownRequest);
        }
        if entry.redeemed || !entry.request.is_same_call(request) {
            return Err(Refusal::NotRedeemable);
        }
        if self.is_collectable(entry, now) {
            check_files(entry, request)?;
        } else {
            let by = entry.outcome.as_ref().filter(|outcome| outcome.status == Status::Approved);
            let is_automatic =
                by.is_some_and(|outcome| matches!(outcome.decided_by, DecidedBy::Policy | DecidedBy::Grant));
            // As for a call that is sent again: policy and grants answer again.
            if !is_automatic || self.evaluate(request, now).action != Action::Allow {
                return Err(Refusal::NotRedeemable);
            }
        }
        self.hand_out(id, effects);
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.redeemed = true;
        }
        Ok(Answer::Done)
    }

    pub(super) fn keep(&mut self, id: RequestId) -> Result<Answer, Refusal> {
        let entry = self.entries.get_mut(&id).ok_or(Refusal::UnknownRequest)?;
        if !entry.handed_out {
            entry.attendance = Attendance::ComesBack;
        }
        Ok(Answer::Done)
    }

    /// Nobody who waited for the end of this request took it: they had just gone away.
    pub fn undelivered(&mut self, id: RequestId, now: Timestamp) {
        let is_untaken = |entry: &&mut Entry| entry.attendance == Attendance::Waits && !entry.redeemed;
        let Some(entry) = self.entries.get_mut(&id).filter(is_untaken) else { return };
        entry.handed_out = false;
        entry.attendance = Attendance::Gone { since: now, until: now };
    }

    /// Turns approvals that could not be recorded into denials, ends what could not be recorded as asked, and takes
    /// back the grants that these ends made: before anybody was told, so nothing of it has ever been.
    pub fn void(&mut self, ids: &[RequestId], now: Timestamp) {
        for id in ids {
            let Some(entry) = self.entries.get_mut(id) else { continue };
            let is_approved = entry.outcome.as_ref().is_some_and(|outcome| outcome.status == Status::Approved);
            if entry.outcome.is_some() && !is_approved {
                continue;
            }
            let voided = Outcome { reason: UNRECORDED.to_owned(), ..super::submit::base_outcome(entry, now) };
            if entry.outcome.replace(voided).is_none() {
                self.open.remove(id);
                self.finished.push_back((now, *id));
                self.just_ended.push(*id);
            }
            entry.second_question = None;
            self.grants.retain(|grant| grant.decided_in != *id);
        }
    }

    fn hand_out(&mut self, id: RequestId, effects: &mut Vec<Effect>) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.handed_out = true;
            effects.push(Effect::Record(Record::Redeemed(id)));
        }
    }

    /// Whether an approval is there that nobody has had, and that is not too old. One that its requester comes back
    /// for by its id can be used as long as it is known here ([`super::Limits::finished_for`]).
    fn is_collectable(&self, entry: &Entry, now: Timestamp) -> bool {
        let is_approved = entry.outcome.as_ref().is_some_and(|outcome| outcome.status == Status::Approved);
        let is_in_time = match entry.attendance {
            Attendance::Waits => false,
            Attendance::Gone { since, .. } => now < add(since, self.limits.uncollected),
            Attendance::ComesBack => true,
        };
        is_approved && !entry.handed_out && is_in_time
    }
}

/// What a person has approved is the files as they were shown, too.
fn check_files(entry: &Entry, request: &Request) -> Result<(), Refusal> {
    match (entry.request.scripts.first_change(&request.scripts), &request.unseen) {
        (_, Some(why)) if entry.request.is_less_seen(request) => Err(Refusal::Unseen(line(why, 200))),
        (Some(file), _) => Err(Refusal::FileChanged(line(file, 200))),
        (None, _) => Ok(()),
    }
}

const UNRECORDED: &str = "Handraise cannot write its audit log, so nothing is approved.";
