//! A call that was asked about before: two ideas, by which six ways lead back to it.
//!
//! *Join*: whoever proves to be the caller of an open request waits for its end. Nobody is asked twice.
//!
//! *Collect*: an answer that a person has given and nobody has had waits for whoever proves to be its caller. It is
//! in [`Gate::uncollected`] until then, or until its time is up, and is taken out of there: no answer is had twice.
//!
//! | way | proof | while it is open | when it is over |
//! | --- | --- | --- | --- |
//! | idempotency key | the key, the same call | joins | collects |
//! | waiting again (`GET`) | the id, the same credential | joins, to know it | is told how it ended |
//! | redeeming | the id, the same call | | collects |
//! | ticket of a late approval | the same call | | collects |
//! | inside its walls | the id, the same credential | | collects ([`super::walls`]) |
//! | second phase of a hook | the call's key ([`super::hook`]) | joins | collects |
//!
//! Whatever is collected was answered about the files as they were shown: they must hold the same. What policy and
//! grants have approved is found anew, since it spares no person a question.

use jiff::Timestamp;

use super::confined_run::ConfinedRun;
use super::{Acknowledgement, Effect, Entry, Gate, Record, Refusal, add};
use crate::lifecycle::Attendance;
use crate::{DecidedBy, Outcome, Status};
use handraise_display::line;
use handraise_policy::{Action, CallKey, Request, RequestId};

/// An answer, or the place of one that is awaited, which somebody may have who does not wait for it now.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Uncollected {
    /// The request that it answers.
    pub(super) id: RequestId,
    /// Who may have it.
    pub(super) collector: Collector,
    /// Until when; `None`: as long as the request is known, or open.
    pub(super) until: Option<Timestamp>,
}

/// Who may have an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Collector {
    /// Whoever asked, by the idempotency key or the id.
    Caller,
    /// The next call that is the same as this one, which had timed out.
    NextCall(Box<Request>),
    /// The second phase of a hook about this call.
    SecondPhase(CallKey),
    /// The program that puts walls up around it.
    Walls(Box<ConfinedRun>),
}

/// What a call has to do with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Earlier {
    /// It waits for the end of that one, or is told it.
    Joins(RequestId),
    /// It has the answer to that one.
    Collects(RequestId),
}

impl Gate {
    /// What `request` is known as by its idempotency key. `None`: it is to be taken anew, as one without a key.
    pub(super) fn earlier(&self, request: &Request, now: Timestamp) -> Result<Option<Earlier>, Refusal> {
        let Some(entry) = self.keyed(request)? else { return Ok(None) };
        let id = entry.request.id;
        let Some(outcome) = entry.life.outcome.as_ref().filter(|outcome| outcome.status == Status::Approved) else {
            return Ok(Some(Earlier::Joins(id)));
        };
        if self.is_left_to_caller(id, now) {
            check_files(entry, request)?;
            return Ok(Some(Earlier::Collects(id)));
        }
        match outcome.decided_by {
            DecidedBy::Person => Err(Refusal::NotRedeemable),
            // No person is spared a question by it, so nothing is: policy and grants answer again.
            _ => Ok(None),
        }
    }

    /// Lets the requester of an earlier call have what is there.
    pub(super) fn resume(&mut self, earlier: Earlier, effects: &mut Vec<Effect>) -> Acknowledgement {
        match earlier {
            Earlier::Joins(id) => {
                self.requests.came_back(id);
                Acknowledgement::Joined(id)
            }
            Earlier::Collects(id) => {
                self.hand_out(id, effects);
                Acknowledgement::Joined(id)
            }
        }
    }

    /// The request that is known by the idempotency key of `request`.
    fn keyed(&self, request: &Request) -> Result<Option<&Entry>, Refusal> {
        let is_same = |entry: &Entry| entry.request.is_same_call(request);
        let known = self.requests.keyed(&request.requester, request.idempotency_key.as_deref(), is_same);
        known.map_err(|refused| self.refusal(refused, request.id))
    }

    pub(super) fn redeem(
        &mut self,
        request: &Request,
        id: RequestId,
        now: Timestamp,
        effects: &mut Vec<Effect>,
    ) -> Result<Acknowledgement, Refusal> {
        let own = self.entry(id).filter(|entry| entry.request.requester == request.requester);
        let entry = own.ok_or(Refusal::UnknownRequest)?;
        if entry.redeemed || !entry.request.is_same_call(request) {
            return Err(Refusal::NotRedeemable);
        }
        if self.is_left_to_caller(id, now) {
            check_files(entry, request)?;
        } else {
            let by = entry.life.outcome.as_ref().filter(|outcome| outcome.status == Status::Approved);
            let is_automatic =
                by.is_some_and(|outcome| matches!(outcome.decided_by, DecidedBy::Policy | DecidedBy::Grant));
            // As for a call that is sent again: policy and grants answer again.
            if !is_automatic || self.evaluate(request, now).action != Action::Allow {
                return Err(Refusal::NotRedeemable);
            }
        }
        self.hand_out(id, effects);
        if let Some(entry) = self.requests.entry_mut(id) {
            entry.redeemed = true;
        }
        Ok(Acknowledgement::Done)
    }

