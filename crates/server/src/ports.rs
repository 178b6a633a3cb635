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

/// The list of grants that a person can read. The audit log is the truth about grants: between two runs a person may
/// take some out of the list, and nothing that is added to it counts.
pub trait GrantList: Send + Sync + 'static {
    /// What is in the list.
    ///
    /// # Errors
    /// When it can neither be read nor moved aside; the audit log has the grants.
    fn load(&self) -> Result<ListedGrants, StoreError>;

    /// Puts all grants in force into the list.
    ///
    /// # Errors
    /// When that fails.
    fn save(&self, grants: &[Grant]) -> Result<(), StoreError>;
}

/// What was in a [`GrantList`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListedGrants {
    /// The grants; `None`: the list cannot be read, and says nothing.
    pub grants: Option<Vec<Grant>>,
    /// What a person should know about how they were read.
    pub notice: Option<Notice>,
}

/// A [`GrantList`] failed; a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(pub String);
