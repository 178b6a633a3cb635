//! Files with credentials in a folder that a call reads as a whole.

use std::collections::VecDeque;
use std::fs::FileType;
use std::path::{Path, PathBuf};

use handraise_locations::TOOL_FOLDERS;
use handraise_policy::path::HeldCredential;
use handraise_shell::path::is_credential;

use super::tracked;
use crate::disk::Disk;

/// Most entries of one folder and what is below it that are looked at, the shallow ones first. What lies
/// beyond is not found, but for links where these are searched for.
const MAX_ENTRIES: usize = 2_000;
/// Folders above a file in which it is looked for what leaves it out.
const MAX_ABOVE: usize = 17;
/// Most files that are told.
const MAX_TOLD: usize = 16;
/// Names that one call may cause to be read where nothing is looked at but links and what a pattern finds.
const MAX_NAMES: usize = 100_000;
/// As many of them for a program that was not told to follow links: a call such as `find . -exec` is common and should not wait.
const MAX_SHORT_LOOK: usize = 20_000;
/// Large folders that are not looked into either, beside [`TOOL_FOLDERS`]: they would use up [`MAX_ENTRIES`]. The walls do
/// look into them, since what they miss is not hidden.
const TOO_LARGE: &[&str] = &[".cache", "dist"];

/// What was found in a folder, or by a pattern.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) holds: Vec<HeldCredential>,
    /// There was too much to look at.
    pub(super) is_cut: bool,
}

/// Searches for files with credentials, for one call.
pub(super) struct CredentialSearch<'a> {
    home: Option<&'a str>,
    pub(super) disk: &'a mut Disk,
    /// Names that may still be read.
    pub(super) names: usize,
}

impl<'a> CredentialSearch<'a> {
    pub(super) fn new(home: Option<&'a Path>, disk: &'a mut Disk) -> Self {
        Self { home: home.and_then(Path::to_str), disk, names: MAX_NAMES }
    }

    /// What `folder` holds; nothing when it is none.
    pub(super) fn held(&mut self, folder: &Path) -> Found {
        let mut found = Found::default();
        let mut left = MAX_ENTRIES;
        let mut waiting = VecDeque::from([folder.to_owned()]);
        while let Some(next) = waiting.pop_front() {
            // Too much to look at: what was found so far is told.
            let Ok(entries) = self.disk.entries(&next) else { return found };
            for entry in entries {
                let Some(fewer) = left.checked_sub(1) else { return found };
                left = fewer;
                let name = entry.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
                let is_folder = entry.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
                if is_folder && !is_left_out(name) {
                    waiting.push_back(entry);
                } else if !is_folder && self.is_one(&entry, entry.is_symlink()) && self.tell(&entry, folder, &mut found)
                {
                    return found;
                }
            }
        }
        found
    }

    /// The same, with the links that lie anywhere below `folder`; `followed`: as many names are read for it as there may be.
    pub(super) fn held_with_links(&mut self, folder: &Path, followed: bool) -> Found {
        let mut found = self.held(folder);
        let kept = if followed { 0 } else { self.names.saturating_sub(MAX_SHORT_LOOK) };
        self.names -= kept;
        self.links(folder, &mut found);
        self.names += kept;
        found
    }

    /// Whether `file` holds credentials by its name or, where a link is on the way, by where it leads.
    pub(super) fn is_one(&self, file: &Path, is_linked: bool) -> bool {
        let by_name = |path: &Path| path.to_str().is_some_and(|path| is_credential(path, self.home));
        by_name(file) || is_linked && file.canonicalize().is_ok_and(|real| by_name(&real))
    }

    /// Adds `file`, unless it is none. Whether no more are told: then nobody knows what else there is.
    pub(super) fn tell(&mut self, file: &Path, folder: &Path, found: &mut Found) -> bool {
        let is_file = file.metadata().is_ok_and(|found| found.is_file());
        let within = file.strip_prefix(folder).ok().and_then(Path::to_str).filter(|_| is_file);
        let Some(path) = within.filter(|path| found.holds.iter().all(|held| held.path != *path)) else { return false };
        let Standing { is_ignored, is_taken_back } = standing(file, self.disk);
        let is_tracked = tracked::is_tracked(file, self.disk);
        let (path, is_link) = (path.to_owned(), file.is_symlink());
        found.holds.push(HeldCredential { path, is_ignored, is_taken_back, is_link, is_tracked });
        found.is_cut |= found.holds.len() >= MAX_TOLD;
        found.is_cut
    }

