//! Which files git knows, and which of them are not as it has them.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::index::{self, IndexEntry};
use super::object::{MAX_OBJECT, ObjectKind};
use super::{Lookup, NotTold, ObjectId, Repository};
use crate::disk::{Disk, Kind};

/// Folders in folders of a commit.
pub(super) const MAX_DEPTH: usize = 128;
/// Kinds of files in an index: a link, and what is executable.
const LINK: u32 = 0o120_000;

/// How git has a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileState {
    /// It does not know it.
    Unknown,
    /// It has another content.
    Changed,
    /// As it is.
    Same,
}

/// What git knows of one file.
#[derive(Clone, Debug)]
struct KnownFile {
    mode: u32,
    changed: (u32, u32),
    size: u32,
    id: ObjectId,
    is_unwatched: bool,
}

/// The files that git knows.
#[derive(Debug)]
pub(crate) struct KnownFiles {
    files: HashMap<Vec<u8>, KnownFile>,
    /// The folders that they lie in.
    folders: HashSet<Vec<u8>>,
    /// When git has looked last.
    looked: (i64, i64),
}

impl KnownFiles {
    /// Whether something in the folder `path`, from the top, is known.
    pub(crate) fn has_folder(&self, path: &[u8]) -> bool {
        path.is_empty() || self.folders.contains(path)
    }

    /// Whether the file `path`, from the top, is known.
    pub(crate) fn has(&self, path: &[u8]) -> bool {
        self.files.contains_key(path)
    }
}

