//! Keeps files of the project as they were: a copy before the call, a comparison after it, and what has changed is put
//! back. It runs when nothing of the call is left, so nobody moves anything meanwhile; still no link is followed.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, OpenHow, ResolveFlag, openat2};
use nix::sys::stat::Mode;
use serde::{Deserialize, Serialize};

use crate::{ConfineError, PutBack};

/// How much is copied. Beyond that the call is refused: what is not copied cannot be put back.
const MAX_BYTES: u64 = 64 << 20;
/// How many files and folders.
const MAX_ENTRIES: usize = 20_000;

/// What a place was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Entry {
    File {
        bytes: Content,
        mode: u32,
    },
    Folder {
        mode: u32,
    },
    Link {
        target: PathBuf,
    },
    /// A pipe, socket or device: it can be noticed, and not made anew.
    Other,
}

/// What was in a file: as text where it is text, so that a note of it stays small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Bytes(Vec<u8>),
}

impl Content {
    fn of(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Self::Bytes(error.into_bytes()), Self::Text)
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// One place, with all that was at it and below it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Noted {
    place: PathBuf,
    before: Vec<(PathBuf, Entry)>,
}

impl Noted {
    #[cfg(test)]
    pub(super) fn is_below(&self, folder: &Path) -> bool {
        self.place.starts_with(folder)
    }
}

/// The places as they were before the call.
pub(super) struct Kept {
    /// Those that were to be kept, whether or not they were there.
    places: Vec<PathBuf>,
    before: BTreeMap<PathBuf, Entry>,
}

impl Kept {
    /// Copies the places, folders with all that is in them.
    ///
    /// # Errors
    /// When one cannot be read, or there is too much of them.
    pub(super) fn copy(places: Vec<PathBuf>) -> Result<Self, ConfineError> {
        let before = look(&places)?;
        Ok(Self { places, before })
    }

    /// All that is known, for others.
    pub(super) fn noted(&self) -> Vec<Noted> {
        let below = |place: &PathBuf| {
            let found = self.before.iter().filter(|(path, _)| path.starts_with(place));
            found.map(|(path, entry)| (path.clone(), entry.clone())).collect()
        };
        self.places.iter().map(|place| Noted { place: place.clone(), before: below(place) }).collect()
    }

    /// What another call, which runs, knows better of the same places.
    pub(super) fn take_over(&mut self, noted: Vec<Noted>) {
        for Noted { place, before } in noted {
            if self.places.iter().any(|own| place.starts_with(own) || own.starts_with(&place)) {
                self.before.retain(|path, _| !path.starts_with(&place));
                let is_own = |path: &PathBuf| self.places.iter().any(|own| path.starts_with(own));
                self.before.extend(before.into_iter().filter(|(path, _)| is_own(path)));
            }
        }
    }

    /// Those places that are there, real files and folders, for whoever can make them read-only.
    pub(super) fn present(&self) -> impl Iterator<Item = &Path> {
        self.places
            .iter()
            .map(PathBuf::as_path)
            .filter(|place| matches!(self.before.get(*place), Some(Entry::File { .. } | Entry::Folder { .. })))
    }

    /// Compares, and puts back what is not as before. Also returns what could not be put back.
    pub(super) fn put_back(&self) -> (Vec<PutBack>, Vec<String>) {
        let (mut done, mut failed) = (Vec::new(), Vec::new());
        let after = match look(&self.places) {
            Ok(after) => after,
            Err(error) => {
                // Too much, or closed to its owner: what was there goes, and what was before comes.
                failed.push(error.to_string());
                BTreeMap::new()
            }
        };
        // What was made goes first, the deepest before what holds it.
        for (path, entry) in after.iter().rev() {
            let before = self.before.get(path);
            let stays = before.is_some_and(|before| is_same_kind(before, entry));
            if !stays {
                let was = if before.is_some() { "changed" } else { "made" };
                settle(remove(path), path, was, &mut done, &mut failed);
            }
        }
        for (path, entry) in &self.before {
            let found = after.get(path).filter(|found| is_same_kind(entry, found));
            if found != Some(entry) {
                let was = if after.contains_key(path) { "changed" } else { "removed" };
                settle(write(path, entry), path, was, &mut done, &mut failed);
            }
        }
        (done, failed)
    }
}

fn settle(result: io::Result<()>, path: &Path, was: &str, done: &mut Vec<PutBack>, failed: &mut Vec<String>) {
    let path = crate::report::plain(&path.to_string_lossy());
    match result {
        Ok(()) if done.iter().any(|known: &PutBack| known.path == path) => {}
        Ok(()) => done.push(PutBack { path, was: was.to_owned() }),
        Err(error) => failed.push(format!("{path}: {error}")),
    }
}

