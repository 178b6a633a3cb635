//! Keeps files of the project as they were: a copy before the call, a comparison after it, and what has changed is put
//! back. It runs when nothing of the call is left, so nobody moves anything meanwhile; still no link is followed.
//!
//! Nothing that the call leaves can hold it up: each place is settled by itself, what was not there is removed unread,
//! and of what was there no more is read than it had.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::no_links::{Entry, NamesIn, is_there, list, read, remove, set_mode, write};
use super::session::{self, Obeyed};
use crate::acting;
use crate::protected::is_left_alone;
use crate::{ConfineError, PutBack};

/// How much is copied. Beyond that the call is refused: what is not copied cannot be put back.
const MAX_BYTES: u64 = 64 << 20;
/// How many files and folders.
const MAX_ENTRIES: usize = 20_000;

/// The places as they were before the call.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Those that were to be kept, whether or not they were there.
    places: Vec<PathBuf>,
    before: BTreeMap<PathBuf, Entry>,
    /// What stood where the folders are that hold the places, up to the project's own: a link or a file there (`.git` of
    /// git-worktree(1)) leads to other hooks and settings. What else lies in these folders is not kept.
    holders: BTreeMap<PathBuf, Option<Entry>>,
    /// The projects' own folders.
    #[serde(default)]
    projects: Vec<PathBuf>,
    /// What tools obeyed in the folders of the session.
    #[serde(default)]
    pub(super) obeyed: Obeyed,
}

impl Kept {
    /// Copies the places, folders with all that is in them, and what their links lead to in one of `projects`. What `is_new`
    /// is not looked at, and taken for what was not there: another call has made it, which runs.
    ///
    /// # Errors
    /// When one cannot be read, or there is too much of them.
    pub(super) fn copy(
        projects: &[PathBuf],
        mut places: Vec<PathBuf>,
        is_new: &dyn Fn(&Path) -> bool,
    ) -> Result<Self, ConfineError> {
        let names = NamesIn::of(projects);
        let holders = holders(projects, &places, &|path| names.lack(path) || is_new(path))?;
        places.extend(behind_linked_holders(projects, &places, &holders));
        loop {
            let before = look(&places, &|path| names.lack(path) || is_new(path))?;
            let further = behind_links(projects, &places, &before);
            if further.is_empty() {
                let obeyed = Obeyed::new();
                return Ok(Self { places, before, holders, projects: projects.to_vec(), obeyed });
            }
            places.extend(further);
        }
    }

    #[cfg(test)]
    pub(super) fn is_below(&self, folder: &Path) -> bool {
        self.places.iter().any(|place| place.starts_with(folder))
    }

    /// Whether `path` was there before this call. `None`: it does not know.
    pub(super) fn had(&self, path: &Path) -> Option<bool> {
        if path.ancestors().any(is_left_alone) {
            return None;
        }
        if self.places.iter().any(|place| path.starts_with(place)) {
            return Some(self.before.contains_key(path));
        }
        self.obeyed.iter().find_map(|(folder, names)| {
            let part = acting::obeyed_part(folder, path.strip_prefix(folder).ok()?)?;
            Some(names.contains_key(&part))
        })
    }

    /// What another call, which runs, knows better of the same projects. Also which places have to stay: that call may have
    /// changed what says so (`core.hooksPath`, a link).
    pub(super) fn take_over(&mut self, other: Self) {
        let Self { places, before, holders, projects, .. } = self;
        let is_own = |path: &Path| projects.iter().any(|project| path.starts_with(project) && path != project);
        before.retain(|path, _| !other.places.iter().any(|place| path.starts_with(place)));
        before.extend(other.before.into_iter().filter(|(path, _)| is_own(path)));
        let is_held = |holder: &Path| projects.iter().any(|project| holder.starts_with(project));
        holders.extend(other.holders.into_iter().filter(|(holder, _)| is_held(holder)));
        places.extend(other.places.into_iter().filter(|place| is_own(place)));
        places.sort();
        places.dedup();
    }

