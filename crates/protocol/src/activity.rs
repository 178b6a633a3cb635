//! The calls of the past as the settings window shows them. No part of the API: programs have `GET /v1/approvals`.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{DecidedBy, RequestId, Status};

/// Which calls of the past to show; what is absent is left open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct ActivitySearch {
    /// Only this call, whatever else is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<RequestId>,
    /// A text in the tool, the title or the arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Name of the agent, as `claude-code`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Who answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<DecidedBy>,
    /// Asked then or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "string")]
    pub since: Option<Timestamp>,
    /// Goes on behind a page: its `next_cursor`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// What can be chosen to show less: what occurs in the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ActivityChoices {
    /// Names of agents.
    pub agents: Vec<String>,
    /// Working folders, that of the latest call first.
    pub folders: Vec<String>,
}

/// How often a person was asked, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ActivityFigures {
    /// Each day of the time, the earliest first.
    pub days: Vec<ActivityDay>,
    /// Who answered, the most calls first.
    pub answers: Vec<ActivityAnswers>,
    /// Half of a person's answers took no longer, in seconds. Absent: no person has answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_seconds: Option<u32>,
    /// What a person was asked most often, that first.
    pub most_asked: Vec<AskedOften>,
}

/// The calls of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ActivityDay {
    /// The day where this machine is, as `2026-11-24`.
    pub day: String,
    /// All of its calls.
    pub calls: u32,
    /// Those that a person answered, or let time out.
    pub asked: u32,
}

/// The calls that one kind of answerer answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ActivityAnswers {
    /// Who.
    pub decided_by: DecidedBy,
    /// How many.
    pub calls: u32,
}

/// Calls with the same title that a person was asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AskedOften {
    /// Their title, one plain line, safe for any surface.
    pub title: String,
    /// How often a person was asked.
    pub asked: u32,
    /// How often the person refused.
    pub denied: u32,
}

/// How the calls of the past are written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// A JSON object in each line, as `GET /v1/approvals` gives it.
    Jsonl,
    /// A table (RFC 4180).
    Csv,
}

/// A file that calls of the past were written to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Exported {
    /// Where it lies.
    pub path: String,
    /// Calls in it.
    pub calls: u32,
}