    /// What lies in `folder`, with whether it is a folder, a link or something else, and nothing when it is none. `None`:
    /// there is too much to look at.
    pub(super) fn names_in(&mut self, folder: &Path) -> Option<Vec<(PathBuf, FileType)>> {
        let Ok(entries) = folder.read_dir() else { return Some(Vec::new()) };
        let mut names = Vec::new();
        for entry in entries.flatten() {
            self.names = self.names.checked_sub(1)?;
            names.extend(entry.file_type().ok().map(|kind| (entry.path(), kind)));
        }
        Some(names)
    }
}

/// Whether a folder of this name is not looked into.
fn is_left_out(name: &str) -> bool {
    TOOL_FOLDERS.contains(&name) || TOO_LARGE.contains(&name)
}

/// What files such as `.gitignore` say of a file.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    is_ignored: bool,
    is_taken_back: bool,
}

/// Files that say what is left out: gitignore(5); ripgrep's guide, "Automatic filtering"; fd(1); ag(1). Every program heeds the
/// first of them; of the others, which each heeds some of, counts only what they take back.
const IGNORE_FILES: &[&str] = &[".gitignore", ".ignore", ".rgignore", ".fdignore", ".agignore"];

/// What the lines between `file` and the top of its repository say of it: gitignore(5), for lines that are a name or a pattern
/// of names. What is said in other ways does not leave it out, and may take it back. Outside of a repository, nothing is
/// left out by git's own.
fn standing(file: &Path, disk: &mut Disk) -> Standing {
    let Some(name) = file.file_name().and_then(std::ffi::OsStr::to_str) else { return Standing::default() };
    let above: Vec<&Path> = file.ancestors().skip(1).take(MAX_ABOVE).collect();
    let top = above.iter().position(|folder| folder.join(".git").exists());
    let folders = above.get(..=top.unwrap_or(above.len().saturating_sub(1))).unwrap_or_default();
    let mut standing = Standing::default();
    for file_name in IGNORE_FILES {
        if top.is_none() && *file_name == ".gitignore" {
            continue;
        }
        // The nearest folder's lines count last.
        for folder in folders.iter().rev() {
            let Ok(Some(text)) = disk.text(&folder.join(file_name)) else { continue };
            for line in text.lines().map(|line| line.trim_end_matches(' ')) {
                match line.strip_prefix('!') {
                    _ if line.is_empty() || line.starts_with('#') => {}
                    Some(back) => {
                        let last = back.rsplit('/').next().unwrap_or(back);
                        if last.contains(['[', '\\']) || matches(last, name) {
                            standing = Standing { is_ignored: false, is_taken_back: true };
                        }
                    }
                    None if *file_name == ".gitignore" => {
                        let anchored =
                            line.strip_prefix('/').map(|rest| file.parent() == Some(*folder) && matches(rest, name));
                        let anywhere = || matches(line.strip_prefix("**/").unwrap_or(line), name);
                        if anchored.unwrap_or_else(anywhere) {
                            standing = Standing { is_ignored: true, is_taken_back: false };
                        }
                    }
                    None => {}
                }
            }
        }
    }
    standing
}

/// A pattern without `/`, with `*` and `?`.
fn matches(pattern: &str, name: &str) -> bool {
    fn at(pattern: &[u8], name: &[u8]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, None) => true,
            (Some((b'*', rest)), _) => at(rest, name) || name.split_first().is_some_and(|(_, name)| at(pattern, name)),
            (Some((b'?', rest)), Some((_, name))) => at(rest, name),
            (Some((one, rest)), Some((other, name))) => one == other && at(rest, name),
            _ => false,
        }
    }
    // A short list of stars, so that matching stays cheap.
    pattern.matches('*').count() <= 3
        && pattern.len() <= 64
        && name.len() <= 128
        && at(pattern.as_bytes(), name.as_bytes())
}
