//! What is written down about one call.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{ContentHash, KeptPath};

/// What a file was at some moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FileState {
    /// Nothing was there.
    Absent,
    /// An ordinary file.
    File {
        /// What it held.
        hash: ContentHash,
        /// Its permission bits (POSIX `chmod`: 0o7777).
        mode: u32,
        /// Its length in bytes.
        size: u64,
    },
    /// A symbolic link.
    Link {
        /// Where it leads, as it says.
        target: KeptPath,
    },
    /// A folder.
    Folder {
        /// Its permission bits.
        mode: u32,
    },
    /// Something that is not kept.
    NotKept {
        /// Why, as a clause: "it is larger than 8 MiB".
        why: String,
    },
}

impl FileState {
    /// Not kept, and `why`.
    pub(crate) fn not_kept(why: impl Into<String>) -> Self {
        Self::NotKept { why: why.into() }
    }

    /// Whether it is known: kept, or nothing there.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::NotKept { .. })
    }

    pub(crate) fn hash(&self) -> Option<ContentHash> {
        match self {
            Self::File { hash, .. } => Some(*hash),
            _ => None,
        }
    }
}

/// One file of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFile {
    /// Below the folder of the call.
    pub path: KeptPath,
    /// What it was before the call was answered.
    pub before: FileState,
    /// What the call left, as it was seen when the agent said that the call is over; absent: nobody has looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<FileState>,
    /// What the call leaves by its own arguments, where they say so: the whole content of a file that is written, or
    /// the text with one piece replaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<ContentHash>,
    /// It holds secrets by its name: what it held is shown to nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_secret: bool,
}

impl KeptFile {
    /// Whether the call has left the file as `state`, as far as that is known. `None`: it is not.
    #[must_use]
    pub fn left(&self, state: &FileState) -> Option<bool> {
        if *state == self.before {
            // Whoever left it so: nothing has happened to it.
            return Some(true);
        }
        let is_expected = || state.hash().is_some_and(|hash| self.expected.contains(&hash)) && self.has_mode_of(state);
        match &self.after {
            Some(after) if after.is_known() => Some(after == state),
            _ => is_expected().then_some(true),
        }
    }

    /// An edit leaves the permission bits alone; those of a new file are the agent's choice.
    fn has_mode_of(&self, state: &FileState) -> bool {
        match (&self.before, state) {
            (FileState::File { mode, .. }, FileState::File { mode: now, .. }) => mode == now,
            _ => true,
        }
    }
}

/// A call that passed, and what it was about to change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptCall {
    /// Version of this format: 1.
    pub version: u32,
    /// What was asked.
    #[serde(flatten)]
    pub call: NewCall,
    /// The files, each once.
    pub files: Vec<KeptFile>,
    /// Something is being put back, or was when the program ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) unfinished: bool,
}

/// A call, as it is to be found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewCall {
    /// Its id: letters of `0-9a-f-`. Ids sort by time.
    pub id: String,
    /// When it was kept.
    pub at: Timestamp,
    /// The credential that it was asked with.
    pub requester: String,
    /// The agent, as a person is told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The tool.
    pub tool: String,
    /// One line that says what it does, without secrets.
    pub title: String,
    /// The folder that its files lie in: absolute, without links.
    pub root: KeptPath,
    /// Its files are all that it can change, as of a tool that writes one file. A command may change others.
    pub names_all: bool,
    /// It is no call of an agent: this was kept because a person put another call back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_undo: bool,
}

/// How much of a call can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undoable {
    /// All of it.
    Whole,
    /// The files that it names, or some of them.
    InPart,
    /// Nothing.
    Nothing,
}

impl KeptCall {
    /// How much of it can be undone.
    #[must_use]
    pub fn undoable(&self) -> Undoable {
        let kept = self.files.iter().filter(|file| file.before.is_known()).count();
        match kept {
            0 => Undoable::Nothing,
            _ if self.call.names_all && kept == self.files.len() => Undoable::Whole,
            _ => Undoable::InPart,
        }
    }

    /// Why some file was not kept; `None`: all were.
    #[must_use]
    pub fn obstacle(&self) -> Option<(&KeptPath, &str)> {
        self.files.iter().find_map(|file| match &file.before {
            FileState::NotKept { why } => Some((&file.path, why.as_str())),
            _ => None,
        })
    }
}
