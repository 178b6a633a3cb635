//! Which file it is, whatever it is called: a hard link and a bind mount lead to the same one.

use std::path::Path;

/// A file or folder apart from its name: device and inode number (POSIX `<sys/stat.h>`: the two
/// together identify a file uniquely within the system).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    /// The identity of what `path` leads to. `None` when nothing is there, and always on a system
    /// without inode numbers: there a hard link to a protected file is not recognised.
    #[cfg(unix)]
    pub(super) fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let metadata = path.metadata().ok()?;
        Some(Self { device: metadata.dev(), inode: metadata.ino() })
    }

    /// The identity of what `path` leads to.
    #[cfg(not(unix))]
    pub(super) fn of(_: &Path) -> Option<Self> {
        None
    }
}

/// Whether the file at `path` has a second name somewhere.
#[cfg(unix)]
pub(super) fn has_other_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.nlink() > 1)
}

/// Whether the file at `path` has a second name somewhere.
#[cfg(not(unix))]
pub(super) fn has_other_names(_: &Path) -> bool {
    false
}
