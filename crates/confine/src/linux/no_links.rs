//! Files of a project looked at and changed through no link, so that whoever is at work in it at the same time chooses
//! nothing of where that leads.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, open, openat2};
use nix::sys::stat::{FchmodatFlags, Mode, fchmodat};
use serde::{Deserialize, Serialize};

use crate::acting::PUT_ASIDE;

/// What a place was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Entry {
    File {
        bytes: Content,
        mode: u32,
        /// How many names it had.
        #[serde(default)]
        names: u64,
    },
    Folder {
        mode: u32,
    },
    Link {
        target: PathBuf,
    },
    /// A pipe, socket or device: it can be noticed, and not made anew.
    Other,
}

/// What was in a file: as text where it is text, so that a note of it stays small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Bytes(Vec<u8>),
}

impl Content {
    fn of(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Self::Bytes(error.into_bytes()), Self::Text)
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl Entry {
    /// How many bytes it takes to tell it from others.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::File { bytes, .. } => bytes.bytes().len() as u64,
            _ => 0,
        }
    }

    /// Whether it is what it `was`. A file that has got another name is not: whoever writes that changes it.
    pub(super) fn is_still(&self, was: &Self) -> bool {
        match (self, was) {
            (
                Self::File { bytes, mode, names },
                Self::File { bytes: bytes_before, mode: mode_before, names: names_before },
            ) => bytes == bytes_before && mode == mode_before && names <= names_before,
            _ => self == was,
        }
    }

    pub(super) fn is_folder(&self) -> bool {
        matches!(self, Self::Folder { .. })
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR | libc::ELOOP))
}

/// Opens the folder that holds `path`, through no link.
fn folder_of(path: &Path) -> io::Result<(OwnedFd, PathBuf)> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    };
    let how = OpenHow::new()
        .flags(OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC)
        .resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    let folder = openat2(AT_FDCWD, folder, how)?;
    let inner = below(&folder).join(name);
    Ok((folder, inner))
}

/// The name under which this process reaches what `folder` is open on, without resolving anything again.
fn below(folder: &OwnedFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()))
}

/// What is at `path`, with up to `most` bytes of a file and one more; none when there is nothing, or something else
/// stands where its folder was.
///
/// # Errors
/// When it cannot be looked at: closed to its owner, say.
pub(super) fn read(path: &Path, most: u64) -> io::Result<Option<Entry>> {
    match read_through(path, most) {
        Ok(entry) => Ok(Some(entry)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn read_through(path: &Path, most: u64) -> io::Result<Entry> {
    // Most places are not there: one look is enough to know.
    std::fs::symlink_metadata(path)?;
    let (_folder, place) = folder_of(path)?;
    let found = std::fs::symlink_metadata(&place)?;
    let mode = found.permissions().mode() & 0o7777;
    if found.is_symlink() {
        return Ok(Entry::Link { target: std::fs::read_link(&place)? });
    }
    if found.is_dir() {
        return Ok(Entry::Folder { mode });
    }
    if !found.is_file() {
        return Ok(Entry::Other);
    }
    // Non-blocking, should it have become a pipe.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(&place)?;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(Entry::File { bytes: Content::of(bytes), mode, names: found.nlink() })
}

/// Whether something is at `path`, whatever it is and however closed.
pub(super) fn is_there(path: &Path) -> bool {
    look(path).is_ok()
}

/// What the system says of what is at `path`.
///
/// # Errors
/// When there is nothing, or it cannot be looked at.
pub(super) fn look(path: &Path) -> io::Result<std::fs::Metadata> {
    let (_folder, place) = folder_of(path)?;
    std::fs::symlink_metadata(place)
}

/// The paths of what lies in the folder `path`.
///
/// # Errors
/// When it cannot be listed.
pub(super) fn list(path: &Path) -> io::Result<Vec<PathBuf>> {
    let (_folder, place) = folder_of(path)?;
    let folder = real_folder(&place)?;
    let names = std::fs::read_dir(below(&folder))?;
    Ok(names.flatten().map(|entry| path.join(entry.file_name())).collect())
}

/// The names in some folders, each listed once: most of what is looked for there is not, and a look at each costs a sixth of
/// what it takes to put walls up.
pub(super) struct NamesIn(Vec<(PathBuf, Option<HashSet<String>>)>);

impl NamesIn {
    /// Lists `folders`. One that cannot be listed, or is larger than it is worth, may hold anything. So may one with names that
    /// a file system could take for others: it may know no small letters from large ones.
    pub(super) fn of(folders: &[PathBuf]) -> Self {
        const MAX_NAMES: usize = 2000;
        let names = |folder: &PathBuf| {
            let listed = list(folder).ok().filter(|listed| listed.len() <= MAX_NAMES)?;
            let name =
                |path: PathBuf| Some(path.file_name()?.to_str().filter(|name| name.is_ascii())?.to_ascii_lowercase());
            listed.into_iter().map(name).collect()
        };
        Self(folders.iter().map(|folder| (folder.clone(), names(folder))).collect())
    }

    /// Whether nothing is at `path`, nor at the first of its folders in a listed one.
    pub(super) fn lack(&self, path: &Path) -> bool {
        self.0.iter().any(|(folder, names)| {
            let below = path.strip_prefix(folder).ok().and_then(|below| below.components().next());
            let first = below.and_then(|first| first.as_os_str().to_str());
            let known = names.as_ref().zip(first);
            known.is_some_and(|(names, first)| !names.contains(&first.to_ascii_lowercase()))
        })
    }
}

/// Opens a folder that is no link, for looking only. Closed ones, too.
fn real_folder(place: &Path) -> io::Result<OwnedFd> {
    let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    Ok(open(place, flags, Mode::empty())?)
}

/// Gives a folder the permission bits `mode`.
///
/// # Errors
/// When it is no folder, or not this user's.
pub(super) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    let (_folder, place) = folder_of(path)?;
    set_mode_of(&real_folder(&place)?, mode)
}

fn set_mode_of(folder: &OwnedFd, mode: u32) -> io::Result<()> {
    let mode = Mode::from_bits_truncate(mode);
    Ok(fchmodat(AT_FDCWD, &below(folder), mode, FchmodatFlags::FollowSymlink)?)
}

/// Takes away what is at `path` and all below it, also where folders in it were closed to their owner. What cannot be
/// removed gets another name beside it.
///
/// # Errors
/// When it stays where it is.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let (_folder, place) = match folder_of(path) {
        Err(error) if is_absent(&error) => return Ok(()),
        found => found?,
    };
    let removed = match std::fs::symlink_metadata(&place) {
        Ok(found) if found.is_dir() => remove_folder(&place),
        Ok(_) => std::fs::remove_file(&place),
        Err(error) if is_absent(&error) => Ok(()),
        Err(error) => Err(error),
    };
    removed.or_else(|error| put_aside(path).map_err(|_| error))
}

