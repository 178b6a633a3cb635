//! The folders of the call's session among the temporary files. What tools obey in them was there before, or is not there
//! afterwards: what is new is put aside, whoever has made it.

use std::collections::BTreeMap;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::no_links;
use crate::acting::{self, Met};
use crate::git_settings::MARK_OF_REPOSITORIES;
use crate::protected;
use crate::report::plain;
use crate::{ConfineError, PutBack};

/// What tools obey in each of the folders, relative to it, and whether it is a pipe, a socket or a device: what comes to the
/// place of such a one is new.
pub(super) type Obeyed = BTreeMap<PathBuf, BTreeMap<PathBuf, bool>>;

/// What they obey now.
///
/// # Errors
/// When not all can be looked through.
pub(super) fn obeyed_in(folders: &[PathBuf]) -> Result<Obeyed, ConfineError> {
    let in_folder = |folder: &PathBuf| {
        let found = acting::all_in(folder);
        let cannot = |error| ConfineError::setup(format!("what lies in {}", folder.display()), error);
        let with_kind = |name: PathBuf| {
            let is_special = is_special(&folder.join(&name));
            (name, is_special)
        };
        found.map(|found| (folder.clone(), found.into_iter().map(with_kind).collect())).map_err(cannot)
    };
    folders.iter().map(in_folder).collect()
}

/// The places of which the content has to stay. Of a repository these are its hooks and settings.
pub(super) fn kept(obeyed: &Obeyed, homes: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (folder, name, is_special) in obeyed
        .iter()
        .flat_map(|(folder, names)| names.iter().map(move |(name, is_special)| (folder, name, *is_special)))
    {
        let path = folder.join(name);
        let is_repository = path.ends_with(".git") || path.ends_with(MARK_OF_REPOSITORIES);
        match path.parent().filter(|_| is_repository) {
            Some(around) => found.extend(protected::places(&[around.to_owned()], around, homes, &[])),
            // It comes and goes with whoever listens, and could not be made anew.
            None if is_special => {}
            None => found.push(path),
        }
    }
    found
}

/// Puts aside what tools obey in the folders and is not in `before`, and what cannot be looked into. Names it, and what could
/// not be put aside, with the reason. Nothing of the command is left by then.
pub(super) fn clear(before: &Obeyed) -> (Vec<PutBack>, Vec<String>) {
    // Who leaves more waits for it, and for a call that is no success.
    const MAX_ENTRIES: usize = 2_000_000;
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    for (folder, before) in before {
        let open = |path: &Path| no_links::set_mode(path, 0o700).is_ok();
        acting::walk(folder, MAX_ENTRIES, &open, &mut |name, met| {
            let path = folder.join(&name);
            let put = match met {
                // Whoever listened at a socket inside is over; at another, somebody may.
                Met::Acts if before.get(&name) == Some(&is_special(&path)) || is_socket(&path) => return,
                Met::Closed(error) if name.as_os_str().is_empty() => Err(error),
                Met::Acts | Met::Closed(_) => put_aside(&path),
            };
            let told = plain(&path.to_string_lossy());
            match put {
                Ok(()) => done.push(PutBack { path: told, was: PutBack::ASIDE.to_owned() }),
                Err(error) => failed.push(format!("{told} ({error})")),
            }
        });
    }
    (done, failed)
}

fn is_socket(path: &Path) -> bool {
    no_links::look(path).is_ok_and(|found| found.file_type().is_socket())
}

/// A pipe, socket or device.
fn is_special(path: &Path) -> bool {
    no_links::look(path).is_ok_and(|found| !found.is_dir() && !found.is_file() && !found.is_symlink())
}

fn put_aside(path: &Path) -> std::io::Result<()> {
    // It holds nothing that anybody could miss.
    if is_special(path) { no_links::remove(path) } else { no_links::put_aside(path) }
}