    /// Those places that are there, real files and folders, for whoever can make them read-only.
    pub(super) fn present(&self) -> impl Iterator<Item = &Path> {
        let files = self.holders.iter().filter(|(_, entry)| matches!(entry, Some(Entry::File { .. })));
        let places = self.places.iter();
        let places =
            places.filter(|place| matches!(self.before.get(*place), Some(Entry::File { .. } | Entry::Folder { .. })));
        places.chain(files.map(|(holder, _)| holder)).map(PathBuf::as_path)
    }

    /// The links among them, and what they said.
    pub(super) fn links(&self) -> impl Iterator<Item = (&Path, &Path)> {
        let holders = self.holders.iter().filter_map(|(holder, entry)| Some((holder, entry.as_ref()?)));
        let all = self.before.iter().chain(holders);
        all.filter_map(|(path, entry)| match entry {
            Entry::Link { target } => Some((path.as_path(), target.as_path())),
            _ => None,
        })
    }

    /// Compares, and puts back what is not as before. Also returns what could not be put back.
    pub(super) fn put_back(&self) -> (Vec<PutBack>, Vec<String>) {
        let mut told = PutBackReport::default();
        let names = NamesIn::of(&self.projects);
        for (holder, was) in self.holders.iter().filter(|(holder, was)| was.is_some() || !names.lack(holder)) {
            told.of(holder, settle_holder(holder, was.as_ref()));
        }
        // Listed anew: a link in the place of a project's folder has been put back.
        let names = NamesIn::of(&self.projects);
        for place in self.places.iter().filter(|place| self.before.contains_key(*place) || !names.lack(place)) {
            self.settle(place, &mut told);
        }
        (told.done, told.failed)
    }

    /// Puts aside what tools obey in the folders of the session now, and did not before. Also returns what stays.
    pub(super) fn clear_session(&self) -> (Vec<PutBack>, Vec<String>) {
        session::clear(&self.obeyed)
    }

    /// Makes a place, and all below it, what it was.
    fn settle(&self, path: &Path, told: &mut PutBackReport) {
        if is_left_alone(path) {
            return;
        }
        let Some(was) = self.before.get(path) else {
            if is_there(path) {
                told.of(path, remove(path).map(|()| Some("made")));
            }
            return;
        };
        if !was.is_folder() {
            return told.of(path, settle_entry(path, was));
        }
        told.of(path, settle_folder(path));
        let mut inside = list(path).unwrap_or_else(|error| {
            told.of(path, Err(error));
            Vec::new()
        });
        let below = self.before.range(path.to_owned()..).map(|(inner, _)| inner);
        let below = below.take_while(|inner| inner.starts_with(path));
        inside.extend(below.filter(|inner| inner.parent() == Some(path)).cloned());
        inside.sort();
        inside.dedup();
        for inner in inside {
            self.settle(&inner, told);
        }
        // Its permissions last: it may have been closed.
        told.of(path, settle_mode(path, was));
    }
}

type Settled = std::io::Result<Option<&'static str>>;

/// What was done, for the report.
#[derive(Default)]
struct PutBackReport {
    done: Vec<PutBack>,
    told: HashSet<String>,
    failed: Vec<String>,
}

impl PutBackReport {
    fn of(&mut self, path: &Path, settled: Settled) {
        let path = crate::report::plain(&path.to_string_lossy());
        match settled {
            Ok(None) => {}
            Ok(Some(was)) => {
                if self.told.insert(path.clone()) {
                    self.done.push(PutBack { path, was: was.to_owned() });
                }
            }
            Err(error) => self.failed.push(format!("{path}: {error}")),
        }
    }
}