/// Gives what is at `path` a name beside it that nobody obeys, and closes it to everybody if it is a folder: nothing of it is
/// lost.
///
/// # Errors
/// When it stays where it is.
pub(super) fn put_aside(path: &Path) -> io::Result<()> {
    let (around, place) = folder_of(path)?;
    // The number at the end: tools know some files by what their names end with.
    let aside = below(&around).join(format!("{PUT_ASIDE}{}-{:016x}", shown_of(path), unforeseen()));
    // A folder is moved by who may write in it, and in what holds it.
    let folder = real_folder(&place).ok();
    let _ = folder.as_ref().map(|folder| set_mode_of(folder, 0o700));
    std::fs::rename(&place, &aside).or_else(|_| {
        set_mode_of(&around, 0o700)?;
        std::fs::rename(&place, &aside)
    })?;
    folder.map_or(Ok(()), |folder| set_mode_of(&folder, 0))
}

/// As much of the name of `path` as leaves room in a name of 255 bytes.
fn shown_of(path: &Path) -> String {
    const MAX: usize = 160;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = name.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let end = ends.take_while(|end| *end <= MAX).last().unwrap_or_default();
    name.get(..end).unwrap_or_default().to_owned()
}

/// A number for a name that no command could foresee, and take.
pub(super) fn unforeseen() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Removes a folder and all below it, however deep and however closed. It takes no more memory and no more open files for
/// a deep one: what holds something is moved up to the top first.
///
/// # Errors
/// When something of it is left.
pub(super) fn remove_folder(place: &Path) -> io::Result<()> {
    let top = open_folder(place)?;
    let (mut moved, mark) = (0_u64, unforeseen());
    let mut is_empty = false;
    while !is_empty {
        is_empty = true;
        for entry in std::fs::read_dir(below(&top))? {
            is_empty = false;
            let path = entry?.path();
            if !remove_entry(&path)? {
                let inner = open_folder(&path)?;
                for entry in std::fs::read_dir(below(&inner))? {
                    let path = entry?.path();
                    if !remove_entry(&path)? {
                        // A folder is moved by who may write in it.
                        drop(open_folder(&path)?);
                        std::fs::rename(&path, below(&top).join(format!("{mark:016x}-{moved}")))?;
                        moved += 1;
                    }
                }
                std::fs::remove_dir(&path)?;
            }
        }
    }
    std::fs::remove_dir(place)
}

