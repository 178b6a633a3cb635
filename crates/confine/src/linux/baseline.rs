//! What calls that run at the same time in one project agree on as "before". Without it, the second of two calls would
//! take what the first has just changed for the state to keep, and put that back after the first had put back its own.
//!
//! Each call notes its "before" in a file that no command inside can reach, and a new one takes over what running ones
//! have noted. A lock makes starts follow each other.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::kept::Kept;
use super::private_tmp::{NOTE, is_alive, leave_note, lock, own_name, owner_of, users_folder};
use super::session;
use crate::{ConfineError, protected};

/// What the names of notes begin with that are being written.
const NEW: &str = "new";

/// The note of this call, removed when this value goes.
pub(super) struct Baseline {
    path: PathBuf,
    owner: u32,
}

impl Baseline {
    /// Leaves the note where it is, under a name that no other call takes for its own; which one.
    pub(super) fn leave(&self) -> Option<PathBuf> {
        leave_note(&self.path)
    }

    /// Removes the note: all is put back.
    pub(super) fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Drop for Baseline {
    fn drop(&mut self) {
        // A process that was split off has a copy of this value, and no right to it.
        if std::process::id() == self.owner {
            self.remove();
        }
    }
}

/// What is to be copied.
pub(super) struct Wanted<'a> {
    /// All folders that it may write, but for caches.
    pub(super) projects: &'a [PathBuf],
    /// Those of them that belong to the call's session: what tools obey in these is copied, wherever it lies.
    pub(super) session: &'a [PathBuf],
    /// Where the command is started.
    pub(super) start: &'a Path,
    /// Further places in each of the projects.
    pub(super) keep: &'a [PathBuf],
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
    let is_made_by_another = |path: &Path| running.iter().any(|note| note.had(path) == Some(false));
    for (folder, names) in &mut obeyed {
        names.retain(|name, _| !is_made_by_another(&folder.join(name)));
    }
    // Not before the lock is held: what says which places there are may be another call's work, which that puts back.
    let mut places = protected::places(wanted.projects, wanted.start, wanted.homes, wanted.keep);
    places.extend(session::kept(&obeyed, wanted.homes));
    places.sort();
    places.dedup();
    let mut kept = Kept::copy(wanted.projects, places, &is_made_by_another)?;
    for note in running {
        kept.take_over(note);
    }
    kept.obeyed = obeyed;
    Ok(kept)
}

/// The notes of calls that run, by their names.
fn notes(place: &Path) -> io::Result<Vec<OsString>> {
    let names = std::fs::read_dir(place)?.flatten().map(|entry| entry.file_name());
    Ok(names.filter(|name| owner_of(name, NOTE).is_some_and(|owner| is_alive(place, owner))).collect())
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
    let own = own_name(NOTE)?;
    let mut others = notes(&place)?;
    others.retain(|name| *name != own);
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
    let path = place.join(own_name(NOTE)?);
    // Others read it at any time: it is there when it is whole.
    let new = Baseline { path: place.join(own_name(NEW)?), owner };
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
        // Whose calls are not over is said by these.
        let _alive = crate::linux::private_tmp::PrivateTmp::create().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join(".git/hooks")).unwrap();
        std::fs::write(root.join(".git/config"), "before").unwrap();
        let places = || [".git/config", ".git/hooks", ".claude"].map(|place| root.join(place)).to_vec();
        let first = Kept::copy(std::slice::from_ref(&root), places(), &|_| false).unwrap();
        let noted = note(&users_folder().unwrap(), &first).unwrap();
        std::fs::write(root.join(".git/config"), "evil").unwrap();
        std::fs::write(root.join(".git/hooks/pre-commit"), [0xff, 0]).unwrap();
        std::fs::create_dir(root.join(".claude")).unwrap();
        let place = users_folder().unwrap();
        // The note of this process has the name that the second would take: it is read under another one.
        let kept_by_another = {
            let mut kept = Kept::copy(std::slice::from_ref(&root), places(), &|_| false).unwrap();
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
