//! How much is kept.

use std::fs::Metadata;

use jiff::SignedDuration;

use crate::disk::is_keepable;

/// How much is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Files of one call.
    pub call_files: usize,
    /// Bytes of one call.
    pub call_bytes: u64,
    /// Bytes of everything; the oldest calls go first.
    pub store_bytes: u64,
    /// Calls at all.
    pub calls: usize,
    /// How long a call is kept.
    pub age: SignedDuration,
}

impl Limits {
    /// Whether a file like `found` is kept, as far as it can be told without opening it: an ordinary one of this user's
    /// own, with one name, and not too large.
    #[must_use]
    pub fn may_keep(&self, found: &Metadata) -> bool {
        is_keepable(found, self.file_bytes)
    }
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: u64 = 1024 * 1024;
        Self {
            file_bytes: 8 * MIB,
            call_files: 128,
            call_bytes: 32 * MIB,
            store_bytes: 512 * MIB,
            calls: 5_000,
            age: SignedDuration::from_hours(7 * 24),
        }
    }
}
