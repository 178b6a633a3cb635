//! A policy file on the disk: read with a bound, and told from a later one without reading it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use handraise_locations::{PrivateFileError, write_private};
use handraise_policy::rules::MAX_POLICY_FILE;

/// What changes whenever a file is written or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    identity: (u64, u64, i64, i64),
}

impl Fingerprint {
    /// Of the file at `path`; `None` when there is none.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
        };
        Some(Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            identity,
        })
    }
}

/// The text of the file at `path`. Only a regular file is opened: a pipe would be waited for.
pub(super) fn read(path: &Path) -> io::Result<String> {
    let metadata = path.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut text = String::new();
    std::fs::File::open(path)?.take(MAX_POLICY_FILE as u64 + 1).read_to_string(&mut text)?;
    if text.len() > MAX_POLICY_FILE {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {MAX_POLICY_FILE} bytes")));
    }
    Ok(text)
}

/// Writes the file at `path`; where that is a link, what it leads to.
pub(super) fn write(path: &Path, text: &str) -> Result<(), PrivateFileError> {
    write_private(&target(path), text.as_bytes())
}

/// Where `path` leads when it is a link.
pub(super) fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
