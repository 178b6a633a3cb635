//! The rules that agents keep themselves, as rules of the policy: what `handraise policy import` prints with `--json`, and what
//! the settings window shows of it. No part of the API: only files of the user at this machine are read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Action;

/// What one agent keeps, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AgentRules {
    /// The agent, as `claude-code`.
    pub agent: String,
    /// As `Claude Code`.
    pub display_name: String,
    /// Every entry, in the order of the files.
    pub entries: Vec<OwnRule>,
    /// Files that cannot be read, as sentences.
    pub problems: Vec<String>,
    /// The TOML text of the rules that would go before all others of the policy; empty: none that it has not.
    pub in_front: String,
    /// The same of those that would go behind all others.
    pub behind: String,
}

/// One entry of an agent's own rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct OwnRule {
    /// The file that it stands in.
    pub file: String,
    /// It, in one plain line.
    pub entry: String,
    /// What it says about calls; absent: it is no rule about calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// The TOML text of each rule that it became; empty: it was not carried over.
    pub rules: Vec<String>,
    /// What is different from what the agent makes of it: sentences.
    pub notes: Vec<String>,
    /// It allows next to nothing: the notes say why, and what to write instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub covers_little: bool,
    /// Why it was not carried over: a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
