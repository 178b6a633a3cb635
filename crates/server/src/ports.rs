//! What the engine needs from whoever embeds it.

use handraise_protocol::{Approval, ApprovalResult, Grant, Notice, Question, QuestionId, QuestionResult, RequestId};

/// A way to put a request before a person: notifications, windows, a terminal.
///
/// The calls must return at once; every `present` is followed by exactly one `withdraw` of its kind.
pub trait Surface: Send + Sync + 'static {
    /// A person is to be asked.
    fn present(&self, approval: &Approval);
    /// It is over, however it ended.
    fn withdraw(&self, id: RequestId, result: &ApprovalResult);
    /// A person is to be asked a question.
    fn present_question(&self, question: &Question);
    /// The question is over, however it ended.
    fn withdraw_question(&self, id: QuestionId, result: &QuestionResult);
}

/// Where grants are kept between two runs.
pub trait SessionStore: Send + Sync + 'static {
    /// What was saved last.
    ///
    /// # Errors
    /// When nothing can be read; the server then starts without grants and says so.
    fn load(&self) -> Result<StoredGrants, StoreError>;

    /// Saves all grants in force, durably.
    ///
    /// # Errors
    /// When that fails; a grant that was being added is then taken back.
    fn save(&self, grants: &[Grant]) -> Result<(), StoreError>;
}

/// What a [`SessionStore`] had kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredGrants {
    /// The grants.
    pub grants: Vec<Grant>,
    /// What a person should know about how they were read.
    pub notice: Option<Notice>,
}

/// A [`SessionStore`] failed; a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(pub String);
