//! The store: contents, and one record for each call.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use handraise_locations::create_private_folder;
use jiff::{SignedDuration, Timestamp};

use crate::content::{Contents, sync_folder, write_whole};
use crate::disk::{Followed, ObservedFile, find};
use crate::inventory::{Index, Inventory};
use crate::pins::Pins;
use crate::target::Looking;
use crate::{ContentHash, FileState, KeptCall, KeptFile, Limits, NewCall, Snapshot, StoreError, Target};

/// Version of the records.
const VERSION: u32 = 1;

/// The store. Its copies are one and the same.
#[derive(Clone, Debug)]
pub struct Store(pub(crate) Arc<Inventory>);

impl Store {
    /// Opens the store in `folder`, or makes it. What a crash left is taken away: half-written files, and contents that
    /// no record names. A record that cannot be read stays as long as any other, and then every content stays.
    ///
    /// # Errors
    /// When the folder cannot be made or read, or is not this user's alone.
    pub fn open(folder: &Path, limits: Limits, now: Timestamp) -> Result<Self, StoreError> {
        create_private_folder(folder)?;
        let (calls_folder, contents) = (folder.join("calls"), Contents::open(folder.join("contents"))?);
        create_private_folder(&calls_folder)?;
        let Records { calls, is_whole } = records(&calls_folder, limits.age)?;
        let mut index = Index { limits, calls: BTreeMap::new(), needed: HashMap::new(), sizes: HashMap::new() };
        calls.into_iter().for_each(|call| index.insert(call));
        for stored in contents.list()? {
            if is_whole && !index.needed.contains_key(&stored.hash) {
                contents.remove(stored.hash);
            } else {
                index.sizes.insert(stored.hash, stored.bytes);
            }
        }
        let inventory =
            Inventory { folder: calls_folder, contents, index: Mutex::new(index), restoring: Mutex::default() };
        let store = Self(Arc::new(inventory));
        store.prune(now);
        Ok(store)
    }

    /// Keeps so much from now on.
    pub fn set_limits(&self, limits: Limits, now: Timestamp) {
        self.0.lock().limits = limits;
        self.prune(now);
    }

