//! Sessions with what is remembered for them.

use handraise_gate::{Grant, SessionKey};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One session and its grants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Session {
    /// Text form of the key, for use in a path.
    pub id: String,
    /// The key.
    pub key: SessionKey,
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
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// Version of Handraise.
    pub version: String,
}
