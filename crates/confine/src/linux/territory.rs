//! Which places a call may change.

use std::path::{Path, PathBuf};

/// Where the call may change something, as the paths are called in its own view.
pub(super) struct Territory {
    /// Places that others have, too: the project's folders, further ones, caches.
    pub(super) shared: Vec<PathBuf>,
    /// Places of the call alone. Shared ones may lie in them.
    pub(super) private: Vec<PathBuf>,
}

impl Territory {
    pub(super) fn is_writable(&self, path: &Path) -> bool {
        self.is_shared(path) || self.private.iter().any(|place| path.starts_with(place))
    }

    /// Whether others know this place, too.
    pub(super) fn is_shared(&self, path: &Path) -> bool {
        self.shared.iter().any(|place| path.starts_with(place))
    }

    /// Also what lies nowhere and came from the call itself: memory files, and sockets before they have a name.
    pub(super) fn may_change(&self, path: &Path) -> bool {
        let text = path.to_string_lossy();
        self.is_writable(path) || text.starts_with("/memfd:") || text.starts_with("socket:[")
    }
}
