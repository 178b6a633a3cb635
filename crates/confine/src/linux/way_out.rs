//! Ways that lead out of a room. One that was there before (a clone brings it, or it is yours) leads out under the name that it
//! has, and whoever judges a line sees that. What would give it another name is not done: neither a link to it nor a move of
//! the folder that it lies in (`links.rs`). So a name that leads into the room leads nowhere else later.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::link_target::stays_in;

/// Most names in folders that are looked at. In what holds more, a way out is not ruled out.
const MAX_NAMES: usize = 100_000;
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

/// Whether a link in `folder` that says `target` may lead out of `room`, or to a folder from which a way does. `folder` is a
/// real path in `room`.
pub(super) fn may_lead_out(room: &Path, folder: &Path, target: &OsStr) -> bool {
    match end(room, folder, target) {
        End::Folder(folder) => may_hold_way_out(room, folder),
        End::Other => false,
        End::Out => true,
    }
}

/// Whether a way out of `room` may begin in `folder`, however deep, which is a real path in it.
pub(super) fn may_hold_way_out(room: &Path, folder: PathBuf) -> bool {
    let (mut seen, mut waiting, mut names) = (HashSet::new(), vec![folder], 0_usize);
    while let Some(folder) = waiting.pop() {
        if !seen.insert(folder.clone()) {
            continue;
        }
        let found = match fs::read_dir(&folder) {
            Ok(found) => found,
            // Gone since.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(_) => return true,
        };
        for entry in found {
            names += 1;
            let Some((entry, kind)) = entry.ok().and_then(|entry| entry.file_type().ok().map(|kind| (entry, kind)))
            else {
                return true;
            };
            if names > MAX_NAMES {
                return true;
            }
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_symlink() {
                match fs::read_link(entry.path()).map(|target| end(room, &folder, target.as_os_str())) {
                    Ok(End::Folder(folder)) => waiting.push(folder),
                    Ok(End::Other) => {}
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Ok(End::Out) | Err(_) => return true,
                }
            }
        }
    }
    false
}

/// Every link on the way has to stay in the room by what it says: also one that leads to nothing now.
fn end(room: &Path, folder: &Path, target: &OsStr) -> End {
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
        match fs::symlink_metadata(&next) {
            Ok(found) if found.is_dir() => place = next,
            Ok(found) if found.is_symlink() => match fs::read_link(&next) {
                Ok(text) => link = Some(text.into_os_string()),
                Err(_) => return End::Out,
            },
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
            assert!(is_of_root || !may_lead_out(&room, &room, OsStr::new(target)), "{target}");
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
            assert!(may_lead_out(&room, &room, target), "{}", target.display());
        }
    }

    #[test]
    fn a_folder_is_told_by_all_that_it_holds() {
        let (_root, room) = room();
        for folder in ["plain", "plain/deep", "gone"] {
            assert!(!may_hold_way_out(&room, room.join(folder)), "{folder}");
        }
        for folder in ["yours", "over", "back", ""] {
            assert!(may_hold_way_out(&room, room.join(folder)), "{folder}");
        }
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
        assert!(!may_hold_way_out(&room, room.clone()));
    }
}
