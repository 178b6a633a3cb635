//! What files held, by the SHA-256 of it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use handraise_locations::{PrivateFileError, create_private_folder};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::StoreError;

/// The SHA-256 of what a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Of `content`.
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        Self(Sha256::digest(content).into())
    }
}

impl std::fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl std::fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{self}")
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for ContentHash {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut hash = [0; 32];
        hex::decode_to_slice(text, &mut hash).map(|()| Self(hash))
    }
}

/// The folder of the contents: one file for each, with its hash as name. Mode 0600 in a folder of mode 0700.
#[derive(Debug)]
pub(crate) struct Contents {
    folder: PathBuf,
}

/// A content that lies in the folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub(crate) hash: ContentHash,
    pub(crate) bytes: u64,
}

impl Contents {
    /// Opens the folder, or makes it.
    pub(crate) fn open(folder: PathBuf) -> Result<Self, PrivateFileError> {
        create_private_folder(&folder)?;
        Ok(Self { folder })
    }

    /// Everything that lies in it. What a crash left half-written is taken away.
    pub(crate) fn list(&self) -> Result<Vec<Stored>, StoreError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(|error| StoreError::io(&self.folder, error))? {
            let entry = entry.map_err(|error| StoreError::io(&self.folder, error))?;
            let name = entry.file_name().into_string().ok();
            match name.and_then(|name| ContentHash::try_from(name).ok()) {
                Some(hash) => {
                    let bytes = entry.metadata().map_err(|error| StoreError::io(&entry.path(), error))?.len();
                    found.push(Stored { hash, bytes });
                }
                // A leftover that stays does no harm.
                None => drop(fs::remove_file(entry.path())),
            }
        }
        Ok(found)
    }

    /// Brings `content` to the disk unless it is there. Says whether it is new.
    pub(crate) fn put(&self, hash: ContentHash, content: &[u8]) -> Result<bool, StoreError> {
        let path = self.path(hash);
        let is_there = path.symlink_metadata().is_ok_and(|found| {
            found.is_file() && u64::try_from(content.len()).is_ok_and(|length| length == found.len())
        });
        if is_there {
            return Ok(false);
        }
        write_whole(&self.folder, &path, content)?;
        Ok(true)
    }

    /// What has this hash.
    pub(crate) fn get(&self, hash: ContentHash) -> Result<Vec<u8>, StoreError> {
        let path = self.path(hash);
        let content = fs::read(&path).map_err(|error| StoreError::io(&path, error))?;
        if ContentHash::of(&content) != hash {
            return Err(StoreError::Damaged(path));
        }
        Ok(content)
    }

    /// Takes it away. Gives the bytes that are free now.
    pub(crate) fn remove(&self, hash: ContentHash) -> u64 {
        let path = self.path(hash);
        let bytes = path.symlink_metadata().map_or(0, |found| found.len());
        match fs::remove_file(&path) {
            Ok(()) => bytes,
            Err(error) => {
                tracing::warn!(%error, "what nothing needs any more cannot be removed");
                0
            }
        }
    }

    fn path(&self, hash: ContentHash) -> PathBuf {
        self.folder.join(hash.to_string())
    }
}

/// Writes a file of this user alone: a new file in `folder`, fsync, rename. What the folder says is brought to the disk
/// by [`sync_folder`], once for all of them.
pub(crate) fn write_whole(folder: &Path, path: &Path, content: &[u8]) -> Result<(), StoreError> {
    let failed = |error| StoreError::io(path, error);
    // `tempfile` makes the file with mode 0600.
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder).map_err(failed)?;
    file.write_all(content).map_err(failed)?;
    file.as_file().sync_data().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Brings the names in `folder` to the disk.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| StoreError::io(folder, error))?;
    }
    Ok(())
}

impl Contents {
    /// Brings the names of all contents to the disk.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        sync_folder(&self.folder)
    }
}
