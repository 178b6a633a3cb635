//! A look at the policy file: on a disk that does not answer, it takes for ever.

use std::io;
use std::path::{Path, PathBuf};

use super::file::{self, Fingerprint};
use super::{PolicyText, RefusedText, etag};

/// A look that is to be done, on a thread that nobody waits for.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The file.
    pub(super) path: PathBuf,
    /// How it was told from a later one at the last look.
    pub(super) seen: Option<Fingerprint>,
    /// SHA-256 of the text that it held then.
    pub(super) on_disk: Option<String>,
    /// SHA-256 of the confirmed text.
    pub(super) confirmed: String,
    /// What the store was when this was begun.
    pub(super) generation: u64,
}

/// What a look has shown.
#[derive(Clone, Debug)]
pub(crate) struct Looked {
    pub(super) generation: u64,
    pub(super) fingerprint: Option<Fingerprint>,
    pub(super) found: TextOnDisk,
}

/// What lies on the disk.
#[derive(Clone, Debug)]
pub(super) enum TextOnDisk {
    /// The same as at the last look.
    Same,
    /// The confirmed text, with its SHA-256.
    Confirmed(String),
    /// Another one that can be used.
    Usable(Box<PolicyText>),
    /// One that cannot be used; its SHA-256, unless there is none.
    Refused(RefusedText, Option<String>),
}

impl Look {
    /// Looks at the disk, and reads what is new there.
    pub(crate) fn look(self) -> Looked {
        let Self { path, seen, on_disk, confirmed, generation } = self;
        // Taken before the text: what is written in between is seen the next time.
        let fingerprint = Fingerprint::of(&path);
        let found = if fingerprint.is_some() && fingerprint == seen {
            TextOnDisk::Same
        } else {
            found(&path, on_disk.as_deref(), &confirmed)
        };
        Looked { generation, fingerprint, found }
    }
}

fn found(path: &Path, on_disk: Option<&str>, confirmed: &str) -> TextOnDisk {
    let text = match file::read(path) {
        Ok(text) => text,
        Err(error) => return TextOnDisk::Refused(RefusedText::unreadable(unreadable(path, &error)), None),
    };
    let etag = etag(&text);
    if on_disk == Some(&etag) {
        return TextOnDisk::Same;
    }
    if etag == confirmed {
        return TextOnDisk::Confirmed(etag);
    }
    match PolicyText::read(text) {
        Ok(text) => TextOnDisk::Usable(Box::new(text)),
        Err(refused) => TextOnDisk::Refused(refused, Some(etag)),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        return format!("the file {} is not there any more", path.display());
    }
    format!("the file {} cannot be read: {error}", path.display())
}
