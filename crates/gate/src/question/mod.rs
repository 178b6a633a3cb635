//! A question that an agent has for a person, asked and answered within the same turn.
//!
//! A question is not a tool call: no policy and no grant ever answers it. It ends with a person's own
//! words, or without an answer.

mod machine;

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

pub use machine::Questions;

use crate::lifecycle::{self, Departure, Lifecycle};
use crate::{Approver, Refusal};
use handraise_policy::{AgentIdentity, ProcessTree, SessionKey};

/// Identifies one question. A UUID version 7, so that ids sort by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionId(pub Uuid);

impl fmt::Display for QuestionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Where a question stands. Clients treat any status they do not know as cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionStatus {
    /// A person has answered.
    Answered,
    /// A person does not want to answer.
    Declined,
    /// No person answered in time.
    Timeout,
    /// The requester withdrew it or went away, or Handraise was stopped.
    Cancelled,
    /// A person is being asked.
    Pending,
}

/// One thing that a person can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionChoice {
    /// What an answer names it by; no other choice of the question has it.
    pub label: String,
    /// What choosing it means.
    pub description: Option<String>,
}

/// A question that an agent has for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Given by the owner.
    pub id: QuestionId,
    /// Name of the requester credential.
    pub requester: String,
    /// The agent, when it gave its name.
    pub agent: Option<AgentIdentity>,
    /// The conversation; the question ends with it.
    pub session: Option<SessionKey>,
    /// What is asked.
    pub text: String,
    /// A short title.
    pub header: Option<String>,
    /// What can be chosen; empty: only free text.
    pub choices: Vec<QuestionChoice>,
    /// More than one can be chosen.
    pub multiple: bool,
    /// Free text is welcome.
    pub custom: bool,
    /// What the field for free text is called.
    pub custom_label: Option<String>,
    /// Working folder of the agent.
    pub cwd: Option<String>,
    /// The requester's own trace id.
    pub trace_id: Option<String>,
    /// Joins retries of one question.
    pub idempotency_key: Option<String>,
    /// How long a person has to answer, in seconds.
    pub timeout_seconds: u32,
    /// The processes behind the question, as far as they could be found out.
    pub processes: ProcessTree,
}

impl Question {
    /// Whether a retry with the same key asks the same.
    fn is_same(&self, other: &Self) -> bool {
        self.agent == other.agent
            && self.session == other.session
            && self.text == other.text
            && self.header == other.header
            && self.choices == other.choices
            && self.multiple == other.multiple
            && self.custom == other.custom
            && self.custom_label == other.custom_label
            && self.cwd == other.cwd
    }
}

/// How a question ended. Never [`QuestionStatus::Pending`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionOutcome {
    /// How.
    pub status: QuestionStatus,
    /// Labels that were chosen, in the order of the choices.
    pub selected: Vec<String>,
    /// The person's own words.
    pub custom: Option<String>,
    /// Words for the model when there is no answer.
    pub reason: Option<String>,
    /// When it ended.
    pub ended_at: Timestamp,
}

impl QuestionOutcome {
    /// The answer as one text that a model can read: the labels, and then the person's own words.
    #[must_use]
    pub fn answer(&self) -> Option<String> {
        if self.status != QuestionStatus::Answered {
            return None;
        }
        let labels = Some(self.selected.join(", ")).filter(|labels| !labels.is_empty());
        let parts: Vec<String> = labels.into_iter().chain(self.custom.clone()).collect();
        Some(parts.join("\n"))
    }
}

/// One question, open or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionEntry {
    /// What was asked.
    pub question: Question,
    /// How it stands.
    pub life: Lifecycle<QuestionOutcome>,
}

/// What a person says to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// An answer.
    Answer {
        /// Labels of the chosen choices.
        selected: Vec<String>,
        /// The person's own words; blank means none.
        custom: Option<String>,
    },
    /// No answer.
    Decline {
        /// Words for the model; blank means none.
        reason: Option<String>,
    },
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum QuestionInput {
    /// An agent asks.
    Ask(Box<Question>),
    /// Somebody answers.
    Reply {
        /// Which question.
        id: QuestionId,
        /// What.
        reply: Reply,
        /// Who.
        approver: Approver,
        /// Why the owner knows that the approver may not.
        refused: Option<Refusal>,
    },
    /// The requester takes its question back.
    Cancel {
        /// Which question.
        id: QuestionId,
        /// Name of the credential that asks for it.
        requester: String,
    },
    /// Nobody waits for the answer any more.
    HangUp {
        /// Which question.
        id: QuestionId,
        /// How that is known.
        departure: Departure,
    },
    /// The requester was told the id and to come back: from now on it outlives every connection.
    Keep(QuestionId),
    /// Time has passed.
    Tick,
    /// A session is over, and its questions with it.
    EndSession(SessionKey),
    /// The program ends.
    Shutdown,
}

/// What the owner of the questions has to do, in the order given.
pub type QuestionEffect = lifecycle::Effect<QuestionEntry>;

/// An entry for the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionRecord {
    /// A question was accepted.
    Asked(QuestionId),
    /// A question ended; with the approver when a person ended it.
    Ended(QuestionId, QuestionOutcome, Option<String>),
    /// Somebody tried to answer who may not.
    ApproverRefused(QuestionId, String),
}

/// What an input led to.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionReaction {
    /// To be carried out in order, also when the input itself was refused.
    pub effects: Vec<QuestionEffect>,
    /// The question that it was about, if any, or why the input was refused.
    pub answer: Result<Option<QuestionId>, QuestionRefusal>,
}

/// Why an input was refused. Nothing changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuestionRefusal {
    /// No such question, or not the requester's own.
    #[error("there is no such question")]
    Unknown,
    /// It has ended already.
    #[error("the question is already over")]
    AlreadyOver(QuestionId),
    /// The idempotency key belongs to another question.
    #[error("this idempotency key was used for another question; use a new key for each question")]
    KeyReused,
    /// Too many open questions, or too large ones.
    #[error("too many questions are waiting for a person; wait for an answer, or take some back")]
    TooMany,
    /// The one who answers may not.
    #[error("{0}")]
    Approver(Box<Refusal>),
    /// Nothing in it.
    #[error("the answer is empty; choose something, write something, or decline")]
    Empty,
    /// A label that is not there.
    #[error("there is no such choice; name the choices by their labels")]
    UnknownChoice,
    /// More than one, where one is asked for.
    #[error("only one of the choices can be chosen")]
    OneChoice,
    /// Free text, where there is none.
    #[error("this question takes no free text; choose one of its choices")]
    NoFreeText,
    /// The program is ending.
    #[error("Handraise is shutting down")]
    ShuttingDown,
}

#[cfg(test)]
mod laws;
#[cfg(test)]
pub(crate) mod tests;
