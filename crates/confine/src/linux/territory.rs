//! Which places a call may change.

use std::path::{Path, PathBuf};

/// Where the call may change something, as the paths are called in its own view.
pub(super) struct Territory {
    pub(super) writable: Vec<PathBuf>,
}

impl Territory {
    pub(super) fn is_writable(&self, path: &Path) -> bool {
        self.writable.iter().any(|place| path.starts_with(place))
    }

    /// Also what lies nowhere and came from the call itself: memory files, and sockets before they have a name.
    pub(super) fn may_change(&self, path: &Path) -> bool {
        let text = path.to_string_lossy();
        self.is_writable(path) || text.starts_with("/memfd:") || text.starts_with("socket:[")
    }
}
