//! What is asked of a person, from the asking to the forgetting: one life for calls and for questions.
//!
//! It is asked, and may wait: within limits, until its time is up, and as long as somebody waits for the answer or
//! comes back for it. It ends once, on every surface, and can be looked up for a while. What ends it with a
//! person's answer is the business of its kind ([`crate::Gate`], [`crate::Questions`]); all else is in the [`Registry`].

mod registry;
mod room;

use std::fmt::Debug;
use std::hash::Hash;

use jiff::{SignedDuration, Timestamp};

pub(crate) use registry::Registry;
pub(crate) use room::BYTES_PER_ENTRY;

use handraise_policy::SessionKey;

/// One thing that is asked of a person, with how it stands.
pub trait Asked: Sized {
    /// What names it.
    type Id: Copy + Debug + Ord + Hash;
    /// How it ends.
    type Outcome: Clone + Debug + PartialEq;
    /// What the audit log gets to know.
    type Record: Clone + Debug + PartialEq;
    /// What an answer makes beyond the one thing that it was given for.
    type LastingEffect: Clone + Debug + PartialEq;

    /// What names it.
    fn id(&self) -> Self::Id;
    /// How it stands.
    fn life(&self) -> &Lifecycle<Self::Outcome>;
    /// How it stands.
    fn life_mut(&mut self) -> &mut Lifecycle<Self::Outcome>;
    /// Name of the requester credential.
    fn requester(&self) -> &str;
    /// The conversation.
    fn session(&self) -> Option<&SessionKey>;
    /// What is asked together shares this.
    fn batch(&self) -> Option<&str> {
        None
    }
    /// Joins retries of one thing.
    fn idempotency_key(&self) -> Option<&str>;

    /// How it ends when no person answers.
    fn without_answer(&self, end: &End, now: Timestamp) -> Self::Outcome;
    /// When it ended.
    fn ended_at(outcome: &Self::Outcome) -> Timestamp;
    /// It must not have ended so where the audit log knows nothing of it.
    fn counts_only_recorded(outcome: &Self::Outcome) -> bool;

    /// It ended; with the approver when a person ended it.
    fn ended(id: Self::Id, outcome: Self::Outcome, approver: Option<String>) -> Self::Record;

    /// It is over, and recorded: lets go of what nobody looks up here, and gives the bytes that are left.
    fn let_go(&mut self) -> usize;
}

/// How something stands that was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifecycle<Outcome> {
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When nobody can answer any more.
    pub expires_at: Timestamp,
    /// How it ended; `None` while a person is being asked.
    pub outcome: Option<Outcome>,
    /// Whether its requester is there.
    pub attendance: Attendance,
    /// Everything that was asked is still here. What is over lets go of it; the audit log has it.
    pub has_content: bool,
    /// Bytes that it holds.
    pub size: usize,
}

/// Whether the requester is there to take the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attendance {
    /// It waits.
    Waits,
    /// It went away and said that it may come back, by giving an idempotency key.
    Disconnected {
        /// When.
        since: Timestamp,
        /// What it asked ends then unless it has come back.
        until: Timestamp,
    },
    /// It was told the id and asks again when it likes.
    ComesBack,
}

impl<Outcome> Lifecycle<Outcome> {
    /// At the moment when it is asked; open until `expires_at`, with so many bytes.
    #[must_use]
    pub fn new(asked_at: Timestamp, expires_at: Timestamp, size: usize) -> Self {
        Self { asked_at, expires_at, outcome: None, attendance: Attendance::Waits, has_content: true, size }
    }

    /// A person is being asked.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.outcome.is_none()
    }

    /// When it ends by itself.
    fn due(&self) -> Timestamp {
        match self.attendance {
            Attendance::Disconnected { until, .. } => until.min(self.expires_at),
            Attendance::Waits | Attendance::ComesBack => self.expires_at,
        }
    }
}

/// Why something ends that no person has answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Its time was up.
    TimedOut,
    /// Its requester went away, as told by this.
    Left(Departure),
    /// Its requester takes it back, or what it is about is over; why, in a sentence.
    Cancelled(String),
    /// Its session is over.
    SessionEnded,
    /// The program ends.
    Closed,
    /// The audit log cannot be written.
    Unrecorded,
}

