//! Which file it is, whatever it is called: a hard link and a bind mount lead to the same one.

use std::fs::Metadata;
use std::path::Path;

/// A file or folder apart from its name: device and inode number (POSIX `<sys/stat.h>`: the two
/// together identify a file uniquely within the system).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    /// The identity of what `path` leads to. `None` when nothing is there, and always on a system
    /// without inode numbers: there a hard link to a protected file is not recognised.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        path.metadata().ok().as_ref().and_then(Self::from_metadata)
    }

    /// The identity of an ordinary file or a folder with this `metadata`. `None` as well: it belongs to somebody else, or is
    /// a file with a second name.
    #[cfg(unix)]
    pub(crate) fn of_this_user(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let is_ordinary = metadata.is_dir() || metadata.is_file() && metadata.nlink() == 1;
        let is_own = is_ordinary && metadata.uid() == nix::unistd::geteuid().as_raw();
        Self::from_metadata(metadata).filter(|_| is_own)
    }

    /// The identity of an ordinary file or a folder with this `metadata`. Nobody can say whose it is.
    #[cfg(not(unix))]
    pub(crate) fn of_this_user(_: &Metadata) -> Option<Self> {
        None
    }

    /// The identity of the file with this `metadata`, likewise.
    #[cfg(unix)]
    pub(crate) fn from_metadata(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self { device: metadata.dev(), inode: metadata.ino() })
    }

    /// The identity of the file with this `metadata`, likewise.
    #[cfg(not(unix))]
    pub(crate) fn from_metadata(_: &Metadata) -> Option<Self> {
        None
    }
}

/// Whether the file with this `metadata` has a second name somewhere.
#[cfg(unix)]
pub(crate) fn has_other_names(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.is_file() && metadata.nlink() > 1
}

/// Whether the file with this `metadata` has a second name somewhere.
#[cfg(not(unix))]
pub(crate) fn has_other_names(_: &Metadata) -> bool {
    false
}