/// Opens a folder that is no link, and lets its owner do all in it.
fn open_folder(place: &Path) -> io::Result<OwnedFd> {
    let folder = real_folder(place)?;
    set_mode_of(&folder, 0o700)?;
    Ok(folder)
}

/// Removes a file, a link or an empty folder. False: it is a folder that holds something.
fn remove_entry(path: &Path) -> io::Result<bool> {
    let removed = std::fs::symlink_metadata(path).and_then(|found| match found.is_dir() {
        true => std::fs::remove_dir(path),
        false => std::fs::remove_file(path),
    });
    match removed {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(false),
        Err(error) if is_absent(&error) => Ok(true),
        other => other.map(|()| true),
    }
}

/// Makes `path` what `entry` says, without what a folder holds. What is there must be gone, but for a file in the place of
/// a file.
///
/// # Errors
/// When it cannot be made.
pub(super) fn write(path: &Path, entry: &Entry) -> io::Result<()> {
    let (_folder, place) = match folder_of(path) {
        Ok(found) => found,
        Err(error) if is_absent(&error) => {
            make_folders(path.parent().unwrap_or(path))?;
            folder_of(path)?
        }
        Err(error) => return Err(error),
    };
    match entry {
        // Closed ones are closed when all is in them.
        Entry::Folder { .. } => Ok(nix::unistd::mkdir(&place, Mode::S_IRWXU)?),
        Entry::File { bytes, mode, .. } => {
            // Whole or not at all, and not into a file that has a second name outside.
            let (new, mut file) = new_file(&place)?;
            let written = file.write_all(bytes.bytes()).and_then(|()| {
                file.set_permissions(Permissions::from_mode(*mode))?;
                file.sync_all()?;
                std::fs::rename(&new, &place)
            });
            written.inspect_err(|_| {
                let _ = std::fs::remove_file(&new);
            })
        }
        Entry::Link { target } => std::os::unix::fs::symlink(target, &place),
        Entry::Other => Err(io::Error::other("a pipe, socket or device cannot be made anew")),
    }
}

/// A new file beside `place`.
fn new_file(place: &Path) -> io::Result<(PathBuf, File)> {
    let new = place.with_file_name(format!(".handraise-{:016x}", unforeseen()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
    options.open(&new).map(|file| (new, file))
}

/// Makes the folders of a path anew. What stands in the way, a link say, is removed.
fn make_folders(path: &Path) -> io::Result<()> {
    match folder_of(path) {
        Ok(_) => {}
        Err(error) if is_absent(&error) => make_folders(path.parent().unwrap_or(path))?,
        Err(error) => return Err(error),
    }
    let (_folder, place) = folder_of(path)?;
    match std::fs::symlink_metadata(&place) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => std::fs::remove_file(&place).and_then(|()| std::fs::create_dir(&place)),
        Err(_) => nix::unistd::mkdir(&place, Mode::from_bits_truncate(0o755)).map_err(io::Error::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deeper than the stack of a thread and than files may be open, with what is in the way of whoever removes it.
    #[test]
    fn a_deep_folder_is_removed_with_little_stack() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().join("top");
        std::fs::create_dir(&top).unwrap();
        let mut inner = real_folder(&top).unwrap();
        for depth in 0..20_000 {
            let next = below(&inner).join("d");
            nix::unistd::mkdir(&next, Mode::S_IRWXU).unwrap();
            if depth % 1000 == 0 {
                std::fs::write(below(&inner).join("file"), "x").unwrap();
                std::os::unix::fs::symlink("/", below(&inner).join("link")).unwrap();
                nix::unistd::mkdir(&below(&inner).join("closed"), Mode::empty()).unwrap();
            }
            let next = real_folder(&next).unwrap();
            if depth % 777 == 0 {
                set_mode_of(&inner, 0o500).unwrap();
            }
            inner = next;
        }
        drop(inner);
        let removal = std::thread::Builder::new().stack_size(64 << 10).spawn(move || remove_folder(&top)).unwrap();
        removal.join().unwrap().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_folder_has_no_name_for_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["a", ".Envrc"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        let lack = |name: &str| NamesIn::of(std::slice::from_ref(&root)).lack(&root.join(name));
        assert!(lack("b") && lack("b/a") && lack(".vscode"));
        assert!(!lack("a") && !lack("a/x") && !lack(".envrc") && !lack(""));
        // What a file system takes for other letters nobody knows here.
        std::fs::write(root.join(".v\u{17f}code"), "").unwrap();
        assert!(!lack(".vscode") && !lack("b"));
        let gone = NamesIn::of(&[root.join("none")]);
        assert!(!gone.lack(&root.join("none/x")) && !gone.lack(&root.join("x")));
    }
}
