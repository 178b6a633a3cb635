//! What the gate remembers.

use jiff::Timestamp;

use super::{Evaluation, Gate, Mode, hook, room};
use crate::{Grant, Outcome, PolicyInForce, Request, RequestId, SecondQuestion, SessionKey};

/// One request, open or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What was asked.
    pub request: Request,
    /// What the policy and the grants said when it was asked.
    pub evaluation: Evaluation,
    /// When it was asked.
    pub requested_at: Timestamp,
    /// When nobody can answer any more.
    pub expires_at: Timestamp,
    /// How it ended; `None` while a person is being asked.
    pub outcome: Option<Outcome>,
    /// Whether its requester is there.
    pub attendance: Attendance,
    /// Its requester has its answer: an approval is handed out once.
    pub handed_out: bool,
    /// It was redeemed by its id, which works once, whoever approved it.
    pub redeemed: bool,
    /// Everything that was asked is still here. What is over lets go of its arguments; the audit log has them.
    pub is_whole: bool,
    /// Bytes that its arguments hold.
    pub size: usize,
    /// The answer that a second question about the same call gets; `None`: that one is asked anew.
    pub second_question: Option<SecondQuestion>,
}

/// Whether the requester of a request is there to take its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attendance {
    /// It waits.
    Waits,
    /// It went away and said that it may come back, by giving an idempotency key.
    Gone {
        /// When.
        since: Timestamp,
        /// The request ends then unless it has come back.
        until: Timestamp,
    },
    /// It was told the id and asks again when it likes.
    ComesBack,
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
}

/// A late approval: the next identical call passes once.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// The request that had timed out.
    pub request: Request,
    /// Good until then.
    pub expires_at: Timestamp,
}

impl Entry {
    /// A request at the moment when it is asked; open until `expires_at`.
    #[must_use]
    pub fn new(request: Request, evaluation: Evaluation, requested_at: Timestamp, expires_at: Timestamp) -> Self {
        Self {
            second_question: hook::awaited(&request),
            size: room::arguments_size(&request.arguments),
            request,
            evaluation,
            requested_at,
            expires_at,
            outcome: None,
            attendance: Attendance::Waits,
            handed_out: false,
            redeemed: false,
            is_whole: true,
        }
    }

    /// When it ends by itself.
    pub(super) fn due(&self) -> Timestamp {
        match self.attendance {
            Attendance::Gone { until, .. } => until.min(self.expires_at),
            Attendance::Waits | Attendance::ComesBack => self.expires_at,
        }
    }
}

impl Gate {
    /// The policy in force.
    #[must_use]
    pub fn policy(&self) -> &PolicyInForce {
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
        self.entries.get(&id)
    }

    /// Open requests, oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &Entry> {
        self.open.iter().filter_map(|id| self.entries.get(id))
    }

    /// Requests that ended not long ago, the latest first.
    pub fn ended(&self) -> impl Iterator<Item = &Entry> {
        self.finished.iter().rev().filter_map(|(_, id)| self.entries.get(id))
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
