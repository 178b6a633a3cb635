//! Which places a call may change.

use std::path::{Path, PathBuf};

/// Where the call may change something, as the paths are called in its own view.
pub(super) struct Territory {
    /// Places that others have, too: the project's folders, further ones, caches.
    pub(super) shared: Vec<PathBuf>,
    /// Places of the call alone. Shared ones may lie in them.
    pub(super) private: Vec<PathBuf>,
}

/// One place of a territory, with all that lies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room<'a> {
    /// Others have it, too.
    Shared(&'a Path),
    /// The call alone has it.
    Private(&'a Path),
}

impl Territory {
    /// The place that holds `path`: of several the outermost, and one that others have before the call's own.
    pub(super) fn room(&self, path: &Path) -> Option<Room<'_>> {
        let shared = outermost(&self.shared, path).map(Room::Shared);
        shared.or_else(|| outermost(&self.private, path).map(Room::Private))
    }

    pub(super) fn is_writable(&self, path: &Path) -> bool {
        self.room(path).is_some()
    }

    /// Whether others know this place, too.
    pub(super) fn is_shared(&self, path: &Path) -> bool {
        matches!(self.room(path), Some(Room::Shared(_)))
    }

    /// Also what lies nowhere and came from the call itself: memory files, and sockets before they have a name.
    pub(super) fn may_change(&self, path: &Path) -> bool {
        let text = path.to_string_lossy();
        self.is_writable(path) || text.starts_with("/memfd:") || text.starts_with("socket:[")
    }
}

fn outermost<'a>(places: &'a [PathBuf], path: &Path) -> Option<&'a Path> {
    let holding = places.iter().map(PathBuf::as_path).filter(|place| path.starts_with(place));
    holding.min_by_key(|place| place.components().count())
}
