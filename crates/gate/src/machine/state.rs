//! What the gate remembers.

use jiff::Timestamp;

use super::{Evaluation, Gate, Mode, hook};
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
    /// Nobody waits for it; it ends at this time unless its requester comes back.
    pub orphaned_until: Option<Timestamp>,
    /// The approval was used by a requester that did not wait for it.
    pub redeemed: bool,
    /// The answer that a second question about the same call gets; `None`: that one is asked anew.
    pub second_question: Option<SecondQuestion>,
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
            request,
            evaluation,
            requested_at,
            expires_at,
            outcome: None,
            orphaned_until: None,
            redeemed: false,
        }
    }

    /// When it ends by itself.
    pub(super) fn due(&self) -> Timestamp {
        self.orphaned_until.map_or(self.expires_at, |end| end.min(self.expires_at))
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
