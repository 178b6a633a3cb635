//! What removes, moves and changes the rights of files would hit.

use std::path::{Path, PathBuf};

use handraise_policy::Target;

use super::told::{CommandConsequence, counted, size};
use crate::paths::absolute;
use crate::repository::{FileState, KnownFiles, Lookup, NotTold, Repository, Until};

/// Files that are counted; of more it is said that there are more.
const MAX_FILES: usize = 10_000;
/// Names that are kept of them.
const MAX_NAMES: usize = 50;
/// Folders in folders.
const MAX_DEPTH: usize = 256;

/// Where a call looks from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standpoint<'a> {
    /// Its folder.
    pub(super) cwd: Option<&'a str>,
    /// The user's home folder.
    pub(super) home: Option<&'a Path>,
    /// When it is over.
    pub(super) until: Until,
}

impl Standpoint<'_> {
    /// The absolute path of `text`: links in the folders above it are followed, and it itself is not, as rm(1) does.
    pub(super) fn path(&self, text: &str) -> Lookup<PathBuf> {
        let path = absolute(text, self.cwd, self.home).ok_or(NotTold)?;
        match (path.parent(), path.file_name()) {
            // A slash behind a link follows it.
            (Some(folder), Some(name)) if !text.ends_with('/') && !text.ends_with("/.") => {
                folder.canonicalize().map(|folder| folder.join(name)).map_err(|_| NotTold)
            }
            _ => path.canonicalize().map_err(|_| NotTold),
        }
    }

    /// What `targets` name that is there, in order, each once.
    pub(super) fn found(&self, targets: &[Target]) -> Lookup<Vec<PathBuf>> {
        let mut found = Vec::new();
        for target in targets {
            self.until.check()?;
            match target {
                Target::Path(text) => {
                    // Nothing is there, or on the way to it.
                    let Ok(path) = self.path(text) else { continue };
                    if path.symlink_metadata().is_ok() {
                        found.push(path);
                    }
                }
                Target::Glob { folder, pattern, may_be_option } => {
                    let folder = absolute(folder, self.cwd, self.home).ok_or(NotTold)?;
                    let Ok(folder) = folder.canonicalize() else { continue };
                    let entries = folder.read_dir().map_err(|_| NotTold)?;
                    for entry in entries.take(MAX_FILES + 1) {
                        let name = entry.map_err(|_| NotTold)?.file_name();
                        if fits(pattern, name.to_str().ok_or(NotTold)?) {
                            if *may_be_option && name.as_encoded_bytes().starts_with(b"-") {
                                return Err(NotTold);
                            }
                            found.push(folder.join(name));
                        }
                    }
                    if found.len() > MAX_FILES {
                        return Err(NotTold);
                    }
                }
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }
}

/// Whether a shell finds `name` by `pattern`, in which `*` and `?` are all that is special. A name with a dot in front is
/// found only by a dot.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut of) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(character) = name.get(at) {
        match pattern.get(of) {
            Some('*') => {
                star = Some((of, at));
                of += 1;
            }
            Some(one) if *one == '?' || one == character => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((star_at, taken)) = star else { return false };
                star = Some((star_at, taken + 1));
                at = taken + 1;
                of = star_at + 1;
            }
        }
    }
    pattern.get(of..).is_some_and(|rest| rest.iter().all(|character| *character == '*'))
}

/// Files that a command would hit.
#[derive(Debug, Default)]
pub(super) struct Hit {
    files: usize,
    folders: usize,
    bytes: u64,
    /// More than [`MAX_FILES`].
    is_cut: bool,
    /// Files that git does not know, and that it knows otherwise.
    unknown: usize,
    changed: usize,
    /// All of the files lie in a repository that was looked at.
    is_told_by_git: bool,
    /// Repositories of their own.
    repositories: usize,
    /// The names of those files, in this order: unknown, changed, others.
    names: [Vec<String>; 3],
}

/// What lies at `roots`. With `recursive` all that is in folders, and else only files.
pub(super) fn hit(place: &Standpoint<'_>, roots: &[PathBuf], recursive: bool) -> Lookup<Hit> {
    let mut hit = Hit { is_told_by_git: true, ..Hit::default() };
    let mut repository: Option<(Repository, KnownFiles)> = None;
    for root in roots {
        let folder = root.parent().unwrap_or(root);
        if !repository.as_ref().is_some_and(|(repository, _)| folder.starts_with(&repository.top)) {
            let other = Repository::of(folder, place.home, place.until);
            repository = other.and_then(|other| other.known_files().ok().map(|known| (other, known)));
        }
        let mut waiting = vec![(root.clone(), 0)];
        while let Some((path, depth)) = waiting.pop() {
            place.until.check()?;
            if hit.files + hit.folders >= MAX_FILES || depth > MAX_DEPTH {
                hit.is_cut = true;
                return Ok(hit);
            }
            let Ok(found) = path.symlink_metadata() else { continue };
            if path.file_name().is_some_and(|name| name == ".git") {
                // What it knows, the repository around it does not; and nothing else has its history.
                hit.repositories += 1;
                hit.is_told_by_git = false;
            }
            if !found.is_dir() {
                hit.add(place, &path, &found, repository.as_mut());
                continue;
            }
            if !recursive {
                continue;
            }
            hit.folders += 1;
            // A folder that may not be read is not emptied either.
            let Ok(entries) = path.read_dir() else { continue };
            let mut below: Vec<PathBuf> = Vec::new();
            for entry in entries {
                below.push(entry.map_err(|_| NotTold)?.path());
                if below.len() > MAX_FILES {
                    hit.is_cut = true;
                    return Ok(hit);
                }
            }
            below.sort_by(|one, other| other.cmp(one));
            waiting.extend(below.into_iter().map(|path| (path, depth + 1)));
        }
    }
    Ok(hit)
}

