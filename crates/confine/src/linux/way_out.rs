//! Ways that lead out of a room. One that was there before (a clone brings it, or it is yours) leads out under the name that it
//! has, and whoever judges a line sees that. What would give it another name is not done: neither a link to it nor a move of
//! the folder that it lies in (`links.rs`). So a name that leads into the room leads nowhere else later. A link that will be put
//! back counts as a way out while it is not there as it was.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::link_target::stays_in;
use super::standing_links::LinksPutBack;

/// Most names that are looked at, in folders and on the ways of links. In what holds more, a way out is not ruled out.
const MAX_NAMES: usize = 100_000;
/// Bytes of a path behind which a look at a name counts once more: the kernel walks all of it each time.
const LONG_PATH: usize = 256;
/// Most links on one way: as many as Linux follows, path_resolution(7).
const MAX_LINKS: usize = 40;

/// Where a link leads, links on the way followed.
enum End {
    /// To a folder in the room.
    Folder(PathBuf),
    /// To a file in the room, to nothing yet, or to a place of the system.
    Other,
    /// Out of the room, perhaps.
    Out,
}

/// The names that were looked at.
#[derive(Default)]
struct Looks(usize);

impl Looks {
    /// Whether there may be one more, at `path`.
    fn one_more(&mut self, path: &Path) -> bool {
        self.0 += 1 + path.as_os_str().len() / LONG_PATH;
        self.0 <= MAX_NAMES
    }
}

/// Whether a link in `folder` that says `target` may lead out of `room`, or to a folder from which a way does. `folder` is a
/// real path in `room`.
pub(super) fn may_lead_out(room: &Path, folder: &Path, target: &OsStr, put_back: &LinksPutBack) -> bool {
    match end(room, folder, target, put_back, &mut Looks::default()) {
        End::Folder(folder) => may_hold_way_out(room, folder, put_back),
        End::Other => false,
        End::Out => true,
    }
}

/// Whether a way out of `room` may begin in `folder`, however deep, which is a real path in it.
pub(super) fn may_hold_way_out(room: &Path, folder: PathBuf, put_back: &LinksPutBack) -> bool {
    let (mut seen, mut waiting, mut looks) = (HashSet::new(), vec![folder], Looks::default());
    while let Some(folder) = waiting.pop() {
        if !seen.insert(folder.clone()) {
            continue;
        }
        let found = match fs::read_dir(&folder) {
            Ok(found) => found,
            // Gone since.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !put_back.any_below(&folder) => continue,
            Err(_) => return true,
        };
        let mut missing = put_back.names_in(&folder);
        for entry in found {
            let Some((entry, kind)) = entry.ok().and_then(|entry| entry.file_type().ok().map(|kind| (entry, kind)))
            else {
                return true;
            };
            let path = entry.path();
            if !looks.one_more(&path) {
                return true;
            }
            // On the way to what is put back there is a folder.
            if kind.is_dir() || !put_back.any_below(&path) {
                missing.remove(&entry.file_name());
            }
            if kind.is_dir() && put_back.at(&path).is_none() {
                waiting.push(path);
            } else if kind.is_symlink() {
                match fs::read_link(&path).map(|target| link_end(room, &folder, &path, &target, put_back, &mut looks)) {
                    Ok(End::Folder(folder)) => waiting.push(folder),
                    Ok(End::Other) => {}
                    Err(error) if error.kind() == io::ErrorKind::NotFound && put_back.at(&path).is_none() => {}
                    Ok(End::Out) | Err(_) => return true,
                }
            } else if put_back.at(&path).is_some() {
                return true;
            }
        }
        if !missing.is_empty() {
            return true;
        }
    }
    false
}

/// Where the link at `path` in `folder` leads, which says `target`.
fn link_end(room: &Path, folder: &Path, path: &Path, target: &Path, put_back: &LinksPutBack, looks: &mut Looks) -> End {
    match put_back.at(path) {
        Some(before) if before != target => End::Out,
        _ => end(room, folder, target.as_os_str(), put_back, looks),
    }
}

