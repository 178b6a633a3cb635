//! Links that stood before a call, by which a new one would lead others out that does not lead out itself.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access, geteuid};

use super::baseline;
use super::kept::Kept;
use super::link_target::goes_up_behind_name;

/// Most names in a place that are looked at. In what holds more, a link that goes up behind a name is not ruled out.
const MAX_NAMES: usize = 1_000_000;

/// What is known of them.
pub(super) struct StandingLinks<'a> {
    kept: &'a Kept,
    /// Where the call makes links that others find.
    places: Vec<PathBuf>,
    /// Those that other calls put back, which run at the same time, by the names of their notes.
    of_others: HashMap<OsString, Vec<(PathBuf, PathBuf)>>,
    /// Whether a link in any of the places goes up behind a name; `None`: nobody has looked.
    turns_back: Option<bool>,
}

/// Links that are put back after a call, this one or another, and what they say.
#[derive(Default)]
pub(super) struct LinksPutBack(BTreeMap<PathBuf, PathBuf>);

impl<'a> StandingLinks<'a> {
    pub(super) fn new(kept: &'a Kept, places: Vec<PathBuf>) -> Self {
        Self { kept, places, of_others: HashMap::new(), turns_back: None }
    }

    /// Those that are put back.
    ///
    /// # Errors
    /// When nobody knows what another call puts back.
    pub(super) fn put_back(&mut self) -> io::Result<LinksPutBack> {
        let own = self.kept.links().map(|(link, target)| (link.to_owned(), target.to_owned()));
        let others = baseline::links_of_others(&mut self.of_others)?;
        Ok(LinksPutBack(own.chain(others.into_iter().cloned()).collect()))
    }

    /// Whether one of them goes up behind a name (`a/../x`): with a new link as `a`, it would lead elsewhere. None such is made
    /// inside walls (`link_target.rs`), so it is looked for once.
    pub(super) fn turn_back(&mut self) -> bool {
        let places = &self.places;
        *self.turns_back.get_or_insert_with(|| places.iter().any(|place| holds_turning(place)))
    }
}

impl LinksPutBack {
    /// What the link at `path` will say.
    pub(super) fn at(&self, path: &Path) -> Option<&Path> {
        self.0.get(path).map(PathBuf::as_path)
    }

    /// Whether one lies in `folder`, however deep.
    pub(super) fn any_below(&self, folder: &Path) -> bool {
        self.below(folder).next().is_some()
    }

    /// The names in `folder` that such links have, or folders on the way to them.
    pub(super) fn names_in(&self, folder: &Path) -> HashSet<OsString> {
        let names = self.below(folder).filter_map(|link| link.strip_prefix(folder).ok()?.components().next());
        names.map(|name| name.as_os_str().to_owned()).collect()
    }

    fn below(&self, folder: &Path) -> impl Iterator<Item = &PathBuf> {
        let from = self.0.range(folder.to_owned()..).map(|(link, _)| link);
        from.take_while(move |link| link.starts_with(folder)).filter(move |link| link.as_path() != folder)
    }
}

/// Whether a link in `place`, however deep, may go up behind a name.
fn holds_turning(place: &Path) -> bool {
    let (mut waiting, mut names) = (vec![place.to_owned()], 0_usize);
    while let Some(folder) = waiting.pop() {
        let found = match fs::read_dir(&folder) {
            Ok(found) => found,
            // Gone since, or a file.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => continue,
            Err(_) if is_closed_for_good(&folder) => continue,
            Err(_) => return true,
        };
        for entry in found {
            names += 1;
            let Ok(entry) = entry else { return true };
            let Ok(kind) = entry.file_type() else { return true };
            if names > MAX_NAMES {
                return true;
            }
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_symlink() {
                match fs::read_link(entry.path()) {
                    Ok(target) if !goes_up_behind_name(&target) => {}
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Ok(_) | Err(_) => return true,
                }
            }
        }
    }
    false
}

/// Whether this user goes through a folder neither now nor later: it is somebody else's.
fn is_closed_for_good(folder: &Path) -> bool {
    let is_of_others = fs::symlink_metadata(folder).is_ok_and(|found| found.uid() != geteuid().as_raw());
    is_of_others && access(folder, AccessFlags::X_OK).is_err()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

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
    fn what_cannot_be_looked_into_may_hold_one() {
        if geteuid().is_root() {
            return;
        }
        let room = tempfile::tempdir().unwrap();
        let closed = room.path().join("closed");
        fs::create_dir(&closed).unwrap();
        symlink("a", closed.join("link")).unwrap();
        for mode in [0o000, 0o111, 0o444] {
            fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
            assert!(holds_turning(room.path()), "{mode:o}");
        }
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(!holds_turning(room.path()));
    }

    #[test]
    fn links_that_are_put_back_are_known_by_the_folders_that_they_lie_in() {
        let links = ["/p/.envrc", "/p/.claude/a/x", "/p.old/y"].map(|link| (link.into(), "z".into()));
        let links = LinksPutBack(links.into_iter().collect());
        assert!(links.any_below(Path::new("/p")) && links.any_below(Path::new("/p/.claude/a")));
        assert!(!links.any_below(Path::new("/p/.envrc")) && !links.any_below(Path::new("/p/src")));
        assert_eq!(links.names_in(Path::new("/p")), [".envrc", ".claude"].map(OsString::from).into());
        assert_eq!(links.at(Path::new("/p/.envrc")), Some(Path::new("z")));
    }
}
