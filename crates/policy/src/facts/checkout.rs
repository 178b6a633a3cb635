//! What git would put into the working files, where its words do not say which files that are.

use std::collections::BTreeMap;

/// What is looked up about one command of git.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckoutQuestion {
    /// The folder that it runs in, as the call writes it.
    pub folder: String,
    /// Where it takes the files from.
    pub source: CheckoutSource,
}

/// Where a command of git takes the working files from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckoutSource {
    /// These commits: `git switch topic`, `git merge topic`.
    Commits(Vec<String>),
    /// What each of these commits changes: `git cherry-pick topic`, `git revert HEAD`.
    Changes(Vec<String>),
    /// The latest stash: `git stash pop`.
    Stash,
    /// The commit that is checked out: `git stash`.
    Head,
}

/// What is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckoutAnswer {
    /// The settings of agents that would be others then, absolute.
    Settings(Vec<String>),
    /// Nobody can tell.
    Unknown,
}

/// The answers to [`Request::checkout_questions`](crate::Request::checkout_questions). What is not there was not looked up,
/// as for a folder that does not exist.
pub type CheckoutFacts = BTreeMap<CheckoutQuestion, CheckoutAnswer>;
