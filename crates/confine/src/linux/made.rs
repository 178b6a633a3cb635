//! What the command may make among the temporary files of everybody, where nothing is.
//!
//! In namespaces it makes them in its own `/tmp`, and what of them is there when it has ended is moved to where everybody
//! sees it: never over something, and never along a link. Without namespaces it gets an empty file in each place, which is
//! removed again where nobody wrote to it.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, OpenHow, RenameFlags, ResolveFlag, openat2, renameat2};
use nix::sys::stat::fstatat;

use super::links::remove_leading_out;
use super::private_tmp::PrivateTmp;
use crate::Walls;
use crate::acting;

/// The folder that everybody has.
pub(super) const SHARED: &str = "/tmp";

/// The places that the walls name.
pub(super) struct Made {
    places: Vec<Place>,
    /// The call's own folder. It is closed while the command runs, and this stays open.
    own: OwnedFd,
    /// The empty files that were made.
    files: OnceCell<Vec<EmptyFile>>,
}

/// Something that is not there, directly in the folder that everybody has: what lies in a folder there is for whoever made
/// that folder.
struct Place {
    /// Its real path.
    path: PathBuf,
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
    /// Looks for what is not there.
    ///
    /// # Errors
    /// When the folders of everybody and of the call cannot be opened.
    pub(super) fn of(walls: &Walls, tmp: &PrivateTmp) -> io::Result<Self> {
        let shared = Path::new(SHARED).canonicalize()?;
        let is_open = |path: &Path| walls.write.iter().any(|open| path.starts_with(open));
        let mut places: Vec<Place> = Vec::new();
        for path in walls.made.iter().filter(|path| !is_open(path)) {
            let Some(place) = path.strip_prefix(SHARED).ok().and_then(|below| Place::of(&shared, below)) else {
                continue;
            };
            if !places.iter().any(|known| known.name == place.name) {
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

    /// Removes the empty files that nobody has written to, and names the others.
    pub(super) fn remove_untouched(&self) -> Vec<String> {
        let (untouched, written): (Vec<_>, Vec<_>) =
            self.files.get().into_iter().flatten().partition(|file| file.is_untouched());
        for file in untouched {
            // It stays empty, then.
            let _ = std::fs::remove_file(&file.path);
        }
        written.into_iter().filter(|file| file.is_there()).map(|file| file.path.display().to_string()).collect()
    }

    /// Moves what was made to where everybody sees it, once nothing of the command is left. Names what is there now, and what
    /// could not be moved, each with the reason. Links that may lead out of a folder are none of it.
    pub(super) fn bring_out(&self) -> (Vec<String>, Vec<String>) {
        let (mut out, mut failed) = (Vec::new(), Vec::new());
        for place in &self.places {
            let path = place.path.display();
            match place.bring_out(&self.own) {
                Ok(Some(left)) => {
                    out.push(path.to_string());
                    let links = left.iter().map(|link| place.path.join(link));
                    failed.extend(links.map(|link| format!("{} (a link that leads out of {path})", link.display())));
                }
                Ok(None) => {}
                Err(why) => failed.push(format!("{path} ({why})")),
            }
        }
        (out, failed)
    }
}

/// Why something is not moved.
#[derive(Debug, thiserror::Error)]
enum NotMoved {
    #[error("{0}")]
    System(#[from] Errno),
    #[error("neither a file nor a folder")]
    Kind,
    #[error("in it lies {0}, which decides what runs")]
    Acts(String),
    #[error("{0}")]
    Look(#[from] io::Error),
}

impl Place {
    /// The first of `below` in `shared`, which is not there. `None`: something is, or it is called like the settings of a
    /// repository.
    fn of(shared: &Path, below: &Path) -> Option<Self> {
        if below.iter().any(|name| name.eq_ignore_ascii_case(".git")) {
            return None;
        }
        let mut parts = below.iter();
        let name = parts.next()?.to_owned();
        let path = shared.join(&name);
        let is_absent = std::fs::symlink_metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        is_absent.then(|| Self { path, name, is_whole: parts.next().is_none() })
    }

    fn make(&self) -> Option<EmptyFile> {
        let path = self.path.clone();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
        let file: File = options.open(&path).ok()?;
        let found = file.metadata().ok()?;
        Some(EmptyFile { path, inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) })
    }

    /// Moves what was made, if something was, and names the links that were left out.
    fn bring_out(&self, own: &OwnedFd) -> Result<Option<Vec<PathBuf>>, NotMoved> {
        let mut left = Vec::new();
        let folder = OpenHow::new().flags(OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC);
        let name: &OsStr = &self.name;
        let found = match fstatat(own, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Err(Errno::ENOENT) => return Ok(None),
            found => found?,
        };
        // A link could lead others anywhere, and whoever opens a pipe waits for ever.
        match found.st_mode & libc::S_IFMT {
            libc::S_IFREG => {}
            libc::S_IFDIR => {
                let inside = PathBuf::from(format!("/proc/self/fd/{}", own.as_raw_fd())).join(name);
                if let Some(first) = acting::all_in(&inside)?.first() {
                    return Err(NotMoved::Acts(first.display().to_string()));
                }
                left = remove_leading_out(&inside, &self.path)?;
            }
            _ => return Err(NotMoved::Kind),
        }
        let shared = self.path.parent().unwrap_or(&self.path);
        let outside = openat2(AT_FDCWD, shared, folder.resolve(ResolveFlag::RESOLVE_NO_SYMLINKS))?;
        renameat2(own, name, &outside, name, RenameFlags::RENAME_NOREPLACE)?;
        Ok(Some(left))
    }
}

impl EmptyFile {
    fn is_there(&self) -> bool {
        std::fs::symlink_metadata(&self.path).is_ok_and(|found| found.ino() == self.inode)
    }

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

    /// A name among the temporary files that nothing has.
    fn free(name: &str) -> PathBuf {
        Path::new(SHARED).join(format!("made-{}-{name}", std::process::id()))
    }

    fn remove(paths: &[&Path]) {
        for path in paths {
            let _ = std::fs::remove_dir_all(path).or_else(|_| std::fs::remove_file(path));
        }
    }

    #[test]
    fn what_was_made_is_moved_and_nothing_else_is() {
        let tmp = PrivateTmp::create().unwrap();
        let (file, folder, never) = (free("a.txt"), free("b"), free("c"));
        let made = Made::of(&walls(&[&file, &folder.join("x/y"), &never]), &tmp).unwrap();
        let own = |path: &Path| tmp.path().join(path.file_name().unwrap());
        std::fs::write(own(&file), "made").unwrap();
        std::fs::create_dir_all(own(&folder).join("x")).unwrap();
        std::fs::write(own(&folder).join("x/y"), "deep").unwrap();
        std::fs::write(own(&free("beside")), "not named").unwrap();
        tmp.close().unwrap();
        let (out, failed) = made.bring_out();
        let texts = (std::fs::read_to_string(&file).ok(), std::fs::read_to_string(folder.join("x/y")).ok());
        let others = never.exists() || free("beside").exists();
        remove(&[&file, &folder]);
        assert_eq!((out.len(), failed.as_slice()), (2, &[][..]), "{out:?}");
        assert_eq!(texts, (Some("made".into()), Some("deep".into())));
        assert!(!others);
    }

    #[test]
    fn nothing_is_moved_over_something_or_along_a_link_and_no_link_either() {
        let tmp = PrivateTmp::create().unwrap();
        let (file, link, folder) = (free("d"), free("e"), free("f"));
        let made = Made::of(&walls(&[&file, &link, &folder.join("d")]), &tmp).unwrap();
        let own = |path: &Path| tmp.path().join(path.file_name().unwrap());
        std::fs::write(own(&file), "mine").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", own(&link)).unwrap();
        std::os::unix::fs::symlink("/etc", own(&folder)).unwrap();
        // Somebody else was faster.
        std::fs::write(&file, "theirs").unwrap();
        let (out, failed) = made.bring_out();
        let text = std::fs::read_to_string(&file).unwrap();
        let others = std::fs::symlink_metadata(&link).is_ok() || std::fs::symlink_metadata(&folder).is_ok();
        remove(&[&file, &link, &folder]);
        assert_eq!((out.len(), failed.len()), (0, 3), "{out:?} {failed:?}");
        assert!(text == "theirs" && !others);
    }

    #[test]
    fn what_decides_what_runs_stays_inside() {
        let names = [
            ".git/config",
            "deep/.git",
            "deep/.claude/settings.json",
            "a/.husky/pre-commit",
            ".envrc",
            "a/HEAD",
            "a/.Config/mise/config.toml",
            "x.code-workspace",
        ];
        for (number, name) in names.into_iter().enumerate() {
            let tmp = PrivateTmp::create().unwrap();
            let folder = free(&format!("acts-{number}"));
            let made = Made::of(&walls(&[&folder]), &tmp).unwrap();
            let path = tmp.path().join(folder.file_name().unwrap()).join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
            let (out, failed) = made.bring_out();
            remove(&[&folder]);
            assert!(
                out.is_empty() && failed.len() == 1 && failed[0].contains("decides what runs"),
                "{name}: {failed:?}"
            );
        }
        // A repository without a folder of its own: gitrepository-layout(5).
        let tmp = PrivateTmp::create().unwrap();
        let folder = free("bare");
        let made = Made::of(&walls(&[&folder]), &tmp).unwrap();
        let own = tmp.path().join(folder.file_name().unwrap());
        std::fs::create_dir_all(own.join("x/objects")).unwrap();
        std::fs::write(own.join("x/HEAD"), "ref: refs/heads/main").unwrap();
        let (out, failed) = made.bring_out();
        remove(&[&folder]);
        assert!(out.is_empty() && failed.len() == 1, "{failed:?}");
    }

    #[test]
    fn a_folder_of_somebody_else_is_no_place() {
        let (there, tmp) = (place(), PrivateTmp::create().unwrap());
        std::os::unix::fs::symlink("/etc", there.path().join("link")).unwrap();
        std::fs::write(there.path().join("file"), "x").unwrap();
        let asked =
            ["new", "new/x", "hooks/update", "link/x", "file/x", "file", ".git/hooks/pre-commit", "x/.GIT/config"];
        let asked = asked.map(|name| there.path().join(name));
        let asked: Vec<&Path> = asked.iter().map(PathBuf::as_path).collect();
        assert!(Made::of(&walls(&asked), &tmp).unwrap().places.is_empty());
    }

    #[test]
    fn an_empty_file_goes_unless_somebody_wrote_to_it() {
        let tmp = PrivateTmp::create().unwrap();
        let (used, left, deep) = (free("g"), free("h"), free("i/d"));
        let made = Made::of(&walls(&[&used, &left, &deep]), &tmp).unwrap();
        made.make_files();
        assert_eq!(made.files().collect::<Vec<_>>(), [used.clone(), left.clone()]);
        std::fs::write(&used, "x").unwrap();
        let out = made.remove_untouched();
        let there = (used.exists(), left.exists(), deep.exists());
        remove(&[&used, &left]);
        assert_eq!((there, out), ((true, false, false), vec![used.display().to_string()]));
    }
}