    pub(super) fn keep(&mut self, id: RequestId) -> Result<Acknowledgement, Refusal> {
        self.requests.keep(id).map_err(|refused| self.refusal(refused, id))?;
        // It has ended meanwhile, and its requester comes back by its id.
        let own = self.uncollected.iter_mut().filter(|one| one.id == id && one.collector == Collector::Caller);
        own.for_each(|one| one.until = None);
        Ok(Acknowledgement::Done)
    }

    /// Nobody who waited for the end of this request took it: they had just gone away.
    pub fn undelivered(&mut self, id: RequestId, now: Timestamp) {
        let is_untaken = |entry: &&mut Entry| {
            let life = &entry.life;
            life.attendance == Attendance::Waits && !life.is_open() && !entry.redeemed
        };
        let Some(entry) = self.requests.entry_mut(id).filter(is_untaken) else { return };
        entry.life.attendance = Attendance::Disconnected { since: now, until: now };
        self.leave_to_caller(id);
    }

    /// It has just ended: what becomes of its answer besides being told to whoever waits.
    pub(super) fn leave_to_collect(&mut self, id: RequestId) {
        self.leave_to_second_phase(id);
        self.leave_walls(id);
        self.leave_to_caller(id);
    }

    /// Leaves an approval to its caller, who does not wait. One that its requester comes back for by its id is there
    /// as long as the request is known.
    fn leave_to_caller(&mut self, id: RequestId) {
        let approved = |outcome: &Outcome| outcome.status == Status::Approved;
        let Some(entry) = self.entry(id).filter(|entry| entry.life.outcome.as_ref().is_some_and(approved)) else {
            return;
        };
        let until = match entry.life.attendance {
            Attendance::Waits => return,
            Attendance::Disconnected { since, .. } => Some(add(since, self.limits.uncollected)),
            Attendance::ComesBack => None,
        };
        self.uncollected.push(Uncollected { id, collector: Collector::Caller, until });
    }

    /// A person approves late: leaves the answer to the next call that is the same.
    pub(super) fn leave_ticket(&mut self, id: RequestId, now: Timestamp) {
        self.take_ticket_back(id);
        let Some(timed_out) = self.entry(id).map(|entry| Box::new(entry.request.clone())) else { return };
        let until = Some(add(now, self.limits.ticket));
        self.uncollected.push(Uncollected { id, collector: Collector::NextCall(timed_out), until });
    }

    pub(super) fn take_ticket_back(&mut self, id: RequestId) {
        self.collect(id, |collector| matches!(collector, Collector::NextCall(_)));
    }

    /// The request whose late approval is for `request`.
    pub(super) fn ticket_for(&self, request: &Request, now: Timestamp) -> Option<RequestId> {
        let is_for = |one: &&Uncollected| match &one.collector {
            Collector::NextCall(timed_out) => one.is_there(now) && timed_out.is_same_run(request),
            Collector::Caller | Collector::SecondPhase(_) | Collector::Walls(_) => false,
        };
        self.uncollected.iter().find(is_for).map(|one| one.id)
    }

    /// Takes what is left of the answer to a request to such a collector; whether there was anything.
    pub(super) fn collect(&mut self, id: RequestId, is_meant: impl Fn(&Collector) -> bool) -> bool {
        let before = self.uncollected.len();
        self.uncollected.retain(|one| one.id != id || !is_meant(&one.collector));
        self.uncollected.len() < before
    }

    pub(super) fn expire_uncollected(&mut self, now: Timestamp) {
        let requests = &self.requests;
        self.uncollected.retain(|one| {
            let is_known = || {
                let entry = requests.entry(one.id);
                entry.is_some_and(|entry| entry.life.is_open() || one.collector == Collector::Caller)
            };
            one.is_there(now) && (one.until.is_some() || is_known())
        });
    }

    fn hand_out(&mut self, id: RequestId, effects: &mut Vec<Effect>) {
        self.collect(id, |collector| *collector == Collector::Caller);
        effects.push(Effect::Record(Record::Redeemed(id)));
    }

    /// Whether there is an approval that its caller has not had.
    fn is_left_to_caller(&self, id: RequestId, now: Timestamp) -> bool {
        self.uncollected.iter().any(|one| one.id == id && one.collector == Collector::Caller && one.is_there(now))
    }
}

impl Uncollected {
    /// Its time is not up.
    pub(super) fn is_there(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| now < until)
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
