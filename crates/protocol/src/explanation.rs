//! What the policy says about a call, and why.

use handraise_policy as policy;
use handraise_policy::{path, rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire_enum::wire_enum;
use crate::{Effect, Risk, Walls};

wire_enum! {
    /// What the policy says about a call. Ordered by strictness, so that the strictest is the maximum.
    #[serde(rename_all = "snake_case")]
    pub enum Action = policy::Action {
        /// Let it pass without asking.
        Allow,
        /// Let it run at once, inside walls.
        Confine,
        /// Ask a person.
        Ask,
        /// Refuse without asking.
        Deny,
    }
}

wire_enum! {
    /// What is judged by itself.
    #[serde(rename_all = "snake_case")]
    pub enum PartKind = rules::PartKind {
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
}

wire_enum! {
    /// Whose file is protected.
    #[serde(rename_all = "snake_case")]
    pub enum Protection = path::Protection {
        /// Handraise's own files, socket and start at login: changed only in Handraise, never by a call.
        Own,
        /// Tokens of Handraise: never read by a call either.
        Secret,
        /// Hook and settings files of an agent: a person is asked each time.
        Agent,
        /// Deciding in a person's place: never done by a call.
        Decision,
        /// Files that hold credentials: a person is asked each time one is read, unless a rule spells it out.
        Credential,
    }
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

impl From<rules::RuleText> for RuleText {
    fn from(rule: rules::RuleText) -> Self {
        let rules::RuleText { text, action, is_final, reason, agent, line } = rule;
        Self { text, action: action.into(), is_final, reason, agent, line }
    }
}

/// Why the policy says what it says about one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Explanation {
    /// The answer.
    pub action: Action,
    /// The rule that gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleText>,
    /// The risk that the call was judged with.
    pub risk: Risk,
    /// One sentence: why that risk.
    pub risk_sentence: String,
    /// What it changes, and whether that can be undone.
    pub effect: Effect,
    /// Why the command line was not understood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
    /// Files that no rule and no grant gives away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// The walls that it would run inside of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<Walls>,
    /// Whether a remembered approval may answer in a person's place.
    pub grantable: bool,
    /// One sentence: what gave the answer.
    pub why: String,
    /// One sentence: why a table or rule for the agent that the request names does not loosen the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unproved: Option<String>,
    /// What was judged one by one.
    pub parts: Vec<PartExplanation>,
}

impl From<rules::Explanation> for Explanation {
    fn from(explanation: rules::Explanation) -> Self {
        let rules::Explanation {
            action,
            rule,
            risk,
            risk_sentence,
            effect,
            project,
            obstacle,
            protection,
            walls,
            grantable,
            why,
            unproved,
            parts,
        } = explanation;
        Self {
            action: action.into(),
            rule: rule.map(Into::into),
            risk: risk.into(),
            risk_sentence,
            effect: Effect::of(effect, project.as_deref()),
            obstacle,
            protection: protection.map(Into::into),
            walls: walls.map(Into::into),
            grantable,
            why,
            unproved,
            parts: parts.into_iter().map(|part| PartExplanation::of(part, project.as_deref())).collect(),
        }
    }
}

/// Why the policy says what it says about one part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PartExplanation {
    /// What was judged.
    pub kind: PartKind,
    /// The simple command, the path, or the tool's name.
    pub text: String,
    /// The answer for this part.
    pub action: Action,
    /// The rule that gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleText>,
    /// The risk that the part was judged with.
    pub risk: Risk,
    /// One sentence: why that risk.
    pub risk_sentence: String,
    /// What it changes, and whether that can be undone.
    pub effect: Effect,
    /// Files that no rule and no grant gives away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// One sentence: what gave the answer.
    pub why: String,
    /// Every rule that was looked at, in the order of the file.
    pub considered: Vec<ConsideredRule>,
}

impl PartExplanation {
    fn of(part: rules::PartExplanation, project: Option<&str>) -> Self {
        let rules::PartExplanation {
            kind,
            text,
            action,
            rule,
            risk,
            risk_sentence,
            effect,
            protection,
            why,
            considered,
        } = part;
        Self {
            kind: kind.into(),
            text,
            action: action.into(),
            rule: rule.map(Into::into),
            risk: risk.into(),
            risk_sentence,
            effect: Effect::of(effect, project),
            protection: protection.map(Into::into),
            why,
            considered: considered.into_iter().map(Into::into).collect(),
        }
    }
}

/// One rule that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ConsideredRule {
    /// The rule.
    pub rule: RuleText,
    /// It matched.
    pub matched: bool,
    /// It gave the answer for this part.
    pub decided: bool,
    /// The first condition that did not hold, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

impl From<rules::ConsideredRule> for ConsideredRule {
    fn from(considered: rules::ConsideredRule) -> Self {
        let rules::ConsideredRule { rule, matched, decided, because } = considered;
        Self { rule: rule.into(), matched, decided, because }
    }
}