impl Repository {
    /// `path` from the top of the working files.
    pub(crate) fn below_top<'a>(&self, path: &'a Path) -> Option<&'a [u8]> {
        path.strip_prefix(&self.top).ok().map(|path| path.as_os_str().as_bytes())
    }

    /// The files that git knows.
    pub(crate) fn known_files(&self) -> Lookup<KnownFiles> {
        self.until.check()?;
        let path = self.git.join("index");
        let mut disk = Disk::default();
        let (mut files, mut folders) = (HashMap::new(), HashSet::new());
        let looked = path.metadata().map(|found| (found.mtime(), found.mtime_nsec())).unwrap_or_default();
        let held = disk.read(&path, index::MAX_SIZE).map_err(|_| NotTold)?;
        let add = |entry: IndexEntry<'_>| {
            // What a merge has left is decided by nobody yet, and submodules have a repository of their own.
            if entry.is_conflict {
                return None;
            }
            let IndexEntry { path, mode, changed, size, id, is_unwatched, .. } = entry;
            let known = KnownFile { mode, changed, size, id: ObjectId(id.to_vec()), is_unwatched };
            for (at, _) in path.iter().enumerate().rev().filter(|(_, byte)| **byte == b'/') {
                if !folders.insert(path.get(..at)?.to_vec()) {
                    break;
                }
            }
            files.insert(path.to_vec(), known);
            Some(())
        };
        if let Some(held) = held {
            index::each(&held, self.objects.length, add).ok_or(NotTold)?;
        }
        Ok(KnownFiles { files, folders, looked })
    }

    /// How git has the file `path`, from the top, of which `found` is what the disk says.
    pub(crate) fn state(&mut self, known: &KnownFiles, path: &[u8], found: &Metadata) -> Lookup<FileState> {
        let Some(file) = known.files.get(path) else { return Ok(FileState::Unknown) };
        let is_link = file.mode & LINK == LINK;
        if file.mode & 0o170_000 == 0o160_000 {
            return Ok(FileState::Same);
        }
        if is_link != found.is_symlink() || !is_link && !found.is_file() {
            return Ok(FileState::Changed);
        }
        let seconds = i64::from(file.changed.0);
        let is_as_seen = seconds == found.mtime()
            && (file.changed.1 == 0 || i64::from(file.changed.1) == found.mtime_nsec())
            && u64::from(file.size) == found.len() & 0xffff_ffff
            && file.size != 0;
        // What was changed in the moment in which git looked may look the same: racy-git.txt of git.
        if is_as_seen && (found.mtime(), found.mtime_nsec()) < known.looked && !file.is_unwatched {
            return Ok(FileState::Same);
        }
        let (id, place) = (file.id.clone(), self.place(path));
        self.until.check()?;
        let held = if is_link {
            place.read_link().map_err(|_| NotTold)?.as_os_str().as_bytes().to_vec()
        } else {
            match u64::try_from(MAX_OBJECT) {
                Ok(longest) if found.len() <= longest => {
                    Disk::default().read(&place, longest).map_err(|_| NotTold)?.ok_or(NotTold)?
                }
                // Too large to be compared, and not as git has seen it.
                _ => return Ok(FileState::Changed),
            }
        };
        let kept = self.objects.read_as(&id, ObjectKind::Blob)?;
        Ok(if kept == held { FileState::Same } else { FileState::Changed })
    }

    /// Known files at or below `places`, from the top, that are not as git has them, in order. With `staged` also those
    /// that the next commit would have otherwise than the last one.
    pub(crate) fn changed_files(&mut self, places: &[Vec<u8>], staged: bool) -> Lookup<Vec<Vec<u8>>> {
        let known = self.known_files()?;
        let is_meant = |path: &[u8]| {
            places.iter().any(|place| {
                path.strip_prefix(place.as_slice())
                    .is_some_and(|rest| place.is_empty() || rest.is_empty() || rest.starts_with(b"/"))
            })
        };
        let mut changed: HashSet<Vec<u8>> = HashSet::new();
        let paths: Vec<Vec<u8>> = known.files.keys().filter(|path| is_meant(path)).cloned().collect();
        for path in paths {
            self.until.check()?;
            // What is not there any more loses nothing.
            let Ok(found) = self.place(&path).symlink_metadata() else { continue };
            if self.state(&known, &path, &found)? == FileState::Changed {
                changed.insert(path);
            }
        }
        if staged {
            let last = self.committed()?;
            let is_other = |path: &[u8], file: &KnownFile| {
                last.get(path).is_none_or(|(mode, id)| *id != file.id || *mode != file.mode)
            };
            let staged = known.files.iter().filter(|(path, file)| is_meant(path) && is_other(path, file));
            changed.extend(staged.map(|(path, _)| path.clone()));
        }
        let mut changed: Vec<Vec<u8>> = changed.into_iter().collect();
        changed.sort();
        Ok(changed)
    }

    /// The file `path`, from the top.
    pub(crate) fn place(&self, path: &[u8]) -> PathBuf {
        self.top.join(std::ffi::OsStr::from_bytes(path))
    }

    /// The files of the commit that is checked out, with their modes.
    fn committed(&mut self) -> Lookup<HashMap<Vec<u8>, (u32, ObjectId)>> {
        let mut found = HashMap::new();
        // Before the first commit there are none.
        let Some(head) = self.named("HEAD")? else { return Ok(found) };
        let root = self.tree_of(&head)?;
        let mut waiting = vec![(Vec::new(), root, 0)];
        while let Some((folder, id, depth)) = waiting.pop() {
            if depth > MAX_DEPTH {
                return Err(NotTold);
            }
            let held = self.objects.read_as(&id, ObjectKind::Tree)?;
            for (mode, name, id) in entries(&held, self.objects.length).ok_or(NotTold)? {
                let path = if folder.is_empty() { name.to_vec() } else { [&folder, b"/".as_slice(), name].concat() };
                if is_folder(mode) {
                    waiting.push((path, id, depth + 1));
                } else {
                    found.insert(path, (mode, id));
                }
            }
        }
        Ok(found)
    }
}

/// Whether an entry with this mode is a folder.
pub(super) fn is_folder(mode: u32) -> bool {
    mode & 0o170_000 == 0o040_000
}

/// What a folder of a commit holds: gitformat-pack(5) has no word about it; "Git Objects" in "Pro Git" has.
pub(super) fn entries(held: &[u8], length: usize) -> Option<Vec<(u32, &[u8], ObjectId)>> {
    let mut found = Vec::new();
    let mut rest = held;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (mode, name) =
            std::str::from_utf8(rest.get(..6)?).ok().map(|mode| mode.trim_end().len()).and_then(|digits| {
                let mode = std::str::from_utf8(rest.get(..digits)?).ok()?;
                Some((u32::from_str_radix(mode, 8).ok()?, rest.get(digits + 1..end)?))
            })?;
        let id = rest.get(end + 1..end + 1 + length)?;
        found.push((mode, name, ObjectId(id.to_vec())));
        rest = rest.get(end + 1 + length..)?;
    }
    Some(found)
}

/// Whether there is a repository of its own in the folder `place`.
pub(crate) fn is_repository(place: &Path) -> bool {
    !matches!(Disk::default().kind(&place.join(".git")), Ok(Kind::Absent))
}
