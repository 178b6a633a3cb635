//! Rules that the past suggests: what a person has let pass again and again, and nothing that was ever refused.
//!
//! The rules are those that the prompt would have offered for "always" (`handraise_policy::choices`). What is chosen is
//! tried out on the calls themselves, the refused ones first.

mod choose;
mod evidence;
mod written;

use serde::Serialize;

pub(super) use evidence::Evidence;
pub(super) use written::WrittenPolicy;

/// A rule that would have spared a person questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Suggested {
    /// One or more `[[rule]]` tables.
    pub(super) rule: String,
    /// Questions about calls of the past that it would have answered, together with the rules before it.
    pub(super) saves: u64,
    /// One of those calls.
    pub(super) example: String,
}

/// Where the draft of a rule begins. What a task runs may say it as well, but stands on one line.
const RULE: &str = "[[rule]]\n";

/// The tables of `rules`, each as a text of its own.
pub(super) fn tables(rules: &str) -> impl Iterator<Item = String> {
    let rests = rules.split(RULE).map(str::trim).filter(|rest| !rest.is_empty());
    rests.map(|rest| format!("{RULE}{rest}\n"))
}

/// The rules as they are added to a policy, each with what it saves.
pub(super) fn text(suggested: &[Suggested]) -> String {
    let rules =
        suggested.iter().map(|one| format!("# would have saved {} questions\n{}\n", one.saves, one.rule.trim()));
    rules.collect::<Vec<_>>().join("\n")
}
