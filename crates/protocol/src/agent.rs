//! The agents on this machine: what `handraise agents`, `connect`, `disconnect` and `doctor` print with
//! `--json`, and what the settings window shows of it. No part of the API: only files are read and
//! written, and only for the user at this machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::DiffLine;

/// An agent, and whether it asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct AgentOverview {
    /// As `claude-code`.
    pub name: String,
    /// As `Claude Code`.
    pub display_name: String,
    /// Its program is on the `PATH`.
    pub is_installed: bool,
    /// What its program prints for `--version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Whether it can be connected for only what it would ask a person itself.
    pub has_own_questions: bool,
    /// Every place in its settings that makes it ask; empty: it is not connected.
    pub connections: Vec<AgentConnection>,
    /// What is not gated even when it is connected: sentences.
    pub stays_open: Vec<String>,
    /// Whether it is laid down for the whole machine that no project switches its hooks off. Absent: it has no
    /// settings for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooks_stay_on: Option<bool>,
    /// Why its settings cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A place in an agent's settings that makes it ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AgentConnection {
    /// Whose settings.
    pub level: ConnectionLevel,
    /// The settings file.
    pub file: String,
    /// It asks before every call, not only where it would ask a person itself.
    pub every_call: bool,
    /// Whether it works.
    pub state: ConnectionState,
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionLevel {
    /// The user's, for every project.
    User,
    /// Those of the project in the working folder.
    Project,
}

/// Whether a connection works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionState {
    /// As this version of Handraise would make it.
    UpToDate,
    /// Otherwise, as one of an older version or of a program that has moved.
    OutOfDate,
    /// The agent's settings switch all hooks off, so it asks nobody.
    SwitchedOff,
}

/// A change to an agent's settings, made or only shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AgentChange {
    /// The agent, as `claude-code`.
    pub agent: String,
    /// Every file that changes; empty: there is nothing to change.
    pub files: Vec<AgentFileChange>,
    /// Names exactly this change of exactly these files: SHA-256, in hexadecimal digits.
    pub digest: String,
    /// Whether it has been made.
    pub is_made: bool,
}

/// What changes in one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct AgentFileChange {
    /// The file.
    pub path: String,
    /// The change with the lines around it; a kept line `⋯` stands for lines that are left out.
    pub lines: Vec<DiffLine>,
    /// Where the old file is kept, once the change is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
}

/// What the doctor found about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct DoctorCheck {
    /// The agent that it is about, as `claude-code`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What was looked at.
    pub name: String,
    /// How it is.
    pub state: CheckState,
    /// What was found, and what to do.
    pub finding: String,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// As it should be.
    Fine,
    /// Worth knowing.
    Note,
    /// To be repaired.
    Wrong,
}
