//! Requests, grants and sessions end.

use std::collections::VecDeque;

use jiff::Timestamp;

use super::{Acknowledgement, Effect, Gate, LastingEffect, Record, Refusal, SessionState, add};
use crate::Outcome;
use crate::lifecycle::{Asked, Departure, End, Refused};
use handraise_policy::{Grant, GrantId, RequestId, SessionKey};

impl Gate {
    /// Ends whatever is due by `now`.
    pub(super) fn expire(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        self.requests.expire(now, effects);
        self.expire_uncollected(now);
        self.expire_grants(now, effects);
        self.expire_pause(now, effects);
    }

    /// Ends an open request that somebody or something has decided.
    pub(super) fn finish(
        &mut self,
        id: RequestId,
        outcome: Outcome,
        approver: Option<String>,
        effects: &mut Vec<Effect>,
    ) {
        self.requests.finish(id, outcome, approver, effects);
        self.leave_to_collect(id);
    }

    pub(super) fn cancel(
        &mut self,
        id: RequestId,
        requester: &str,
        reason: String,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        let cancelled = self.requests.cancel(id, requester, &End::Cancelled(reason), now, effects);
        cancelled.map_err(|refused| self.refusal(refused, id))?;
        Ok(Acknowledgement::Done)
    }

    pub(super) fn hang_up(
        &mut self,
        id: RequestId,
        departure: Departure,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        self.requests.hang_up(id, departure, now, effects).map_err(|refused| self.refusal(refused, id))?;
        Ok(Acknowledgement::Done)
    }

    pub(super) fn end_session(
        &mut self,
        key: &SessionKey,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        self.requests.end_session(key, now, effects);
        self.forget_answers(key, |_| true);
        self.revoke_where(|grant| grant.session == *key, "the session ended", effects);
        if self.sessions.remove(key).is_some() {
            effects.push(Effect::Record(Record::SessionEnded(key.clone())));
        }
        Ok(Acknowledgement::Done)
    }

    pub(super) fn revoke(&mut self, id: GrantId, effects: &mut Vec<Effect>) -> Result<Acknowledgement, Refusal> {
        if !self.grants.iter().any(|grant| grant.id == id) {
            return Err(Refusal::UnknownGrant);
        }
        self.revoke_where(|grant| grant.id == id, "revoked by a person", effects);
        Ok(Acknowledgement::Done)
    }

    pub(super) fn restore_grants(&mut self, grants: Vec<(Grant, Timestamp)>) -> Result<Acknowledgement, Refusal> {
        for (grant, last_call) in grants {
            self.sessions.entry(grant.session.clone()).or_insert_with(|| SessionState {
                first_call: grant.created_at,
                last_call,
                calls: 0,
                project: None,
                walled_in: VecDeque::new(),
            });
            self.grants.push(grant);
        }
        Ok(Acknowledgement::Done)
    }

    pub(super) fn shut_down(&mut self, now: Timestamp, effects: &mut Vec<Effect>) -> Result<Acknowledgement, Refusal> {
        self.requests.close(now, effects);
        Ok(Acknowledgement::Done)
    }

    /// Nothing of `effects` could be recorded: approvals are denials, what was being asked is over, and whatever an
    /// answer made beyond its call is taken back. Nobody was told yet, so nothing of it has ever been.
    ///
    /// Grants that ended stay ended, recorded or not; the store learns of what is in force now.
    pub fn unrecorded(&mut self, effects: &mut Vec<Effect>, now: Timestamp) {
        let voided = self.requests.unrecorded(effects, now);
        self.grants.retain(|grant| !voided.contains(&grant.decided_in));
        self.uncollected.retain(|one| !voided.contains(&one.id));
        for effect in effects.iter() {
            if let Effect::Record(Record::TicketMinted(id, _)) = effect {
                self.take_ticket_back(*id);
            }
        }
        effects.retain(|effect| match effect {
            Effect::Record(record) => matches!(record, Record::GrantRevoked(..)),
            Effect::LastingEffect(LastingEffect::AddRule(..)) => false,
            _ => true,
        });
    }

    /// What to tell the one whose input about the request `id` was not taken.
    pub(super) fn refusal(&self, refused: Refused, id: RequestId) -> Refusal {
        let outcome = || self.requests.entry(id).and_then(|entry| entry.life().outcome.clone());
        match refused {
            Refused::Unknown => Refusal::UnknownRequest,
            Refused::AlreadyOver => {
                outcome().map_or(Refusal::UnknownRequest, |outcome| Refusal::AlreadyOver(Box::new(outcome)))
            }
            Refused::KeyReused => Refusal::KeyReused,
            Refused::TooMany => Refusal::TooManyPending,
            Refused::TooManyInSession => Refusal::TooManyInSession,
            Refused::TooManyBytes => Refusal::TooManyBytes,
            Refused::ShuttingDown => Refusal::ShuttingDown,
        }
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

    pub(super) fn revoke_where(&mut self, ends: impl Fn(&Grant) -> bool, why: &'static str, effects: &mut Vec<Effect>) {
        let (ended, kept) = std::mem::take(&mut self.grants).into_iter().partition(|grant| ends(grant));
        self.grants = kept;
        let ended: Vec<Grant> = ended;
        if ended.is_empty() {
            return;
        }
        effects.extend(ended.into_iter().map(|grant| Effect::Record(Record::GrantRevoked(grant, why))));
        effects.push(Effect::LastingEffect(LastingEffect::GrantsChanged));
    }
}
