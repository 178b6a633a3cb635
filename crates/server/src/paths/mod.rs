//! The paths that a call names, as the file system sees them.
//!
//! The gate never touches the file system; it names the paths that it would like to know more about,
//! and this module answers. Links are followed physically: `link/..` is the folder above what the link
//! points to. Nothing is followed that the caller's own environment could bend: the home folder comes
//! from the user database, and a relative path counts only with an absolute working folder.
//!
//! What this cannot do: hold a file still. Between the answer and the agent's own access, links and
//! names can change; the gate decides about the file system as it is now. The calls below block, and on
//! a network mount that does not answer they block the engine with everything that waits for it, as a
//! database on that mount would.

mod identity;
mod project;
mod protected;

use std::path::{Path, PathBuf};

pub(crate) use project::project_folder;
pub(crate) use protected::Protected;

/// Paths of one call that are looked up. The others stay unresolved, which is never allowed.
pub(crate) const MOST_PATHS: usize = 256;
/// Longest path that is looked up, in bytes (Linux: `PATH_MAX`, limits.h).
const LONGEST_PATH: usize = 4096;

/// A path of a call, looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Absolute, every link followed, for what exists; the rest as it is written.
    pub(crate) path: PathBuf,
    /// It is, holds or leads to something that no agent may change.
    pub(crate) is_protected: bool,
}

/// Looks paths up.
#[derive(Clone, Debug)]
pub(crate) struct PathResolver {
    home: Option<PathBuf>,
}

impl PathResolver {
    /// A resolver for the user whose home folder is `home`.
    pub(crate) fn new(home: Option<PathBuf>) -> Self {
        Self { home }
    }

    /// The user's home folder.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Looks up the path that is written as `text` in a call whose working folder is `cwd`. `None`
    /// when nobody can say which file that is.
    pub(crate) fn find(&self, text: &str, cwd: Option<&str>, protected: &Protected) -> Option<Found> {
        let written = self.absolute(text, cwd)?;
        let path = soft_canonicalize::soft_canonicalize(&written).ok()?;
        let is_protected = protected.covers(&written) || protected.covers(&path);
        Some(Found { path, is_protected })
    }

    /// The absolute path that `text` stands for, before any link is followed.
    fn absolute(&self, text: &str, cwd: Option<&str>) -> Option<PathBuf> {
        if text.is_empty() || text.contains('\0') || text.len() > LONGEST_PATH {
            return None;
        }
        // `~name` is another user's home folder: left to the gate, which does not know it.
        let rest = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        if let Some(rest) = rest {
            return Some(self.home.as_ref()?.join(rest.trim_start_matches('/')));
        }
        if text.starts_with('~') {
            return None;
        }
        let path = Path::new(text);
        if path.is_absolute() {
            return Some(path.to_owned());
        }
        let cwd = Path::new(cwd?);
        cwd.is_absolute().then(|| cwd.join(path))
    }
}

#[cfg(test)]
mod tests;
