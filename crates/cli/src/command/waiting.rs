//! What waits for a person: requests and questions, in one list.

use std::time::Duration;

use handraise_protocol::{Approval, Question, QuestionId, RequestId};
use jiff::Timestamp;

use super::answer::{QUESTION_DELAY, delay};
use crate::show;

/// Something that a person is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Waiting {
    Approval(Box<Approval>),
    Question(Box<Question>),
}

/// What tells it from everything else that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitingId {
    Approval(RequestId),
    Question(QuestionId),
}

impl Waiting {
    pub(crate) fn id(&self) -> WaitingId {
        match self {
            Self::Approval(approval) => WaitingId::Approval(approval.id),
            Self::Question(question) => WaitingId::Question(question.id),
        }
    }

    /// How long it must have been in view before a key answers it.
    pub(crate) fn delay(&self) -> Duration {
        match self {
            Self::Approval(approval) => delay(approval.risk.level),
            Self::Question(_) => QUESTION_DELAY,
        }
    }

    /// Everything about it.
    pub(crate) fn in_full(&self) -> Vec<show::Line> {
        match self {
            Self::Approval(approval) => show::approval(approval),
            Self::Question(question) => show::question(question),
        }
    }

    fn since(&self) -> Timestamp {
        match self {
            Self::Approval(approval) => approval.requested_at,
            Self::Question(question) => question.asked_at,
        }
    }
}

/// Both in one list, each in its order, oldest first.
pub(crate) fn together(approvals: Vec<Approval>, questions: Vec<Question>) -> Vec<Waiting> {
    let approvals = approvals.into_iter().map(|approval| Waiting::Approval(Box::new(approval)));
    let questions = questions.into_iter().map(|question| Waiting::Question(Box::new(question)));
    let mut waiting: Vec<Waiting> = approvals.chain(questions).collect();
    waiting.sort_by_key(Waiting::since);
    waiting
}
