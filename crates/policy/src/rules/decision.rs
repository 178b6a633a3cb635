//! What the policy says about a call, and why.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::Risk;
use crate::path::Protection;
use crate::rules::action::Action;
use crate::rules::part_kind::PartKind;
use crate::rules::rule::Rule;
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
