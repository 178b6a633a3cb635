//! Paths that a call names, and what the file system says about them.
//!
//! Architecture invariant: the owner of the gate looks at the file system; the gate compares whole
//! components of what it is told, never the beginnings of strings.

mod candidate;
mod credential;
mod into_folder;
mod loose;
mod protection;

use std::collections::BTreeMap;

pub use candidate::{MAX_PATH_LENGTH, MAX_PATHS, PathCandidate};
pub(crate) use candidate::{
    WordPath, named_from_project, part_paths, read_paths, seen_from_project, word_paths, working_folder,
};
pub(crate) use credential::{CredentialReader, TakenFolder};
pub use credential::{FolderSearch, HeldCredential};
pub(crate) use into_folder::in_last;
pub(crate) use loose::{argument_texts, loose_paths};
pub use protection::{ProtectedPath, Protection};

/// What the file system says about the paths of one call, by the text of each [`PathCandidate`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathFacts(BTreeMap<String, ResolvedPath>);

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPath {
    /// Absolute, every symbolic link resolved by the real file system; of what does not exist yet,
    /// the part that exists is resolved and the rest follows it.
    pub path: String,
    /// The same file (device and inode) as a protected one, under whatever name.
    pub protected: Option<Protection>,
    /// It holds credentials, or would if it were there, by its name or that of a link to it.
    pub is_credential: bool,
    /// There is nothing there yet.
    pub is_missing: bool,
    /// It is a folder.
    pub is_folder: bool,
    /// What is there can be kept before it changes: nothing yet, or a file that is not too large and has no other name.
    pub is_keepable: bool,
    /// Of a folder that was to be searched: files in it that hold credentials.
    pub holds: Vec<HeldCredential>,
}

impl ResolvedPath {
    /// A path that is no protected file under another name.
    #[must_use]
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            protected: None,
            is_credential: false,
            is_missing: false,
            is_folder: false,
            is_keepable: true,
            holds: Vec::new(),
        }
    }
}

impl PathFacts {
    /// Where `text` leads; `None`: nobody has looked, or it cannot be told.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<&ResolvedPath> {
        self.0.get(text)
    }
}

impl FromIterator<(String, ResolvedPath)> for PathFacts {
    fn from_iter<I: IntoIterator<Item = (String, ResolvedPath)>>(facts: I) -> Self {
        Self(facts.into_iter().collect())
    }
}