/// A file, a link, or something else that is no folder.
fn settle_entry(path: &Path, was: &Entry) -> Settled {
    // What cannot be looked at is not what it was: that could be.
    let now = read(path, was.size());
    if let Ok(Some(now)) = &now
        && now.is_still(was)
    {
        return Ok(None);
    }
    let is_gone = matches!(now, Ok(None));
    let is_replaced = matches!((was, &now), (Entry::File { .. }, Ok(Some(Entry::File { .. }))));
    if !is_gone && !is_replaced {
        remove(path)?;
    }
    if let Err(error) = write(path, was) {
        // A full disk, say. What the command has left makes room, and must not stay in any case.
        remove(path)?;
        write(path, was).map_err(|_| error)?;
    }
    Ok(Some(if is_gone { "removed" } else { "changed" }))
}

/// Makes it a folder that can be looked into.
fn settle_folder(path: &Path) -> Settled {
    let folder = Entry::Folder { mode: 0o700 };
    match read(path, 0) {
        Ok(Some(Entry::Folder { mode })) if mode & 0o700 == 0o700 => Ok(None),
        Ok(Some(Entry::Folder { .. })) => set_mode(path, 0o700).map(|()| Some("changed")),
        Ok(None) => write(path, &folder).map(|()| Some("removed")),
        _ => remove(path).and_then(|()| write(path, &folder)).map(|()| Some("changed")),
    }
}

fn settle_mode(path: &Path, was: &Entry) -> Settled {
    match (was, read(path, 0)?) {
        (Entry::Folder { mode }, Some(Entry::Folder { mode: now })) if *mode != now => {
            set_mode(path, *mode).map(|()| Some("changed"))
        }
        _ => Ok(None),
    }
}

/// A folder that holds places has to be one still, if it is there, and one that can be looked into. Where there was none,
/// nothing may stand that leads elsewhere.
fn settle_holder(path: &Path, was: Option<&Entry>) -> Settled {
    let now = read(path, was.map_or(0, Entry::size));
    match (was, now) {
        // The places in it are made anew, and it with them.
        (Some(Entry::Folder { .. }), Ok(None)) => Ok(None),
        (Some(Entry::Folder { mode }), Ok(Some(Entry::Folder { mode: now }))) if mode & !now & 0o700 != 0 => {
            set_mode(path, *mode).map(|()| Some("changed"))
        }
        (None, Ok(Some(Entry::Folder { mode }))) if mode & 0o700 != 0o700 => set_mode(path, 0o700).map(|()| None),
        (Some(Entry::Folder { .. }) | None, Ok(Some(Entry::Folder { .. }))) | (None, Ok(None)) => Ok(None),
        (Some(Entry::Folder { .. }), _) => settle_folder(path),
        (None, _) => remove(path).map(|()| Some("made")),
        (Some(was), _) => settle_entry(path, was),
    }
}

/// What lies at the places and below them.
fn look(places: &[PathBuf], lack: &dyn Fn(&Path) -> bool) -> Result<BTreeMap<PathBuf, Entry>, ConfineError> {
    let mut found = BTreeMap::new();
    let mut left = MAX_BYTES;
    let mut waiting: Vec<PathBuf> = places.to_vec();
    while let Some(path) = waiting.pop() {
        if found.contains_key(&path) || is_left_alone(&path) || lack(&path) {
            continue;
        }
        let Some(entry) = read(&path, left).map_err(|error| cannot(&path, error))? else { continue };
        left = left.checked_sub(entry.size()).ok_or_else(|| cannot(&path, format!("more than {MAX_BYTES} bytes")))?;
        if entry.is_folder() {
            waiting.extend(list(&path).map_err(|error| cannot(&path, error))?);
        }
        if found.len() + waiting.len() > MAX_ENTRIES + places.len() {
            return Err(cannot(&path, format!("there are more than {MAX_ENTRIES} entries")));
        }
        found.insert(path, entry);
    }
    Ok(found)
}

fn cannot(path: &Path, why: impl std::fmt::Display) -> ConfineError {
    ConfineError::CannotKeep { path: path.to_owned(), why: why.to_string() }
}

