//! Files that an agent chooses: looked at and put back without following a link, and without waiting for one.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use elsewhere::{FolderEntry, find, is_keepable};
#[cfg(unix)]
pub(crate) use unix::{FolderEntry, find, is_keepable};

use crate::FileState;

/// A file as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedFile {
    /// What it is.
    pub state: FileState,
    /// What it holds, of an ordinary file.
    pub content: Option<Vec<u8>>,
}

impl ObservedFile {
    pub(crate) fn of(state: FileState) -> Self {
        Self { state, content: None }
    }

    pub(crate) fn not_kept(why: impl Into<String>) -> Self {
        Self::of(FileState::not_kept(why))
    }
}

/// Where a path leads that was followed name by name.
#[derive(Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "nothing is looked at there"))]
pub(crate) enum Followed {
    /// A name in a folder that is there. Whether something has this name is not known.
    At(FolderEntry),
    /// A folder on the way is missing: so many of the path's first names, that one included.
    NoFolder(usize),
}

/// Why something was not put back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "nothing is looked at there"))]
pub(crate) enum NotPut {
    /// What was there is not what was looked at a moment before.
    Changed,
    /// The same, twice at this moment: the other one lies beside it under this name.
    Beside(String),
    /// It is a folder with something in it, which stays.
    NotEmpty,
    /// What the system says.
    Refused(String),
}

/// Longest file that is read, as text.
#[cfg(unix)]
pub(crate) fn too_large(limit: u64) -> String {
    format!("it is larger than {} MiB", limit / (1024 * 1024))
}
