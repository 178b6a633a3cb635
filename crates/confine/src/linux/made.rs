//! What the command may make among the temporary files of everybody, where nothing is.
//!
//! In namespaces it makes them in its own `/tmp`, and what of them is there when it has ended is moved to where everybody
//! sees it: never over something, and never along a link. Without namespaces it gets an empty file in each place, which is
//! removed again where nobody wrote to it.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, OpenHow, RenameFlags, ResolveFlag, openat2, renameat2};
use nix::sys::stat::fstatat;

use super::private_tmp::PrivateTmp;
use crate::Walls;

/// The folder that everybody has.
const SHARED: &str = "/tmp";

/// The places that the walls name.
pub(super) struct Made {
    places: Vec<Place>,
    /// The call's own folder. It is closed while the command runs, and this stays open.
    own: OwnedFd,
    /// The empty files that were made.
    files: OnceCell<Vec<EmptyFile>>,
}

/// Something that is not there.
struct Place {
    /// The folder that is there, by its real path.
    folder: PathBuf,
    /// The same as seen from the folder that everybody has.
    below: PathBuf,
    /// What is not in it.
    name: OsString,
    /// Nothing more of the path follows.
    is_whole: bool,
}

/// A file as it was made.
struct EmptyFile {
    path: PathBuf,
    inode: u64,
    changed: (i64, i64),
}

impl Made {
    /// Looks for what is not there, and makes the folders around it in the call's own one.
    ///
    /// # Errors
    /// When they cannot be made.
    pub(super) fn of(walls: &Walls, tmp: &PrivateTmp) -> io::Result<Self> {
        let shared = Path::new(SHARED).canonicalize()?;
        let is_open = |path: &Path| walls.write.iter().any(|open| path.starts_with(open));
        let mut places: Vec<Place> = Vec::new();
        for path in walls.made.iter().filter(|path| !is_open(path)) {
            let Some(place) = path.strip_prefix(SHARED).ok().and_then(|below| Place::of(&shared, below)) else {
                continue;
            };
            if !places.iter().any(|known| known.folder == place.folder && known.name == place.name) {
                std::fs::create_dir_all(tmp.path().join(&place.below))?;
                places.push(place);
            }
        }
        let how = OpenHow::new().flags(OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC);
        Ok(Self { places, own: openat2(AT_FDCWD, tmp.path(), how)?, files: OnceCell::new() })
    }

    /// Makes the empty files, for walls without namespaces. A folder cannot be made so.
    pub(super) fn make_files(&self) {
        self.files.get_or_init(|| self.places.iter().filter(|place| place.is_whole).filter_map(Place::make).collect());
    }

    /// The empty files that were made.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.files.get().into_iter().flatten().map(|file| file.path.clone())
    }

    /// Removes the empty files that nobody has written to.
    pub(super) fn remove_untouched(&self) {
        for file in self.files.get().into_iter().flatten().filter(|file| file.is_untouched()) {
            // It stays empty, then.
            let _ = std::fs::remove_file(&file.path);
        }
    }

    /// Moves what was made to where everybody sees it, once nothing of the command is left. Beside it stands what could not
    /// be moved, each with the reason.
    pub(super) fn bring_out(&self) -> Vec<String> {
        let failed = |place: &Place| {
            let why = place.bring_out(&self.own).err()?;
            Some(format!("{} ({why})", place.folder.join(&place.name).display()))
        };
        self.places.iter().filter_map(failed).collect()
    }
}

impl Place {
    /// The first of `below` that is not in `shared`. `None`: all of it is there, a file or a link stands in its way, or it
    /// lies in the settings of a repository, which decide what runs there.
    fn of(shared: &Path, below: &Path) -> Option<Self> {
        if below.iter().any(|name| name.eq_ignore_ascii_case(".git")) {
            return None;
        }
        let mut folder = shared.to_owned();
        let mut parts = below.iter();
        while let Some(name) = parts.next() {
            let path = folder.join(name);
            match std::fs::symlink_metadata(&path) {
                Ok(found) if found.is_dir() => folder = path,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    let below = folder.strip_prefix(shared).ok()?.to_owned();
                    return Some(Self { folder, below, name: name.to_owned(), is_whole: parts.next().is_none() });
                }
                Ok(_) | Err(_) => return None,
            }
        }
        None
    }

    fn make(&self) -> Option<EmptyFile> {
        let path = self.folder.join(&self.name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
        let file: File = options.open(&path).ok()?;
        let found = file.metadata().ok()?;
        Some(EmptyFile { path, inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) })
    }

    fn bring_out(&self, own: &OwnedFd) -> Result<(), Errno> {
        let folder = OpenHow::new().flags(OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC);
        let inside = if self.below.as_os_str().is_empty() { Path::new(".") } else { &self.below };
        let beneath = folder.resolve(ResolveFlag::RESOLVE_BENEATH | ResolveFlag::RESOLVE_NO_SYMLINKS);
        // The command may have taken it away.
        let inside = match openat2(own, inside, beneath) {
            Err(Errno::ENOENT) => return Ok(()),
            opened => opened?,
        };
        let name: &OsStr = &self.name;
        let found = match fstatat(&inside, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Err(Errno::ENOENT) => return Ok(()),
            found => found?,
        };
        // A link could lead others anywhere, and whoever opens a pipe waits for ever. What lies in a folder is the agent's as in
        // every folder that it makes.
        if ![libc::S_IFREG, libc::S_IFDIR].contains(&(found.st_mode & libc::S_IFMT)) {
            return Err(Errno::EINVAL);
        }
        let outside = openat2(AT_FDCWD, &self.folder, folder.resolve(ResolveFlag::RESOLVE_NO_SYMLINKS))?;
        renameat2(&inside, name, &outside, name, RenameFlags::RENAME_NOREPLACE)
    }
}

