//! The end of the log as it is noted outside of the database: in a small file of its own, written whole.
//!
//! It shows what the chain alone cannot: that the newest entries are gone, that an older copy of the database lies
//! there, or that the log was written anew. It names only entries that are on the disk. A program of the same user
//! can write it too; a person who wants to be safe from that notes the end elsewhere (`docs/audit.md`).

use std::path::{Path, PathBuf};

use handraise_locations::{read_private, write_private};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::chain::Head;

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

/// The end of the log at some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    version: u32,
    /// The newest entry.
    #[serde(flatten)]
    pub head: Head,
    /// When this was noted: the latest time that this program has seen.
    pub noted_at: Timestamp,
}

/// What is known of the noted end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Noted {
    /// Nothing was ever noted here.
    Nothing,
    /// This.
    End(Anchor),
    /// The file cannot be read; with the reason.
    Unreadable(String),
}

impl Anchor {
    pub(super) fn new(head: Head, noted_at: Timestamp) -> Self {
        Self { version: VERSION, head, noted_at }
    }

    /// Writes it in the place of what is there.
    pub(super) fn write(&self, path: &Path) -> std::io::Result<()> {
        let text = serde_json::to_vec_pretty(self).map_err(std::io::Error::other)?;
        write_private(path, &text).map_err(std::io::Error::other)
    }
}

/// Reads what was noted.
pub(super) fn read(path: &Path) -> Noted {
    let text = match read_private(path) {
        Ok(text) => text,
        Err(error) if error.is_missing() => return Noted::Nothing,
        Err(error) => return Noted::Unreadable(error.to_string()),
    };
    match serde_json::from_str::<Anchor>(&text) {
        Ok(anchor) if anchor.version == VERSION => Noted::End(anchor),
        Ok(anchor) => Noted::Unreadable(format!("its version {} is not known here", anchor.version)),
        Err(error) => Noted::Unreadable(error.to_string()),
    }
}

/// Where the end of the log in `database` is noted.
pub(super) fn path_of(database: &Path) -> PathBuf {
    database.with_extension("end.json")
}
