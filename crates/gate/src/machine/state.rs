//! What the gate remembers.

use std::collections::VecDeque;
use std::sync::Arc;

use jiff::Timestamp;

use super::size::{arguments_size, kept_size};
use super::walls::WalledIn;
use super::{Evaluation, Gate, LastingEffect, Mode, Record};
use crate::lifecycle::{Asked, End, Lifecycle};
use crate::{DecidedBy, Outcome, Status};
use handraise_policy::rules::DecidedUnder;
use handraise_policy::{Grant, PolicyInForce, Request, RequestId, SessionKey};

/// One request, open or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What was asked.
    pub request: Request,
    /// What the policy and the grants said when it was asked.
    pub evaluation: Evaluation,
    /// What [`Evaluation::policy`] was decided by, where that is known.
    pub under: Option<DecidedUnder>,
    /// How it stands.
    pub life: Lifecycle<Outcome>,
    /// It was redeemed by its id, which works once, whoever approved it.
    pub redeemed: bool,
}

/// One session that was heard of.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionState {
    /// Its first call.
    pub first_call: Timestamp,
    /// Its latest call.
    pub last_call: Timestamp,
    /// Number of calls.
    pub calls: u64,
    /// The project folder of its latest call that was made in one.
    pub project: Option<String>,
    /// Calls that their walls have denied something, the latest last.
    pub(super) walled_in: VecDeque<WalledIn>,
}

impl Entry {
    /// A request at the moment when it is asked; open until `expires_at`.
    #[must_use]
    pub fn new(request: Request, evaluation: Evaluation, requested_at: Timestamp, expires_at: Timestamp) -> Self {
        let life = Lifecycle::new(requested_at, expires_at, arguments_size(&request.arguments));
        Self { request, evaluation, under: None, life, redeemed: false }
    }

    /// A denial with everything filled in that does not depend on how the request ends.
    pub(super) fn denial(&self, now: Timestamp) -> Outcome {
        Outcome {
            status: Status::Denied,
            decided_by: DecidedBy::Policy,
            scope: None,
            reason: String::new(),
            rule: self.evaluation.policy.rule.as_ref().map(|rule| rule.text().to_owned()),
            risk: self.evaluation.policy.risk.level,
            arguments: None,
            walls: None,
            arguments_hash: self.request.arguments_hash.clone(),
            decided_at: now,
        }
    }
}

impl Asked for Entry {
    type Id = RequestId;
    type Outcome = Outcome;
    type Record = Record;
    type LastingEffect = LastingEffect;

    fn id(&self) -> RequestId {
        self.request.id
    }

    fn life(&self) -> &Lifecycle<Outcome> {
        &self.life
    }

    fn life_mut(&mut self) -> &mut Lifecycle<Outcome> {
        &mut self.life
    }

    fn requester(&self) -> &str {
        &self.request.requester
    }

    fn session(&self) -> Option<&SessionKey> {
        self.request.session.as_ref()
    }

    fn batch(&self) -> Option<&str> {
        self.request.batch.as_deref()
    }

    fn idempotency_key(&self) -> Option<&str> {
        self.request.idempotency_key.as_deref()
    }

    fn without_answer(&self, end: &End, now: Timestamp) -> Outcome {
        let (status, decided_by) = match end {
            End::TimedOut => (Status::Timeout, DecidedBy::Timeout),
            End::Left(_) | End::Cancelled(_) | End::SessionEnded => (Status::Cancelled, DecidedBy::Requester),
            End::Closed => (Status::Denied, DecidedBy::Shutdown),
            End::Unrecorded => (Status::Denied, DecidedBy::Policy),
        };
        Outcome { status, decided_by, reason: end.reason().to_owned(), ..self.denial(now) }
    }

    fn ended_at(outcome: &Outcome) -> Timestamp {
        outcome.decided_at
    }

    /// A denial stands, recorded or not.
    fn counts_only_recorded(outcome: &Outcome) -> bool {
        outcome.status == Status::Approved
    }

    fn ended(id: RequestId, outcome: Outcome, approver: Option<String>) -> Record {
        Record::Decided(id, outcome, approver)
    }

    /// What is left tells how it ended, and which call it was.
    fn let_go(&mut self) -> usize {
        self.request.let_go();
        self.evaluation.policy.parts = Vec::new();
        self.evaluation.changed_tasks = Vec::new();
        self.evaluation.denied_by_walls = Vec::new();
        self.evaluation.widenings = Vec::new();
        kept_size(self)
    }
}

impl Gate {
    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &Arc<PolicyInForce> {
        &self.policy
    }

    /// The mode in force.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// One request, open or ended not long ago.
    #[must_use]
    pub fn entry(&self, id: RequestId) -> Option<&Entry> {
        self.requests.entry(id)
    }

    /// Open requests, oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &Entry> {
        self.requests.pending()
    }

    /// Requests that ended not long ago, the latest first.
    pub fn ended(&self) -> impl Iterator<Item = &Entry> {
        self.requests.ended()
    }

    /// How many [`Gate::ended`] gives.
    #[must_use]
    pub fn ended_count(&self) -> usize {
        self.requests.ended_count()
    }

    /// Grants in force, oldest first.
    #[must_use]
    pub fn grants(&self) -> &[Grant] {
        &self.grants
    }

    /// Sessions that were heard of, in no order.
    pub fn sessions(&self) -> impl Iterator<Item = (&SessionKey, &SessionState)> {
        self.sessions.iter()
    }
}
