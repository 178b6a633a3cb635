//! What is kept, and what needs it: the records, the contents, and how often each content is needed.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::content::Contents;
use crate::{ContentHash, KeptCall, Limits, StoreError};

/// Longest id of a call.
const MAX_ID: usize = 64;

/// Everything that is kept: on the disk, and what is known of it here.
#[derive(Debug)]
pub(crate) struct Inventory {
    /// Of the records.
    pub(crate) folder: PathBuf,
    pub(crate) contents: Contents,
    pub(crate) index: Mutex<Index>,
    /// One restore at a time.
    pub(crate) restoring: Mutex<()>,
}

/// What is known of the records and the contents.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) limits: Limits,
    pub(crate) calls: BTreeMap<String, Arc<KeptCall>>,
    /// How often each content is needed: by records, and by looks that go on.
    pub(crate) needed: HashMap<ContentHash, usize>,
    /// Bytes of all contents that lie on the disk, by their hash.
    pub(crate) sizes: HashMap<ContentHash, u64>,
}

impl Inventory {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn path(&self, id: &str) -> Result<PathBuf, StoreError> {
        let is_plain = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        if id.is_empty() || id.len() > MAX_ID || !id.bytes().all(is_plain) {
            return Err(StoreError::NoId(id.to_owned()));
        }
        Ok(self.folder.join(format!("{id}.json")))
    }

    pub(crate) fn forget(&self, index: &mut Index, id: &str) {
        let free = index.remove(id);
        // First the record, then what it names: a crash in between leaves contents that nothing needs.
        if let Ok(path) = self.path(id)
            && let Err(error) = fs::remove_file(path)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "a record of what was kept cannot be removed");
            return;
        }
        self.free(index, &free);
    }

    pub(crate) fn free(&self, index: &mut Index, hashes: &[ContentHash]) {
        for hash in hashes {
            self.contents.remove(*hash);
            index.sizes.remove(hash);
        }
    }
}

impl Index {
    pub(crate) fn insert(&mut self, kept: KeptCall) {
        for hash in kept.files.iter().filter_map(|file| file.before.hash()) {
            *self.needed.entry(hash).or_default() += 1;
        }
        self.calls.insert(kept.call.id.clone(), Arc::new(kept));
    }

    /// Gives the contents that nothing needs any more.
    pub(crate) fn remove(&mut self, id: &str) -> Vec<ContentHash> {
        let Some(kept) = self.calls.remove(id) else { return Vec::new() };
        let hashes: Vec<ContentHash> = kept.files.iter().filter_map(|file| file.before.hash()).collect();
        self.release(&hashes)
    }

    pub(crate) fn release(&mut self, hashes: &[ContentHash]) -> Vec<ContentHash> {
        let mut free = Vec::new();
        for hash in hashes {
            let Some(count) = self.needed.get_mut(hash) else { continue };
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.needed.remove(hash);
                free.push(*hash);
            }
        }
        free
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.sizes.values().sum()
    }
}