impl Hit {
    fn add(
        &mut self,
        place: &Standpoint<'_>,
        path: &Path,
        found: &std::fs::Metadata,
        repository: Option<&mut (Repository, KnownFiles)>,
    ) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(found.len());
        let state = repository.and_then(|(repository, known)| {
            let below = repository.below_top(path)?.to_vec();
            repository.state(known, &below, found).ok()
        });
        let kind = match state {
            Some(FileState::Unknown) => {
                self.unknown += 1;
                0
            }
            Some(FileState::Changed) => {
                self.changed += 1;
                1
            }
            Some(FileState::Same) => 2,
            None => {
                self.is_told_by_git = false;
                2
            }
        };
        if let Some(names) = self.names.get_mut(kind).filter(|names| names.len() < MAX_NAMES) {
            names.push(name(place, path));
        }
    }

    /// What is told when a command does `verb` to it: "Deletes 18 files, 2.3 MB; git does not have 3 of them".
    pub(super) fn told(self, verb: &str, is_lost: bool) -> CommandConsequence {
        if self.files + self.folders == 0 {
            return CommandConsequence { clause: "Finds no such file".to_owned(), ..CommandConsequence::default() };
        }
        let more = if self.is_cut { "more than " } else { "" };
        let files = counted(self.files, "file", "files");
        let folders = counted(self.folders, "folder", "folders");
        let what = match (self.files, self.folders) {
            (0, _) => folders,
            (_, 0) => files,
            _ => format!("{files} in {folders}"),
        };
        let bytes = if self.files > 0 && !self.is_cut { format!(", {}", size(self.bytes)) } else { String::new() };
        let mut clause = format!("{verb} {more}{what}{bytes}");
        if self.repositories > 0 {
            let count = counted(self.repositories, "git repository", "git repositories");
            clause.push_str(&format!("; {count} among them"));
        }
        let is_told = self.is_told_by_git && !self.is_cut && is_lost && self.files > 0;
        let (count, loses) = match (is_told, self.unknown, self.changed) {
            (false, ..) => (self.files, is_lost && self.repositories > 0),
            (true, 0, 0) => {
                clause.push_str(if self.files == 1 { "; git has it" } else { "; git has them all" });
                (self.files, false)
            }
            (true, 0, changed) => {
                clause.push_str(&format!("; git has {} with other content", of(changed, self.files)));
                (changed, true)
            }
            (true, unknown, changed) => {
                clause.push_str(&format!("; git does not have {}", of(unknown, self.files)));
                if changed > 0 {
                    clause.push_str(&format!(" and has {} with other content", counted(changed, "file", "files")));
                }
                (unknown + changed, true)
            }
        };
        let mut names = self.names.concat();
        if !is_told {
            names.sort();
        }
        names.truncate(count.min(MAX_NAMES));
        CommandConsequence { clause, loses, names, count, ..CommandConsequence::default() }
    }
}

/// "it", "3 of them", "any of them".
fn of(some: usize, all: usize) -> String {
    match (some, all) {
        (_, 1) => "it".to_owned(),
        (some, all) if some == all => "any of them".to_owned(),
        (some, _) => format!("{} of them", super::told::number(some)),
    }
}

/// A path as a person reads it: from the folder of the call where it lies there.
fn name(place: &Standpoint<'_>, path: &Path) -> String {
    let cwd = place.cwd.map(Path::new).and_then(|cwd| cwd.canonicalize().ok());
    let below = cwd.as_deref().and_then(|cwd| path.strip_prefix(cwd).ok()).unwrap_or(path);
    below.to_string_lossy().into_owned()
}

/// What moving `sources` to `to` would do.
pub(super) fn moved(place: &Standpoint<'_>, sources: &[PathBuf], to: &str) -> Lookup<CommandConsequence> {
    let to = place.path(to);
    let target = to.as_ref().ok().filter(|to| to.is_dir());
    // Names that are there already; a folder is never written over.
    let places = sources.iter().filter_map(|source| match (target, &to) {
        (Some(folder), _) => Some(folder.join(source.file_name()?)),
        (None, Ok(to)) => Some(to.clone()),
        (None, Err(_)) => None,
    });
    let over: Vec<PathBuf> = places.filter(|path| path.symlink_metadata().is_ok_and(|found| !found.is_dir())).collect();
    let moved = hit(place, sources, true)?;
    if over.is_empty() || moved.files + moved.folders == 0 {
        return Ok(moved.told("Moves", false));
    }
    let mut told = hit(place, &over, false)?.told("", true);
    told.clause = format!("Overwrites{}", told.clause);
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_pattern_finds_what_a_shell_finds() {
        for (pattern, name, found) in [
            ("*", "a", true),
            ("*", ".env", false),
            (".*", ".env", true),
            ("*.log", "a.log", true),
            ("*.log", "a.log.gz", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b-d", false),
            ("?", "\u{e9}", true),
            ("*a", "aaaa", true),
        ] {
            assert_eq!(fits(pattern, name), found, "{pattern} {name}");
        }
    }
}