/// What stands where the folders are that hold the places.
fn holders(
    projects: &[PathBuf],
    places: &[PathBuf],
    lack: &dyn Fn(&Path) -> bool,
) -> Result<BTreeMap<PathBuf, Option<Entry>>, ConfineError> {
    let mut found = BTreeMap::new();
    for place in places {
        let project = projects.iter().find(|project| place.starts_with(project));
        let Some(project) = project else { continue };
        for folder in place.ancestors().skip(1).take_while(|folder| folder.starts_with(project)) {
            if !found.contains_key(folder) {
                let entry = match lack(folder) {
                    true => None,
                    false => read(folder, MAX_BYTES).map_err(|error| cannot(folder, error))?,
                };
                found.insert(folder.to_owned(), entry);
            }
        }
    }
    Ok(found)
}

/// The places in folders that are links, where these lead in a project.
fn behind_linked_holders(
    projects: &[PathBuf],
    places: &[PathBuf],
    holders: &BTreeMap<PathBuf, Option<Entry>>,
) -> Vec<PathBuf> {
    let links = holders.iter().filter(|(_, entry)| matches!(entry, Some(Entry::Link { .. })));
    let led = links.filter_map(|(holder, _)| Some((holder, led_to(projects, holder)?)));
    let below = led.flat_map(|(holder, target)| {
        places.iter().filter_map(move |place| Some(target.join(place.strip_prefix(holder).ok()?)))
    });
    below.filter(|place| !places.contains(place)).collect()
}

/// Where links in the places lead to in a project, if it is not kept yet.
fn behind_links(projects: &[PathBuf], places: &[PathBuf], before: &BTreeMap<PathBuf, Entry>) -> Vec<PathBuf> {
    let links = before.iter().filter(|(_, entry)| matches!(entry, Entry::Link { .. }));
    let led = links.filter_map(|(link, _)| led_to(projects, link));
    led.filter(|target| !places.iter().any(|place| target.starts_with(place))).collect()
}

/// Where a link leads, if that is in a project, and neither holds the link nor the project.
fn led_to(projects: &[PathBuf], link: &Path) -> Option<PathBuf> {
    let target = link.canonicalize().ok()?;
    let lies_in = projects.iter().any(|project| target.starts_with(project) && *project != target);
    (lies_in && !link.starts_with(&target)).then_some(target)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, Permissions};
    use std::io;
    use std::os::unix::fs::PermissionsExt;

    use nix::sys::stat::Mode;

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
        let kept = Kept::copy(std::slice::from_ref(&root), places.into(), &|_| false).unwrap();
        (folder, root, kept)
    }

    #[track_caller]
    fn is_as_before(root: &Path, kept: &Kept) {
        assert_eq!(look(&kept.places, &|_| false).unwrap(), kept.before);
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
    fn a_file_with_a_new_name_beside_its_own_is_a_file_of_its_own_again() {
        let (_folder, root, kept) = repository();
        std::fs::hard_link(root.join(".git/config"), root.join("other")).unwrap();
        let (done, failed) = kept.put_back();
        assert!(done.len() == 1 && failed.is_empty(), "{done:?} {failed:?}");
        std::fs::write(root.join("other"), "evil").unwrap();
        is_as_before(&root, &kept);
        // A name that it had before stays one.
        std::fs::hard_link(root.join(".git/config"), root.join("mine")).unwrap();
        let kept = Kept::copy(std::slice::from_ref(&root), vec![root.join(".git/config")], &|_| false).unwrap();
        assert_eq!(kept.put_back(), (vec![], vec![]));
        std::fs::remove_file(root.join("mine")).unwrap();
        assert_eq!(kept.put_back(), (vec![], vec![]));
    }

    #[test]
    fn what_is_too_much_is_refused_before_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let large = folder.path().join("large");
        File::create(&large).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert_eq!(Kept::copy(&[], vec![large], &|_| false).err().unwrap().code(), "cannot_keep");
    }
}
