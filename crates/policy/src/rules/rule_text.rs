//! Rules in words.

use super::action::Action;

/// A rule as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RuleText {
    /// Its conditions in one line, as `tool = "shell", command = "git status *"`, or its pattern
    /// alone when that is its only condition.
    pub text: String,
    /// What it does.
    pub action: Action,
    /// No later rule loosens it.
    pub is_final: bool,
    /// Why, in its author's words.
    pub reason: Option<String>,
    /// The `[agent.NAME]` table that it stands in; absent: it is general.
    pub agent: Option<String>,
    /// Its line in the file, from 1; absent: it was not read from a file.
    pub line: Option<u32>,
}
