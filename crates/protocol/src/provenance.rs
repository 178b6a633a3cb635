//! Where a request comes from, as the system tells it and not as its requester does. Every text is one
//! plain line, safe for any surface.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a request comes from. What the requester claims otherwise stands among the findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Provenance {
    /// All of it in short, as `Claude Code in shopfront (branch main) · GNOME Terminal`.
    pub summary: String,
    /// The program that asked, then what started it, up to the one that shows its terminal.
    pub programs: Vec<ProvenanceProgram>,
    /// What it runs in, as `GNOME Terminal, pts/3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<String>,
    /// Working folder of the agent's process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The git repository around that folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<ProvenanceRepository>,
    /// The container that it runs in, as `Docker 3f4ec1a09b1b`; absent where Handraise runs in the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// The SSH session that it runs in, as `from 192.0.2.7`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ssh: Option<String>,
}

/// A program behind a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ProvenanceProgram {
    /// What it is called: the agent's name where it is a known one, else that of its file.
    pub name: String,
    /// Process number.
    pub pid: u32,
    /// The file that it was started from, as the system knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executable: Option<String>,
    /// The script that it runs, when it is an interpreter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// It is the one that counts as the agent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub is_agent: bool,
}

/// A git working tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ProvenanceRepository {
    /// Its uppermost folder.
    pub folder: String,
    /// The branch that is checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit that is checked out without a branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// It is a linked worktree of the repository in this folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree_of: Option<String>,
}
