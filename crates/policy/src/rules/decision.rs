//! What the policy says about a call, and why.

use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Action, Protection, Rule};
use crate::Risk;
use handraise_shell::{CommandLine, Obstacle, Part};

/// What the policy says about one call, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyDecision {
    /// The answer: the strictest over [`PolicyDecision::parts`].
    pub action: Action,
    /// The rule that gave it, if one did.
    pub rule: Option<Arc<Rule>>,
    /// The risk that the call was judged with.
    pub risk: Risk,
    /// One sentence for a person: why that risk.
    pub risk_sentence: String,
    /// What was judged one by one; of a call that is no command line, the call alone.
    pub parts: Vec<PartDecision>,
    /// Why the command line was not understood.
    pub obstacle: Option<Obstacle>,
    /// Files that no rule and no grant gives away.
    pub protection: Option<Protection>,
    /// Whether a remembered approval may answer in a person's place.
    pub grantable: bool,
    /// One sentence for a person: what gave the answer.
    pub why: String,
}

impl PolicyDecision {
    /// What the project makes the commands run that a person is asked about, each once, as clauses.
    pub fn project_code(&self) -> impl Iterator<Item = &str> {
        let mut seen = BTreeSet::new();
        let asked = self.parts.iter().filter(|part| part.action == Action::Ask);
        asked.filter_map(|part| part.project_code.as_deref()).filter(move |clause| seen.insert(*clause))
    }

    /// The simple commands of `line` that a person is asked about, each once.
    pub fn asked_parts<'a>(&'a self, line: &'a CommandLine) -> impl Iterator<Item = &'a Part> {
        line.parts.iter().enumerate().filter_map(|(index, part)| {
            let asks = |decision: &PartDecision| decision.command == Some(index) && decision.action == Action::Ask;
            self.parts.iter().any(asks).then_some(part)
        })
    }
}

/// What is judged by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// The call of a tool that is no shell.
    Call,
    /// One simple command of a command line.
    Command,
    /// A file that a redirection writes.
    Write,
    /// A file that a redirection reads.
    Read,
    /// A command line that was not understood, as a whole.
    Line,
}

/// What the policy says about one part of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct PartDecision {
    /// What was judged.
    pub kind: PartKind,
    /// Position in the command line's parts of the simple command that it is, or belongs to.
    pub command: Option<usize>,
    /// The simple command, the path, or the tool's name.
    pub text: String,
    /// The answer for this part.
    pub action: Action,
    /// The rule that gave it, if one did.
    pub rule: Option<Arc<Rule>>,
    /// The risk that the part was judged with.
    pub risk: Risk,
    /// One sentence for a person: why that risk.
    pub risk_sentence: String,
    /// Files that no rule and no grant gives away.
    pub protection: Option<Protection>,
    /// What the project makes it run, as a clause.
    pub project_code: Option<String>,
    /// One sentence for a person: what gave the answer.
    pub why: String,
}

/// A rule as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct RuleText {
    /// Its conditions in one line, as `tool = "shell", command = "git status *"`, or its pattern
    /// alone when that is its only condition.
    pub text: String,
    /// What it does.
    pub action: Action,
    /// No later rule loosens it.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// Why, in its author's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The `[agent.NAME]` table that it stands in; absent: it is general.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its line in the file, from 1; absent: it was not read from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}
