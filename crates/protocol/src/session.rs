//! Sessions with what is remembered for them.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Grant, SessionKey};

/// One session and its grants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Session {
    /// Text form of the key, for use in a path.
    pub id: String,
    /// The key.
    pub key: SessionKey,
    /// What to call who asks before a person, as in [`Approval::agent_title`](crate::Approval::agent_title).
    pub agent_title: String,
    /// Path of the project folder of its latest call that was made in one; absent: none was, or none since the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Its first call.
    #[ts(type = "string")]
    pub first_call: Timestamp,
    /// Its latest call.
    #[ts(type = "string")]
    pub last_call: Timestamp,
    /// Number of calls.
    #[ts(type = "number")]
    pub calls: u64,
    /// What is remembered for it.
    pub grants: Vec<Grant>,
}

/// All sessions, the latest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionList {
    /// The sessions.
    pub sessions: Vec<Session>,
}

/// All that anybody may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Health {
    /// Whether it does what it is for.
    pub status: HealthStatus,
    /// Version of Handraise.
    pub version: String,
    /// Unless it is `ok`: what is wrong with the disk of the data folder, as a sentence. It names no path, since
    /// anybody on this machine may ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Whether Handraise does what it is for. Clients treat any status they do not know as `cannot_record`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum HealthStatus {
    /// It answers, and what it answers is recorded.
    Ok,
    /// The audit log cannot be written: nothing is approved until it can be.
    CannotRecord,
}
