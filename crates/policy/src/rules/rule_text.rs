//! Rules in words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::action::Action;

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