    /// What is kept at most.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.0.lock().limits.clone()
    }

    /// Looks at `targets` below `root`, which is absolute and without links, and brings what they hold to the disk.
    ///
    /// # Errors
    /// When the store cannot be written. Files that cannot be kept are no error: they say so.
    pub fn look(&self, root: &Path, targets: &[Target]) -> Result<Snapshot, StoreError> {
        let limits = self.limits();
        Looking::new(root, &limits, self.pins()).look(targets)
    }

    /// Writes the record of `call`: from now on it can be put back. `None`: there was nothing to keep.
    ///
    /// # Errors
    /// When it cannot be written; nothing is kept then.
    pub fn keep(&self, call: NewCall, look: Snapshot) -> Result<Option<Arc<KeptCall>>, StoreError> {
        if look.files.is_empty() {
            return Ok(None);
        }
        let (at, id) = (call.at, call.id.clone());
        let kept = KeptCall { version: VERSION, call, files: look.files, unfinished: false };
        self.replace(kept)?;
        self.prune(at);
        self.call(&id).map(Some).ok_or(StoreError::Full)
    }

    /// Forgets a call, and what only it needs.
    pub fn forget(&self, id: &str) {
        let mut index = self.0.lock();
        self.0.forget(&mut index, id);
    }

    /// Notes what the call has left. Whoever calls this knows that it is over. A call that has changed nothing is
    /// forgotten.
    ///
    /// # Errors
    /// When it is not known, or the record cannot be written.
    pub fn observe(&self, id: &str) -> Result<(), StoreError> {
        let kept = self.call(id).ok_or_else(|| StoreError::Unknown(id.to_owned()))?;
        let limit = self.limits().file_bytes;
        let root = kept.call.root.as_path();
        let look = |file: &KeptFile| present(root, file.path.as_path(), limit).state;
        let found: Vec<FileState> = kept.files.iter().map(look).collect();
        let mut index = self.0.lock();
        let Some(known) = index.calls.get_mut(id).map(Arc::make_mut) else { return Ok(()) };
        for (file, state) in known.files.iter_mut().zip(found) {
            // The first look is the one that counts: what is there later may be somebody else's.
            file.after.get_or_insert(state);
        }
        let is_same = |file: &KeptFile| file.after.as_ref() == Some(&file.before);
        // A command may go on beside its call: what it named and left alone so far stays kept.
        let nothing = known
            .files
            .iter()
            .all(|file| is_same(file) && (known.call.names_all || matches!(file.before, FileState::Absent)));
        if nothing {
            self.0.forget(&mut index, id);
            return Ok(());
        }
        let known = known.clone();
        self.write(&known)
    }

    /// Every call, the oldest first.
    #[must_use]
    pub fn calls(&self) -> Vec<Arc<KeptCall>> {
        self.0.lock().calls.values().cloned().collect()
    }

    /// What is kept of one call.
    #[must_use]
    pub fn call(&self, id: &str) -> Option<Arc<KeptCall>> {
        self.0.lock().calls.get(id).cloned()
    }

    /// What a file held.
    ///
    /// # Errors
    /// When it is not there any more, or is damaged.
    pub fn content(&self, hash: ContentHash) -> Result<Vec<u8>, StoreError> {
        self.0.contents.get(hash)
    }

    /// What is at the absolute `path` now, which is looked at as every other file.
    #[must_use]
    pub fn present_at(&self, path: &Path) -> ObservedFile {
        present(Path::new("/"), path.strip_prefix("/").unwrap_or(path), self.limits().file_bytes)
    }

    /// Takes away what is too old, or too much.
    pub fn prune(&self, now: Timestamp) {
        let mut index = self.0.lock();
        let before = now.checked_sub(index.limits.age).unwrap_or(Timestamp::MIN);
        let old = index.calls.values().filter(|kept| kept.call.at < before);
        let old: Vec<String> = old.map(|kept| kept.call.id.clone()).collect();
        old.iter().for_each(|id| self.0.forget(&mut index, id));
        while index.calls.len() > index.limits.calls || index.bytes() > index.limits.store_bytes {
            let Some(oldest) = index.calls.keys().next().cloned() else { return };
            self.0.forget(&mut index, &oldest);
        }
    }

    pub(crate) fn pins(&self) -> Pins {
        Pins::of(self.0.clone())
    }

    /// Puts a record in the place of the one with its id, on the disk and here.
    pub(crate) fn replace(&self, kept: KeptCall) -> Result<(), StoreError> {
        self.0.contents.sync()?;
        self.write(&kept)?;
        let mut index = self.0.lock();
        let hashes = |kept: &Arc<KeptCall>| kept.files.iter().filter_map(|file| file.before.hash()).collect::<Vec<_>>();
        let earlier = index.calls.get(&kept.call.id).map(hashes).unwrap_or_default();
        // The new one first: what both need stays.
        index.insert(kept);
        let free = index.release(&earlier);
        self.0.free(&mut index, &free);
        Ok(())
    }

    fn write(&self, kept: &KeptCall) -> Result<(), StoreError> {
        let path = self.0.path(&kept.call.id)?;
        write_whole(&self.0.folder, &path, &serde_json::to_vec(kept)?)?;
        sync_folder(&self.0.folder)
    }
}

/// What is at `path` below `root`.
pub(crate) fn present(root: &Path, path: &Path, limit: u64) -> ObservedFile {
    match find(root, path) {
        Ok(Followed::At(place)) => place.look(limit),
        Ok(Followed::NoFolder(_)) => ObservedFile::of(FileState::Absent),
        Err(why) => ObservedFile::not_kept(why),
    }
}

/// What lies in the folder of the records.
struct Records {
    calls: Vec<KeptCall>,
    /// All of it could be read.
    is_whole: bool,
}

fn records(folder: &Path, age: SignedDuration) -> Result<Records, StoreError> {
    let mut found = Records { calls: Vec::new(), is_whole: true };
    let age = Duration::try_from(age).unwrap_or(Duration::MAX);
    for entry in fs::read_dir(folder).map_err(|error| StoreError::io(folder, error))? {
        let path = entry.map_err(|error| StoreError::io(folder, error))?.path();
        if path.extension().is_none_or(|ending| ending != "json") {
            // A leftover that stays does no harm.
            drop(fs::remove_file(path));
            continue;
        }
        let read = fs::read(&path).ok().and_then(|text| serde_json::from_slice::<KeptCall>(&text).ok());
        let is_own = |kept: &KeptCall| path.file_stem().is_some_and(|name| name == kept.call.id.as_str());
        if let Some(kept) = read.filter(|kept| kept.version == VERSION && is_own(kept)) {
            found.calls.push(kept);
            continue;
        }
        let written = path.metadata().and_then(|found| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
        if SystemTime::now().duration_since(written).is_ok_and(|since| since > age) {
            drop(fs::remove_file(path));
        } else {
            tracing::warn!(path = %path.display(), "a record of what was kept cannot be read");
            found.is_whole = false;
        }
    }
    Ok(found)
}
