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
    /// Further files and folders that it may read: those of the policy, and temporary files that its command line names.
    /// Absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub read: Vec<String>,
    /// Names of files in the project that it sees though walls hide such files, as `.env`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub show: Vec<String>,
    /// Temporary files and folders that are not there yet and that it may make. What it makes of them stays when the call
    /// has ended. Absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub made: Vec<String>,
    /// Places that it must not read. Absolute.
    pub read_deny: Vec<String>,
    /// Caches of tools that it may write.
    pub caches: Vec<String>,
    /// How much it may use.
    pub limits: WallLimits,
}

/// What a person may choose in the place of an approval: that the call runs inside walls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Confinement {
    /// The walls.
    pub walls: Walls,
    /// What tells them from others: a decision names it as `confined`.
    pub hash: String,
    /// Wider walls that can be chosen in their place, after these have denied the call something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Widening>>", optional)]
    pub widenings: Vec<Widening>,
}

/// Wider walls. A decision that names them opens the place to the walls of this project from now on, by a table of the
/// policy, and lets the call run inside of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Widening {
    /// What is opened, one plain line: "~/out", "the cache of npm".
    pub opens: String,
    /// The walls then.
    pub walls: Walls,
    /// What tells them from others: a decision names it as `confined`.
    pub hash: String,
    /// The table that is written into the policy.
    pub rule: String,
}

impl From<&policy::Walls> for Confinement {
    fn from(walls: &policy::Walls) -> Self {
        Self { hash: walls.hash().as_str().to_owned(), walls: walls.clone().into(), widenings: Vec::new() }
    }
}

impl Widening {
    /// `widening`, told to a person with this home folder.
    #[must_use]
    pub fn of(widening: &policy::Widening, home: Option<&str>) -> Self {
        Self {
            opens: widening.opening.name(home),
            walls: widening.walls.clone().into(),
            hash: widening.walls.hash().as_str().to_owned(),
            rule: widening.table.toml.clone(),
        }
    }
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
        let policy::Walls { project, write, read, show, made, read_deny, caches, limits } = walls;
        let policy::WallLimits { processes, memory_bytes, seconds } = limits;
        let limits = WallLimits { processes, memory_bytes, seconds };
        Self { sentence, project, write, read, show, made, read_deny, caches, limits }
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

/// How a call inside walls has ended: what they have denied it, and what it has made among the temporary files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct WallsReport {
    /// The command ended with another exit code than 0. What it looks for by itself and does not find stands in no `denied`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub failed: bool,
    /// Each as one clause, as "write /srv/x"; at most 50 are kept.
    pub denied: Vec<String>,
    /// What is there now of what its walls let it make. Absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub made: Vec<String>,
}
