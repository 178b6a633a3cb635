//! Paths without a look at the disk.

use std::path::{Component, Path, PathBuf};

/// Without `.` and `..`.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}