fn is_same_kind(one: &Entry, other: &Entry) -> bool {
    match (one, other) {
        (Entry::File { .. }, Entry::File { .. }) | (Entry::Folder { .. }, Entry::Folder { .. }) => true,
        (Entry::Link { .. } | Entry::Other, _) | (_, Entry::Link { .. } | Entry::Other) => one == other,
        _ => false,
    }
}

/// What lies at the places and below them.
fn look(places: &[PathBuf]) -> Result<BTreeMap<PathBuf, Entry>, ConfineError> {
    let mut found = BTreeMap::new();
    let mut left = MAX_BYTES;
    let mut waiting: Vec<PathBuf> = places.to_vec();
    while let Some(path) = waiting.pop() {
        let cannot = |why: String| ConfineError::CannotKeep { path: path.clone(), why };
        if found.contains_key(&path) {
            continue;
        }
        let entry = match read(&path, &mut left) {
            Ok(entry) => entry,
            // Not there, or something else stands where its folder was.
            Err(error) if is_absent(&error) => continue,
            Err(error) => return Err(cannot(error.to_string())),
        };
        if matches!(entry, Entry::Folder { .. }) {
            let inside = std::fs::read_dir(&path).map_err(|error| cannot(error.to_string()))?;
            waiting.extend(inside.flatten().map(|inner| inner.path()));
        }
        if found.len() + waiting.len() > MAX_ENTRIES + places.len() {
            return Err(cannot(format!("there are more than {MAX_ENTRIES} entries")));
        }
        found.insert(path, entry);
    }
    Ok(found)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR | libc::ELOOP))
}

/// Opens the folder that holds `path`, through no link.
fn folder_of(path: &Path) -> io::Result<(OwnedFd, PathBuf)> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    };
    let how = OpenHow::new()
        .flags(OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC)
        .resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    let folder = openat2(nix::fcntl::AT_FDCWD, folder, how)?;
    let inner = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd())).join(name);
    Ok((folder, inner))
}

fn read(path: &Path, left: &mut u64) -> io::Result<Entry> {
    // Most places are not there: one look is enough to know.
    std::fs::symlink_metadata(path)?;
    let (_folder, place) = folder_of(path)?;
    let found = std::fs::symlink_metadata(&place)?;
    let mode = found.permissions().mode() & 0o7777;
    if found.is_symlink() {
        return Ok(Entry::Link { target: std::fs::read_link(&place)? });
    }
    if found.is_dir() {
        return Ok(Entry::Folder { mode });
    }
    if !found.is_file() {
        return Ok(Entry::Other);
    }
    // Non-blocking, should it have become a pipe.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(&place)?;
    let mut bytes = Vec::new();
    let got = file.take(left.saturating_add(1)).read_to_end(&mut bytes)?;
    *left = left.checked_sub(got as u64).ok_or_else(|| io::Error::other(format!("more than {MAX_BYTES} bytes")))?;
    Ok(Entry::File { bytes: Content::of(bytes), mode })
}