/// Every link on the way has to stay in the room by what it says: also one that leads to nothing now.
fn end(room: &Path, folder: &Path, target: &OsStr, put_back: &LinksPutBack, looks: &mut Looks) -> End {
    let (mut place, mut links) = (folder.to_owned(), 0);
    let mut steps: Vec<OsString> = Vec::new();
    let mut link = Some(target.to_owned());
    loop {
        if let Some(text) = link.take() {
            links += 1;
            if links > MAX_LINKS || !stays_in(room, &place, &text) {
                return End::Out;
            }
            let text = Path::new(&text);
            let below = match text.strip_prefix(room) {
                Ok(below) => {
                    place = room.to_owned();
                    below
                }
                // Of the system: nobody leads that elsewhere.
                Err(_) if text.is_absolute() => return End::Other,
                Err(_) => text,
            };
            let parts = below.components().filter(|part| *part != Component::CurDir);
            steps.extend(parts.map(|part| part.as_os_str().to_owned()).collect::<Vec<_>>().into_iter().rev());
        }
        let Some(step) = steps.pop() else { return End::Folder(place) };
        if step == ".." {
            place.pop();
            continue;
        }
        let next = place.join(&step);
        if !looks.one_more(&next) {
            return End::Out;
        }
        let before = put_back.at(&next);
        match fs::symlink_metadata(&next) {
            Ok(found) if found.is_symlink() => match fs::read_link(&next) {
                Ok(text) if before.is_none_or(|before| before == text) => link = Some(text.into_os_string()),
                _ => return End::Out,
            },
            // It will be a link again, or hold one.
            _ if before.is_some() => return End::Out,
            Ok(found) if found.is_dir() => place = next,
            _ if put_back.any_below(&next) => return End::Out,
            Ok(_) => return End::Other,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return End::Other;
            }
            Err(_) => return End::Out,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A room with a folder of its own, and one with ways out.
    fn room() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        let room = root.path().canonicalize().unwrap().join("room");
        for folder in ["plain/deep", "yours", "over", "back/cur"] {
            fs::create_dir_all(room.join(folder)).unwrap();
        }
        fs::write(room.join("plain/file"), "").unwrap();
        for (name, target) in [
            ("plain/deep/up", "../file"),
            ("plain/gone", "none/x"),
            ("yours/key", "../../key"),
            ("yours/later", "../../later/x"),
            ("over/there", "../yours"),
            ("over-key", "yours/key"),
            ("back/pre", "cur/../../x"),
            ("round", "round"),
        ] {
            symlink(target, room.join(name)).unwrap();
        }
        (root, room)
    }

    #[test]
    fn a_link_is_told_by_all_that_it_leads_to() {
        let (_root, room) = room();
        for target in
            ["plain", "plain/file", "plain/deep/up", "plain/gone", "none", "plain/none/x", "/bin/sh", "plain/file/x"]
        {
            let is_of_root = target == "/bin/sh" && nix::unistd::geteuid().is_root();
            assert!(
                is_of_root || !may_lead_out(&room, &room, OsStr::new(target), &LinksPutBack::default()),
                "{target}"
            );
        }
        let whole = room.as_os_str();
        for target in [
            OsStr::new("yours"),
            OsStr::new("yours/key"),
            // To what is not there yet, beside the key or behind a link that leads to nothing.
            OsStr::new("yours/later"),
            OsStr::new("yours/later/on"),
            OsStr::new("over-key"),
            OsStr::new("over"),
            OsStr::new("over/there/key"),
            OsStr::new("back"),
            OsStr::new("back/pre"),
            OsStr::new("."),
            OsStr::new("round"),
            OsStr::new("../key"),
            whole,
        ] {
            assert!(may_lead_out(&room, &room, target, &LinksPutBack::default()), "{}", target.display());
        }
    }

    #[test]
    fn a_folder_is_told_by_all_that_it_holds() {
        let (_root, room) = room();
        for folder in ["plain", "plain/deep", "gone"] {
            assert!(!may_hold_way_out(&room, room.join(folder), &LinksPutBack::default()), "{folder}");
        }
        for folder in ["yours", "over", "back", ""] {
            assert!(may_hold_way_out(&room, room.join(folder), &LinksPutBack::default()), "{folder}");
        }
    }

    /// Each look at a name walks all of its path: many links down a deep tree would take minutes.
    #[test]
    fn many_links_down_a_deep_tree_are_not_looked_at_to_the_end() {
        let (_root, room) = room();
        let links = room.join("links");
        fs::create_dir(&links).unwrap();
        let deep = "d/".repeat(1500);
        symlink(&deep, links.join("0")).unwrap();
        let mut inner = nix::fcntl::open(&links, nix::fcntl::OFlag::O_PATH, nix::sys::stat::Mode::empty()).unwrap();
        for _ in 0..1500 {
            nix::sys::stat::mkdirat(&inner, "d", nix::sys::stat::Mode::S_IRWXU).unwrap();
            inner = nix::fcntl::openat(&inner, "d", nix::fcntl::OFlag::O_PATH, nix::sys::stat::Mode::empty()).unwrap();
        }
        assert!(!may_hold_way_out(&room, links.clone(), &LinksPutBack::default()));
        for number in 1..40 {
            symlink(&deep, links.join(number.to_string())).unwrap();
        }
        assert!(may_hold_way_out(&room, links, &LinksPutBack::default()));
    }

    #[test]
    fn links_in_circles_have_an_end() {
        let (_root, room) = room();
        let inner = room.join("plain/deep");
        symlink("../..", inner.join("top")).unwrap();
        symlink("..", inner.join("again")).unwrap();
        fs::remove_dir_all(room.join("yours")).unwrap();
        fs::remove_dir_all(room.join("back")).unwrap();
        for name in ["round", "over-key"] {
            fs::remove_file(room.join(name)).unwrap();
        }
        assert!(!may_hold_way_out(&room, room.clone(), &LinksPutBack::default()));
    }

    #[test]
    fn what_will_be_put_back_counts_while_it_is_gone() {
        use crate::linux::kept::Kept;
        use crate::linux::standing_links::StandingLinks;

        let (_root, room) = room();
        for file in ["plain/.envrc", "plain/.claude/in/x"] {
            fs::create_dir_all(room.join(file).parent().unwrap()).unwrap();
            symlink("../file", room.join(file)).unwrap();
        }
        let places = vec![room.join("plain/.envrc"), room.join("plain/.claude")];
        let kept = Kept::copy(std::slice::from_ref(&room), places, &|_| false).unwrap();
        let put_back = StandingLinks::new(&kept, Vec::new()).put_back().unwrap();
        let lead_out = || {
            let targets = ["plain", "plain/.envrc", "plain/.claude", "plain/.claude/in", "plain/.claude/in/x"];
            targets.map(|target| may_lead_out(&room, &room, OsStr::new(target), &put_back))
        };
        assert_eq!(lead_out(), [false; 5]);
        fs::remove_file(room.join("plain/.envrc")).unwrap();
        assert_eq!(lead_out(), [true, true, false, false, false]);
        fs::write(room.join("plain/.envrc"), "").unwrap();
        assert_eq!(lead_out(), [true, true, false, false, false]);
        kept.put_back();
        fs::rename(room.join("plain/.claude/in"), room.join("plain/.claude/on")).unwrap();
        assert_eq!(lead_out(), [true, false, true, true, true]);
        fs::remove_dir_all(room.join("plain/.claude")).unwrap();
        assert_eq!(lead_out(), [true, false, true, true, true]);
        fs::create_dir_all(room.join("plain/.claude/in")).unwrap();
        assert_eq!(lead_out(), [true, false, true, true, true]);
        symlink("../../file", room.join("plain/.claude/in/x")).unwrap();
        assert_eq!(lead_out(), [true, false, true, true, true]);
    }
}
