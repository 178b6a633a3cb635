//! What `handraise-confine` is told about the call that it runs, and what it tells.

use handraise_policy as policy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// The walls around one call: it reaches no network, reads no credentials, and writes only what stands here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Walls {
    /// The same in one sentence, without a full stop: "writes only in shopfront and 2 caches, no network".
    pub sentence: String,
    /// The project folder, which it may write. Absolute.
    pub project: String,
    /// Further files and folders that it may write. Absolute.
    pub write: Vec<String>,
    /// Places that it must not read. Absolute.
    pub read_deny: Vec<String>,
    /// Caches of tools that it may write.
    pub caches: Vec<String>,
    /// How much it may use.
    pub limits: WallLimits,
}

/// How much a command may use. What is not given is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct WallLimits {
    /// Processes and threads at one time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "number")]
    pub processes: Option<u64>,
    /// Bytes of private memory of each process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "number")]
    pub memory_bytes: Option<u64>,
    /// Seconds until it is ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "number")]
    pub seconds: Option<u64>,
}

impl From<policy::Walls> for Walls {
    fn from(walls: policy::Walls) -> Self {
        let sentence = walls.sentence();
        let policy::Walls { project, write, read_deny, caches, limits } = walls;
        let policy::WallLimits { processes, memory_bytes, seconds } = limits;
        let limits = WallLimits { processes, memory_bytes, seconds };
        Self { sentence, project, write, read_deny, caches, limits }
    }
}

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