fn remove(path: &Path) -> io::Result<()> {
    let (_folder, place) = folder_of(path)?;
    match std::fs::symlink_metadata(&place) {
        Ok(found) if found.is_dir() => std::fs::remove_dir_all(&place),
        Ok(_) => std::fs::remove_file(&place),
        Err(error) if is_absent(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

fn write(path: &Path, entry: &Entry) -> io::Result<()> {
    let (_folder, place) = match folder_of(path) {
        Ok(found) => found,
        Err(error) if is_absent(&error) => {
            make_folders(path.parent().unwrap_or(path))?;
            folder_of(path)?
        }
        Err(error) => return Err(error),
    };
    match entry {
        Entry::Folder { mode } => {
            if !std::fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) {
                std::fs::create_dir(&place)?;
            }
            std::fs::set_permissions(&place, Permissions::from_mode(*mode))
        }
        Entry::File { bytes, mode } => {
            // Whole or not at all, and not into a file that has a second name outside.
            let new = place.with_file_name(format!(".handraise-{}", std::process::id()));
            let mut file: File = OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(0o600)
                .custom_flags(libc::O_NOFOLLOW)
                .open(&new)?;
            file.write_all(bytes.bytes())?;
            file.set_permissions(Permissions::from_mode(*mode))?;
            file.sync_all()?;
            std::fs::rename(&new, &place)
        }
        Entry::Link { target } => std::os::unix::fs::symlink(target, &place),
        Entry::Other => Err(io::Error::other("a pipe, socket or device cannot be made anew")),
    }
}

/// Makes the folders of a path anew. What stands in the way, a link say, is removed.
fn make_folders(path: &Path) -> io::Result<()> {
    match folder_of(path) {
        Ok(_) => {}
        Err(error) if is_absent(&error) => make_folders(path.parent().unwrap_or(path))?,
        Err(error) => return Err(error),
    }
    let (_folder, place) = folder_of(path)?;
    match std::fs::symlink_metadata(&place) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => std::fs::remove_file(&place).and_then(|()| std::fs::create_dir(&place)),
        Err(_) => nix::unistd::mkdir(&place, Mode::from_bits_truncate(0o755)).map_err(io::Error::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository() -> (tempfile::TempDir, PathBuf, Kept) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join(".git/hooks")).unwrap();
        std::fs::write(root.join(".git/config"), "before").unwrap();
        std::fs::write(root.join(".git/hooks/pre-commit"), "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(root.join(".git/hooks/pre-commit"), Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink("elsewhere", root.join(".envrc")).unwrap();
        let places = [".git/config", ".git/hooks", ".claude", ".envrc"].map(|place| root.join(place));
        let kept = Kept::copy(places.into()).unwrap();
        (folder, root, kept)
    }

    #[track_caller]
    fn is_as_before(root: &Path, kept: &Kept) {
        assert_eq!(look(&kept.places).unwrap(), kept.before);
        assert_eq!(std::fs::read_to_string(root.join(".git/config")).unwrap(), "before");
        assert!(!root.join(".claude").exists());
    }

    #[test]
    fn every_kind_of_change_is_put_back() {
        type Change = fn(&Path) -> io::Result<()>;
        let changes: &[Change] = &[
            |root| std::fs::write(root.join(".git/config"), "after"),
            |root| std::fs::remove_file(root.join(".git/config")),
            |root| std::fs::remove_dir_all(root.join(".git")),
            |root| std::fs::rename(root.join(".git"), root.join("moved")),
            |root| {
                std::fs::rename(root.join(".git"), root.join("moved"))?;
                std::fs::create_dir_all(root.join(".git/hooks"))?;
                std::fs::write(root.join(".git/hooks/post-merge"), "x")
            },
            |root| std::fs::create_dir_all(root.join(".claude/hooks")),
            |root| std::fs::write(root.join(".claude"), "x"),
            |root| std::os::unix::fs::symlink("/etc", root.join(".claude")),
            |root| std::fs::set_permissions(root.join(".git/hooks/pre-commit"), Permissions::from_mode(0o644)),
            |root| std::fs::write(root.join(".git/hooks/post-checkout"), "x"),
            |root| {
                std::fs::remove_file(root.join(".envrc"))?;
                std::fs::write(root.join(".envrc"), "x")
            },
            |root| {
                std::fs::remove_file(root.join(".envrc"))?;
                std::os::unix::fs::symlink("somewhere", root.join(".envrc"))
            },
            |root| {
                std::fs::remove_file(root.join(".git/config"))?;
                std::fs::create_dir(root.join(".git/config"))?;
                std::fs::write(root.join(".git/config/x"), "x")
            },
            |root| {
                std::fs::remove_dir_all(root.join(".git/hooks"))?;
                std::fs::write(root.join(".git/hooks"), "x")
            },
            |root| {
                std::fs::remove_file(root.join(".git/config"))?;
                nix::unistd::mkfifo(&root.join(".git/config"), Mode::from_bits_truncate(0o600)).map_err(io::Error::from)
            },
        ];
        for (number, change) in changes.iter().enumerate() {
            let (_folder, root, kept) = repository();
            change(&root).unwrap();
            let (done, failed) = kept.put_back();
            assert!(!done.is_empty() && failed.is_empty(), "change {number}: {done:?} {failed:?}");
            is_as_before(&root, &kept);
            assert_eq!(kept.put_back(), (vec![], vec![]), "change {number}");
        }
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (_folder, root, kept) = repository();
        let outside = tempfile::tempdir().unwrap();
        std::fs::create_dir(outside.path().join("hooks")).unwrap();
        std::fs::write(outside.path().join("config"), "outside").unwrap();
        std::fs::rename(root.join(".git"), root.join("moved")).unwrap();
        std::os::unix::fs::symlink(outside.path(), root.join(".git")).unwrap();
        let (_, failed) = kept.put_back();
        assert_eq!(failed, Vec::<String>::new());
        is_as_before(&root, &kept);
        assert_eq!(std::fs::read_to_string(outside.path().join("config")).unwrap(), "outside");
        assert_eq!(std::fs::read_dir(outside.path().join("hooks")).unwrap().count(), 0);
    }

    #[test]
    fn a_second_name_of_a_file_is_not_written_through() {
        let (_folder, root, kept) = repository();
        let other = root.join("other");
        std::fs::write(&other, "mine").unwrap();
        std::fs::remove_file(root.join(".git/config")).unwrap();
        std::fs::hard_link(&other, root.join(".git/config")).unwrap();
        kept.put_back();
        is_as_before(&root, &kept);
        assert_eq!(std::fs::read_to_string(other).unwrap(), "mine");
    }

    #[test]
    fn what_is_too_much_is_refused_before_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("large");
        File::create(&large).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert_eq!(Kept::copy(vec![large]).err().unwrap().code(), "cannot_keep");
    }
}
