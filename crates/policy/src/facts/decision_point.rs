//! What an external decision point has said about a call.

/// The answer of an external decision point, with whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionPointResult {
    /// The address that was asked, as the policy has it.
    pub url: String,
    /// What came of it.
    pub answer: DecisionPointAnswer,
}

/// What came of asking an external decision point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionPointAnswer {
    /// It has nothing against the call. This allows nothing by itself.
    Permits,
    /// It is against the call, with its own words for why.
    Denies(Option<String>),
    /// It gave no answer that can be used, and why: a clause, as "it did not answer within 2 s".
    Failed(String),
}