/// How it is known that nobody waits for an answer any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Departure {
    /// The connection was closed.
    ConnectionClosed,
    /// A process that the answer would have gone through has ended: the hook's parent, or the agent.
    ProcessEnded,
}

impl End {
    /// Why, as a sentence.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Self::TimedOut => "No person answered in time. This is not a refusal: nobody has looked at it yet.",
            Self::Left(Departure::ConnectionClosed) => "The requester went away before a person answered.",
            Self::Left(Departure::ProcessEnded) => "The agent, or the program that asked for it, has ended.",
            Self::Cancelled(why) => why,
            Self::SessionEnded => "The session has ended.",
            Self::Closed => "Handraise was closed before a person answered.",
            Self::Unrecorded => "Handraise cannot write its audit log, so nothing is approved.",
        }
    }
}

/// Something that the owner of a book has to do, in the order given.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect<Entry: Asked> {
    /// Put this into the audit log, durably, before anything that follows.
    Record(Entry::Record),
    /// Put it before a person on every surface.
    Present(Entry::Id),
    /// Take it from every surface.
    Withdraw(Entry::Id),
    /// Tell whoever waits how it ended.
    Resolve(Entry::Id, Entry::Outcome),
    /// See to what an answer makes beyond this.
    LastingEffect(Entry::LastingEffect),
}

/// Why something is not taken in. Nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// There is none, or it is not the requester's own.
    Unknown,
    /// It has ended already.
    AlreadyOver,
    /// The idempotency key belongs to another one.
    KeyReused,
    /// Too many are open.
    TooMany,
    /// Too many of one session are open.
    TooManyInSession,
    /// What is open holds too much.
    TooManyBytes,
    /// The program is ending.
    ShuttingDown,
}

/// Bounds that keep a flood from costing more than its own denial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistryLimits {
    /// Open ones. A requester with fewer than [`RegistryLimits::pending_share`] still has room beyond it.
    pub pending: usize,
    /// Open ones of one requester.
    pub pending_per_requester: usize,
    /// Open ones that every requester has room for, however many the others have: nobody is shut out.
    pub pending_share: usize,
    /// Open ones of one session, apart from those of the batch that one belongs to.
    pub pending_per_session: usize,
    /// Open ones of one batch in one session.
    pub pending_per_batch: usize,
    /// Bytes that the open ones of one requester hold.
    pub pending_bytes: usize,
    /// Ended ones that can still be looked up here.
    pub finished: usize,
    /// Bytes that ended ones hold; the oldest go first.
    pub finished_bytes: usize,
    /// How long an ended one can still be looked up here, and a timed-out call approved late.
    pub finished_for: SignedDuration,
    /// How long one with an idempotency key waits for its requester to come back.
    pub reconnect: SignedDuration,
}

impl RegistryLimits {
    /// Of requests.
    pub const REQUESTS: Self = Self {
        pending: 1_000,
        pending_per_requester: 250,
        pending_share: 50,
        pending_per_session: 50,
        pending_per_batch: 64,
        pending_bytes: 16 * 1024 * 1024,
        finished: 2_000,
        finished_bytes: 16 * 1024 * 1024,
        finished_for: SignedDuration::from_mins(15),
        reconnect: SignedDuration::from_secs(30),
    };

    /// Of questions: each takes more of a person than a call does.
    pub const QUESTIONS: Self =
        Self { pending_per_requester: 32, pending_share: 8, pending_per_session: 32, finished: 500, ..Self::REQUESTS };
}

/// `time` plus `duration`, or the end of time.
pub(crate) fn add(time: Timestamp, duration: SignedDuration) -> Timestamp {
    time.checked_add(duration).unwrap_or(Timestamp::MAX)
}

/// `time` moved by `by`, within what a time can be.
pub(crate) fn moved(time: Timestamp, by: SignedDuration) -> Timestamp {
    let end = if by.is_negative() { Timestamp::MIN } else { Timestamp::MAX };
    time.checked_add(by).unwrap_or(end)
}

#[cfg(test)]
mod laws;
