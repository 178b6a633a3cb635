//! One object of git: its name, what it is, and how it is packed.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::{Lookup, NotTold};

/// Longest object that is read, in bytes: commits, folders, and the files that are compared.
pub(super) const MAX_OBJECT: usize = 4 * 1024 * 1024;

/// The name of an object: 20 bytes, or 32.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub(crate) Vec<u8>);

impl ObjectId {
    /// From hexadecimal digits, `length` bytes of them.
    pub(super) fn from_hex(text: &str, length: usize) -> Option<Self> {
        hex::decode(text).ok().filter(|bytes| bytes.len() == length).map(Self)
    }

    /// In hexadecimal digits.
    pub(crate) fn hex(&self) -> String {
        hex::encode(&self.0)
    }
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectKind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// What `packed` stands for, at most `longest` bytes.
pub(super) fn inflated(packed: impl Read, longest: usize) -> Lookup<Vec<u8>> {
    let mut whole = Vec::new();
    let most = u64::try_from(longest).unwrap_or(u64::MAX);
    ZlibDecoder::new(packed).take(most.saturating_add(1)).read_to_end(&mut whole).map_err(|_| NotTold)?;
    if whole.len() > longest { Err(NotTold) } else { Ok(whole) }
}