impl EmptyFile {
    fn is_untouched(&self) -> bool {
        std::fs::symlink_metadata(&self.path).is_ok_and(|found| {
            found.ino() == self.inode && found.len() == 0 && (found.ctime(), found.ctime_nsec()) == self.changed
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walls(made: &[&Path]) -> Walls {
        let made = made.iter().map(|path| (*path).to_owned()).collect();
        Walls { made, ..Walls::around("/p".into()) }
    }

    /// A folder among the temporary files, by a path that begins with the name that everybody uses.
    fn place() -> tempfile::TempDir {
        tempfile::Builder::new().prefix("made-").tempdir_in(SHARED).unwrap()
    }

    #[test]
    fn what_was_made_is_moved_and_nothing_else_is() {
        let (there, tmp) = (place(), PrivateTmp::create().unwrap());
        let (file, folder, never) = (there.path().join("a.txt"), there.path().join("b"), there.path().join("c"));
        let made = Made::of(&walls(&[&file, &folder.join("x/y"), &never]), &tmp).unwrap();
        let own = tmp.path().join(there.path().file_name().unwrap());
        std::fs::write(own.join("a.txt"), "made").unwrap();
        std::fs::create_dir_all(own.join("b/x")).unwrap();
        std::fs::write(own.join("b/x/y"), "deep").unwrap();
        std::fs::write(own.join("beside"), "not named").unwrap();
        tmp.close().unwrap();
        assert_eq!(made.bring_out(), [""; 0]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "made");
        assert_eq!(std::fs::read_to_string(folder.join("x/y")).unwrap(), "deep");
        assert!(!never.exists() && !there.path().join("beside").exists());
    }

    #[test]
    fn nothing_is_moved_over_something_or_along_a_link() {
        let (there, tmp) = (place(), PrivateTmp::create().unwrap());
        let (file, link, folder) = (there.path().join("a"), there.path().join("b"), there.path().join("c"));
        let made = Made::of(&walls(&[&file, &link, &folder.join("d")]), &tmp).unwrap();
        let own = tmp.path().join(there.path().file_name().unwrap());
        std::fs::write(own.join("a"), "mine").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", own.join("b")).unwrap();
        std::os::unix::fs::symlink("/etc", own.join("c")).unwrap();
        // Somebody else was faster.
        std::fs::write(&file, "theirs").unwrap();
        let failed = made.bring_out();
        assert_eq!(failed.len(), 3, "{failed:?}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
        assert!(std::fs::symlink_metadata(&link).is_err() && std::fs::symlink_metadata(&folder).is_err());
    }

    #[test]
    fn a_path_along_a_link_is_no_place() {
        let (there, tmp) = (place(), PrivateTmp::create().unwrap());
        std::os::unix::fs::symlink("/etc", there.path().join("link")).unwrap();
        std::fs::write(there.path().join("file"), "x").unwrap();
        let asked =
            ["link/x", "file/x", "file", ".git/hooks/pre-commit", "x/.GIT/config"].map(|name| there.path().join(name));
        let asked: Vec<&Path> = asked.iter().map(PathBuf::as_path).collect();
        assert!(Made::of(&walls(&asked), &tmp).unwrap().places.is_empty());
    }

    #[test]
    fn an_empty_file_goes_unless_somebody_wrote_to_it() {
        let (there, tmp) = (place(), PrivateTmp::create().unwrap());
        let (used, left, deep) = (there.path().join("a"), there.path().join("b"), there.path().join("c/d"));
        let made = Made::of(&walls(&[&used, &left, &deep]), &tmp).unwrap();
        made.make_files();
        assert_eq!(made.files().collect::<Vec<_>>(), [used.clone(), left.clone()]);
        std::fs::write(&used, "x").unwrap();
        made.remove_untouched();
        assert!(used.exists() && !left.exists() && !deep.exists());
    }
}
