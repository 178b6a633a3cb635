//! What calls that run at the same time in one project agree on as "before". Without it, the second of two calls would
//! take what the first has just changed for the state to keep, and put that back after the first had put back its own.
//!
//! Each call notes its "before" in a file that no command inside can reach, and a new one takes over what running ones
//! have noted. A lock makes starts follow each other.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::fcntl::{Flock, FlockArg};

use super::kept::Kept;
use super::private_tmp::{owner_of, start_of, users_folder};
use super::session;
use crate::ConfineError;

/// What the names of the notes begin with; process and start of the process follow. They lie in the user's folder.
const NAME: &str = "kept";
/// What the names of notes begin with that are being written.
const NEW: &str = "new";
/// What the names of notes begin with that stay, because not everything could be put back.
const LEFT: &str = "not-put-back";
/// The name of the lock.
const LOCK: &str = "lock";

/// The note of this call, removed when this value goes.
pub(super) struct Baseline {
    path: PathBuf,
    owner: u32,
}

impl Baseline {
    /// Leaves the note where it is, under a name that no other call takes for its own; which one.
    pub(super) fn leave(self) -> Option<PathBuf> {
        let name = self.path.file_name()?.to_str()?.replacen(NAME, LEFT, 1);
        let left = self.path.with_file_name(name);
        std::fs::rename(&self.path, &left).ok().map(|()| left)
    }
}

impl Drop for Baseline {
    fn drop(&mut self) {
        // A process that was split off has a copy of this value, and no right to it.
        if std::process::id() == self.owner {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// What is to be copied.
pub(super) struct Wanted<'a> {
    pub(super) projects: &'a [PathBuf],
    /// Folders of the call's session: what tools obey in them is copied, wherever it lies.
    pub(super) session: &'a [PathBuf],
    /// Places in the projects, and in the folders of the session.
    pub(super) places: &'a [PathBuf],
    /// The user's home folders.
    pub(super) homes: &'a [PathBuf],
}

/// Copies what is wanted, or takes over what running calls have copied of it, and notes it for later ones.
///
/// # Errors
/// When a place cannot be kept, or nothing can be noted.
pub(super) fn copy(wanted: &Wanted<'_>) -> Result<(Kept, Baseline), ConfineError> {
    let failed = |error: io::Error| ConfineError::setup("what has to stay", error);
    let place = users_folder().map_err(failed)?;
    let lock = lock(&place).map_err(failed)?;
    let running = running(&place).map_err(failed)?;
    let kept = before(wanted, running)?;
    let baseline = note(&place, &kept).map_err(failed)?;
    drop(lock);
    Ok((kept, baseline))
}

/// What was there before this call, and before all that run.
fn before(wanted: &Wanted<'_>, running: Vec<Kept>) -> Result<Kept, ConfineError> {
    let mut obeyed = session::obeyed_in(wanted.session)?;
    for (folder, names) in &mut obeyed {
        for theirs in running.iter().filter_map(|note| note.obeyed.get(folder)) {
            names.retain(|name| theirs.contains(name));
        }
    }
    let projects: Vec<PathBuf> = wanted.projects.iter().chain(wanted.session).cloned().collect();
    let mut places = wanted.places.to_vec();
    places.extend(session::kept(&obeyed, wanted.homes));
    places.sort();
    places.dedup();
    let mut kept = Kept::copy(&projects, places)?;
    for note in running {
        kept.take_over(note);
    }
    kept.obeyed = obeyed;
    Ok(kept)
}

/// One start at a time.
fn lock(place: &Path) -> io::Result<Flock<File>> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).mode(0o600).custom_flags(libc::O_NOFOLLOW);
    let file = options.open(place.join(LOCK))?;
    Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, error)| error.into())
}

/// The notes of calls that run, by their names. Those of calls that are gone are removed.
fn notes(place: &Path) -> io::Result<Vec<OsString>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(place)?.flatten() {
        let name = entry.file_name();
        let is_whole = owner_of(&name, NAME).is_some();
        let Some((pid, begun)) = owner_of(&name, NAME).or_else(|| owner_of(&name, NEW)) else { continue };
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        if start_of(pid) == Some(begun) {
            found.extend(is_whole.then_some(name));
        } else {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Ok(found)
}

/// What a note says; `None`: its call has ended since.
fn noted(path: &Path) -> io::Result<Option<Kept>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// What calls that run have noted.
fn running(place: &Path) -> io::Result<Vec<Kept>> {
    notes(place)?.into_iter().filter_map(|name| noted(&place.join(name)).transpose()).collect()
}

/// The links that other running calls put back, and what they say. `known` is what was read of their notes before, by name.
///
/// # Errors
/// When a note cannot be read.
pub(super) fn links_of_others(
    known: &mut HashMap<OsString, Vec<(PathBuf, PathBuf)>>,
) -> io::Result<Vec<&(PathBuf, PathBuf)>> {
    let place = users_folder()?;
    let is_own = |name: &OsString| owner_of(name, NAME).is_some_and(|(pid, _)| pid == std::process::id());
    let mut others = notes(&place)?;
    others.retain(|name| !is_own(name));
    known.retain(|name, _| others.contains(name));
    for name in others {
        if !known.contains_key(&name)
            && let Some(kept) = noted(&place.join(&name))?
        {
            known.insert(name, kept.links().map(|(link, target)| (link.to_owned(), target.to_owned())).collect());
        }
    }
    Ok(known.values().flatten().collect())
}

fn note(place: &Path, kept: &Kept) -> io::Result<Baseline> {
    let owner = std::process::id();
    let begun = start_of(owner).ok_or_else(|| io::Error::other("/proc is not readable"))?;
    let path = place.join(format!("{NAME}-{owner}-{begun}"));
    // Others read it at any time: it is there when it is whole.
    let new = Baseline { path: place.join(format!("{NEW}-{owner}-{begun}")), owner };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new.path)?;
    file.write_all(&serde_json::to_vec(kept)?)?;
    std::fs::rename(&new.path, &path)?;
    Ok(Baseline { path, owner })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_call_keeps_what_was_before_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join(".git/hooks")).unwrap();
        std::fs::write(root.join(".git/config"), "before").unwrap();
        let places = || [".git/config", ".git/hooks", ".claude"].map(|place| root.join(place)).to_vec();
        let first = Kept::copy(std::slice::from_ref(&root), places()).unwrap();
        let noted = note(&users_folder().unwrap(), &first).unwrap();
        std::fs::write(root.join(".git/config"), "evil").unwrap();
        std::fs::write(root.join(".git/hooks/pre-commit"), [0xff, 0]).unwrap();
        std::fs::create_dir(root.join(".claude")).unwrap();
        let place = users_folder().unwrap();
        // The note of this process has the name that the second would take: it is read under another one.
        let kept_by_another = {
            let mut kept = Kept::copy(std::slice::from_ref(&root), places()).unwrap();
            for note in running(&place).unwrap() {
                kept.take_over(note);
            }
            kept
        };
        first.put_back();
        drop(noted);
        assert_eq!(kept_by_another.put_back(), (vec![], vec![]));
        assert_eq!(std::fs::read_to_string(root.join(".git/config")).unwrap(), "before");
        assert!(!root.join(".claude").exists() && !root.join(".git/hooks/pre-commit").exists());
        assert!(running(&place).unwrap().iter().all(|note| !note.is_below(&root)));
    }
}
