//! Links that stood before a call, by which a new one would lead others out that does not lead out itself.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::baseline;
use super::kept::Kept;

/// Most names in a room that are looked at. In what holds more, a link that goes up behind a name is not ruled out.
const MAX_NAMES: usize = 1_000_000;

/// What is known of them.
pub(super) struct StandingLinks<'a> {
    kept: &'a Kept,
    /// Those that other calls put back, which run at the same time, by the names of their notes.
    of_others: HashMap<OsString, Vec<(PathBuf, PathBuf)>>,
    /// Whether a link in a room goes up behind a name.
    turning: HashMap<PathBuf, bool>,
}

impl<'a> StandingLinks<'a> {
    pub(super) fn new(kept: &'a Kept) -> Self {
        Self { kept, of_others: HashMap::new(), turning: HashMap::new() }
    }

    /// Whether a new link in `room` that does not lead out itself leads nobody out by another.
    ///
    /// Not where a link that is put back after the call is gone: behind the new one it might come to be again. And not where
    /// one goes up behind a name (`a/../x`): with the new one as `a`, it would lead elsewhere.
    pub(super) fn leave_others_alone(&mut self, room: &Path) -> bool {
        self.are_in_place() && !self.turns_back(room)
    }

    fn are_in_place(&mut self) -> bool {
        if !self.kept.links().all(|(link, target)| says(link, target)) {
            return false;
        }
        let Ok(notes) = baseline::links_of_others(&mut self.of_others) else { return false };
        notes.iter().all(|(link, target)| says(link, target))
    }

    fn turns_back(&mut self, room: &Path) -> bool {
        if let Some(known) = self.turning.get(room) {
            return *known;
        }
        let found = holds_turning(room);
        self.turning.insert(room.to_owned(), found);
        found
    }
}

fn says(link: &Path, target: &Path) -> bool {
    fs::read_link(link).is_ok_and(|now| now == target)
}

/// Whether a link in `room`, however deep, goes up behind a name. None is made inside walls (`link_target.rs`).
fn holds_turning(room: &Path) -> bool {
    let (mut waiting, mut names) = (vec![room.to_owned()], 0_usize);
    while let Some(folder) = waiting.pop() {
        let found = match fs::read_dir(&folder) {
            Ok(found) => found,
            // Gone since, or a file as room.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
            // Nobody goes by a link that cannot be read.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
            Err(_) => return true,
        };
        for entry in found {
            names += 1;
            let Ok(entry) = entry else { return true };
            if names > MAX_NAMES {
                return true;
            }
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_symlink() && fs::read_link(entry.path()).is_ok_and(|target| goes_up_behind_name(&target))
            {
                return true;
            }
        }
    }
    false
}

fn goes_up_behind_name(target: &Path) -> bool {
    let parts = target.components().filter(|part| *part != Component::CurDir);
    let mut behind = parts.skip_while(|part| *part == Component::ParentDir);
    behind.any(|part| part == Component::ParentDir)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_that_goes_up_behind_a_name_is_found() {
        for (target, found) in [
            ("a/../x", true),
            ("../a/../x", true),
            ("/a/../x", true),
            ("../../x", false),
            ("a/b", false),
            ("./a", false),
        ] {
            let room = tempfile::tempdir().unwrap();
            fs::create_dir_all(room.path().join("deep/er")).unwrap();
            symlink("deep", room.path().join("plain")).unwrap();
            symlink(target, room.path().join("deep/er/link")).unwrap();
            assert_eq!(holds_turning(room.path()), found, "{target}");
        }
    }

    #[test]
    fn where_a_link_is_gone_that_will_be_put_back_none_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join(".vscode")).unwrap();
        symlink("/etc/hostname", root.join(".vscode/x")).unwrap();
        let kept = Kept::copy(std::slice::from_ref(&root), vec![root.join(".vscode")]).unwrap();
        let mut standing = StandingLinks::new(&kept);
        assert!(standing.leave_others_alone(&root));
        fs::remove_file(root.join(".vscode/x")).unwrap();
        assert!(!standing.leave_others_alone(&root));
        symlink("/etc/other", root.join(".vscode/x")).unwrap();
        assert!(!standing.leave_others_alone(&root));
        kept.put_back();
        assert!(standing.leave_others_alone(&root));
    }
}
