//! What `handraise-confine` is told about the call that it runs, and what it tells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// A command line that runs inside walls, for the program that puts them up. Handed out once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConfinedCommand {
    /// The command line, as it was approved. The program runs nothing else.
    pub line: String,
    /// The shell that runs it.
    pub shell: String,
    /// The folder that it runs in, absolute. The program runs it nowhere else.
    pub folder: String,
    /// The walls, in the JSON of `handraise-confine --walls`.
    pub walls: Map<String, Value>,
}

/// What walls have denied a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct WallsReport {
    /// Each as one clause, as "write /srv/x"; at least one, at most 50 are kept.
    pub denied: Vec<String>,
}
