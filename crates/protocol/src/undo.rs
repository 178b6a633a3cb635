//! What calls have changed, and putting it back.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{DiffLine, RequestId};

/// Calls that have changed something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct KeptCalls {
    /// The latest first.
    pub calls: Vec<KeptCall>,
}

/// A call that passed, and what it has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct KeptCall {
    /// The request; of an undo, an id of its own.
    pub id: RequestId,
    /// When it passed.
    #[ts(type = "string")]
    pub at: Timestamp,
    /// What the agent is called before a person; in quotation marks where the name is only a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Id of its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The tool.
    pub tool: String,
    /// One plain line that says what it does, safe for any surface.
    pub title: String,
    /// The folder that its files lie in, one plain line.
    pub folder: String,
    /// How much of it can be undone.
    pub undoable: Undoable,
    /// It is no call of an agent: a person put other calls back. Undoing it brings back what was there before.
    pub is_undo: bool,
    /// Its files.
    pub files: Vec<KeptFile>,
}

/// How much of a call can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Undoable {
    /// All of it.
    Whole,
    /// The files that it names, or some of them.
    InPart,
    /// Nothing.
    Nothing,
}

/// One file of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct KeptFile {
    /// Its path, one plain line; below the folder of the call where it lies there.
    pub path: String,
    /// What has become of it.
    pub change: FileChange,
    /// What putting it back does, or has done.
    pub outcome: UndoOutcome,
    /// Why not, as a clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// From what was kept to what is there now, secrets redacted; only where it was asked for and both are text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<DiffLine>>", optional)]
    pub diff: Vec<DiffLine>,
}

/// What is there now, against what was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// The same.
    None,
    /// It was not there.
    Created,
    /// Other content, mode or target.
    Changed,
    /// It is gone.
    Removed,
    /// It was not kept, or cannot be looked at.
    Unknown,
}

/// What putting a file back does, or has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum UndoOutcome {
    /// It goes back exactly, or did.
    Restored,
    /// It is as it was.
    Unchanged,
    /// A folder that the call made stays, since something is in it.
    Stays,
    /// Somebody else may have changed it since: only `force` puts it back. What is there is kept first.
    Doubtful,
    /// It cannot be put back.
    Refused,
}

/// What to put back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct PutBackRequest {
    /// The calls. Each file goes back to what it was before the first of them.
    #[serde(default)]
    pub ids: Vec<RequestId>,
    /// Besides, every call of this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// With `session`, only its calls since then; without, every call since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "string")]
    pub since: Option<Timestamp>,
    /// Also files that somebody else may have changed since.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub force: bool,
    /// Only say what would be done.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub dry_run: bool,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PutBackResult {
    /// Every file of the calls, once. Its path is absolute.
    pub files: Vec<KeptFile>,
    /// What was there is kept as this call, and can be put back in turn. Absent: nothing was overwritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<RequestId>,
}
