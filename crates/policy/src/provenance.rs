//! Where a request comes from, as the system tells it and not as its requester does. Texts are as they
//! were found: whoever shows them makes them safe. Nothing here makes an answer laxer.
//!
//! These types have a stored form of their own, which the audit log keeps: the API tells less of it, in plain lines.

use serde::{Deserialize, Serialize};

/// Where a request comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Provenance {
    /// The program that asked, then what started it, up to the program that holds its terminal.
    pub programs: Vec<ProvenanceProgram>,
    /// Index in `programs` of the one that is the agent, as far as can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<usize>,
    /// The terminal or editor that it runs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<ProvenanceTerminal>,
    /// Working folder of the agent's process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The git repository around `folder`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<ProvenanceRepository>,
    /// The container that it runs in, when the gate runs outside of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<ProvenanceContainer>,
    /// It runs in a session that somebody opened over SSH.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ssh: Option<ProvenanceSsh>,
    /// What the requester claims and the system does not bear out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
}

/// A running program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenanceProgram {
    /// Name of the process, which it can choose itself.
    pub name: String,
    /// Process number.
    pub pid: u32,
    /// The file that it was started from, as the system knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executable: Option<String>,
    /// The script that it runs, when it is an interpreter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Name of the agent that it is, as `claude-code`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

/// What a program's input and output belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenanceTerminal {
    /// The program that shows it, as `GNOME Terminal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The terminal device, as `pts/3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
}

/// A git working tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenanceRepository {
    /// Its uppermost folder.
    pub folder: String,
    /// The branch that is checked out; `None` when none is, or when it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit that is checked out without a branch, as git writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// It is a linked worktree: the folder of the repository that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree_of: Option<String>,
}

/// A container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenanceContainer {
    /// What runs it, as `Docker`.
    pub kind: String,
    /// Its name or id there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// An SSH session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenanceSsh {
    /// Address of the client, as the program's environment says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

/// A claim that the process contradicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Contradiction {
    /// The program is another agent than the one it says it is.
    OtherAgent {
        /// The name that was claimed.
        claimed: String,
        /// The name of the agent that it is.
        found: String,
    },
    /// None of the programs behind the request is the agent, and nothing among them could be.
    NoAgent {
        /// The name that was claimed.
        claimed: String,
    },
    /// The program works in quite another folder than it says.
    OtherFolder {
        /// The folder that was claimed.
        claimed: String,
        /// The working folder of the process.
        found: String,
    },
    /// The agent runs as another user than the gate.
    OtherUser {
        /// The user's number.
        user: u32,
    },
    /// The program runs in a container, where a path may lead to another file.
    InContainer,
}
