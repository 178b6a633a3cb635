//! Links, second names, and moves. Landlock grants none but a new name in the same folder; what may be is done here, also
//! that: the kernel would read the names again, and they may be others by then.
//!
//! Links, so that none is made that leads out of a place that others have, too, or to what does: a line outside of the walls
//! would follow it (`link_target.rs`, `way_out.rs`). Landlock asks for the right to make links where one is moved, too.
//! Moves of folders, so that no way out gets another name, and what lies in one keeps its depth: `..` in a link there would
//! lead elsewhere. A file is moved by a second name that is given to what is open. So nobody who exchanges it for a folder in
//! that moment has the folder moved.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use libc::{AT_EMPTY_PATH, AT_FDCWD, AT_SYMLINK_FOLLOW, c_int};
use nix::fcntl::{AtFlags, OFlag, RenameFlags, openat, readlinkat, renameat2};
use nix::sys::stat::{FileStat, Mode, fstat, fstatat, stat};
use nix::unistd::{LinkatFlags, UnlinkatFlags, linkat, symlinkat, unlinkat};
use rustix::fs::{StatxAttributes, StatxFlags, statx};

use super::caller::{Caller, Errno, OpenedPath};
use super::kernel::SystemCallReply;
use super::link_target::stays_in;
use super::no_links::unforeseen;
use super::territory::{Room, Territory};
use super::watch;
use super::way_out::{may_hold_way_out, may_lead_out};

/// What was tried, and on what.
type Denied = Option<(&'static str, String)>;

/// Why a call is not done here.
enum Undone {
    /// It fails as the kernel would have it.
    Failed(Errno),
    /// So does a name that is not there or that the call may not make; what lies outside is told.
    NoPlace(Errno),
    /// A link that may lead out.
    LeadsOut(String),
}

impl From<nix::errno::Errno> for Undone {
    fn from(error: nix::errno::Errno) -> Self {
        Self::Failed(error as Errno)
    }
}

/// Answers one of `calls::LINKS`.
pub(super) fn answer(caller: &Caller<'_>, territory: &Territory) -> (SystemCallReply, Denied) {
    match act(caller, territory) {
        Ok(()) => (SystemCallReply::Done(0), None),
        Err(Undone::Failed(errno)) => (SystemCallReply::Fail(errno), None),
        Err(Undone::LeadsOut(link)) => (SystemCallReply::Fail(libc::EACCES), Some(("link", link))),
        Err(Undone::NoPlace(errno)) => {
            (SystemCallReply::Fail(errno), watch::refused(caller, territory).map(|path| ("write", path)))
        }
    }
}

fn act(caller: &Caller<'_>, territory: &Territory) -> Result<(), Undone> {
    let (int, long) = (|index| caller.int(index), |index| caller.long(index));
    let place = |folder, path| Place::of(caller, territory, folder, path);
    match caller.held.call {
        libc::SYS_symlinkat => make(&target(caller, long(0))?, &place(int(1), long(2))?.for_file()?),
        libc::SYS_linkat => {
            name_again(&source(caller, int(0), long(1), int(4))?, territory, &place(int(2), long(3))?.for_file()?)
        }
        libc::SYS_renameat => rename(&place(int(0), long(1))?, &place(int(2), long(3))?, RenameFlags::empty()),
        libc::SYS_renameat2 => {
            let flags = RenameFlags::from_bits(int(4).cast_unsigned()).ok_or(Undone::Failed(libc::EINVAL))?;
            rename(&place(int(0), long(1))?, &place(int(2), long(3))?, flags)
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_symlink => make(&target(caller, long(0))?, &place(AT_FDCWD, long(1))?.for_file()?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_link => {
            name_again(&source(caller, AT_FDCWD, long(0), 0)?, territory, &place(AT_FDCWD, long(1))?.for_file()?)
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rename => rename(&place(AT_FDCWD, long(0))?, &place(AT_FDCWD, long(1))?, RenameFlags::empty()),
        _ => Err(Undone::Failed(libc::ENOSYS)),
    }
}

/// What a new link says.
fn target(caller: &Caller<'_>, address: u64) -> Result<OsString, Undone> {
    match caller.text(address).map_err(Undone::Failed)?.into_os_string() {
        text if text.is_empty() => Err(Undone::Failed(libc::ENOENT)),
        text => Ok(text),
    }
}

/// What gets a second name: linkat(2).
fn source(caller: &Caller<'_>, folder: c_int, address: u64, flags: c_int) -> Result<OpenedPath, Undone> {
    let path = caller.text(address).map_err(Undone::Failed)?;
    let found = if path.as_os_str().is_empty() && flags & AT_EMPTY_PATH != 0 {
        caller.at_descriptor(folder)
    } else {
        caller.find(folder, &path, flags & AT_SYMLINK_FOLLOW != 0)
    };
    found.map_err(Undone::NoPlace)
}

/// A name in a folder of the territory, be something there or not.
struct Place<'a> {
    folder: OpenedPath,
    name: OsString,
    /// It was written as a folder is: `name/`.
    is_for_folder: bool,
    room: Room<'a>,
}

impl<'a> Place<'a> {
    /// What a path means to the caller.
    fn of(caller: &Caller<'_>, territory: &'a Territory, folder: c_int, address: u64) -> Result<Self, Undone> {
        let path = caller.text(address).map_err(Undone::Failed)?;
        let bytes = path.as_os_str().as_bytes();
        let end = bytes.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1);
        let (bytes, slashes) = bytes.split_at_checked(end).unwrap_or((bytes, b""));
        let (parent, name) = match bytes.iter().rposition(|byte| *byte == b'/') {
            Some(slash) => bytes.split_at_checked(slash + 1).unwrap_or((b"/", bytes)),
            None => (b".".as_slice(), bytes),
        };
        match name {
            b"" if slashes.is_empty() => return Err(Undone::Failed(libc::ENOENT)),
            b"" | b"." | b".." => return Err(Undone::Failed(libc::EBUSY)),
            _ => {}
        }
        let folder = caller.find(folder, Path::new(OsStr::from_bytes(parent)), true).map_err(Undone::NoPlace)?;
        let room = territory.room(&folder.path).ok_or(Undone::NoPlace(libc::EACCES))?;
        Ok(Self { folder, name: OsStr::from_bytes(name).to_owned(), is_for_folder: !slashes.is_empty(), room })
    }

    /// A name for what is no folder.
    fn for_file(self) -> Result<Self, Undone> {
        match self.is_for_folder {
            true => Err(Undone::Failed(if self.stat().is_ok() { libc::EEXIST } else { libc::ENOENT })),
            false => Ok(self),
        }
    }

    fn stat(&self) -> nix::Result<FileStat> {
        fstatat(&self.folder.descriptor, &*self.name, AtFlags::AT_SYMLINK_NOFOLLOW)
    }

    /// Whether something is mounted on it. The caller could not move that, nor anything over it; this process has other
    /// mounts, and the kernel would let it.
    fn is_mounted_on(&self) -> bool {
        let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW | rustix::fs::AtFlags::NO_AUTOMOUNT;
        statx(&self.folder.descriptor, &*self.name, flags, StatxFlags::BASIC_STATS)
            .is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
    }

    /// Whether a link that says `target` may be here.
    fn check(&self, target: &OsStr) -> Result<(), Undone> {
        match self.room {
            Room::Shared(room) if !self.is_as_others_see_it() || may_lead_out(room, &self.folder.path, target) => {
                let path = self.folder.path.join(&self.name);
                Err(Undone::LeadsOut(format!("{} -> {}", path.display(), Path::new(target).display())))
            }
            Room::Shared(_) | Room::Private(_) => Ok(()),
        }
    }

    /// Whether this process, outside of the walls, finds the same folder at its path.
    fn is_as_others_see_it(&self) -> bool {
        let there = fstat(&self.folder.descriptor);
        there.is_ok_and(|there| stat(&self.folder.path).is_ok_and(|here| is_same(&there, &here)))
    }

    /// Takes the name away.
    fn give_up(&self) -> nix::Result<()> {
        unlinkat(&self.folder.descriptor, &*self.name, UnlinkatFlags::NoRemoveDir)
    }

    /// Gives what is called `new` in the same folder this name, over what has it.
    fn take(&self, new: &OsStr, flags: RenameFlags) -> nix::Result<()> {
        let folder = &self.folder.descriptor;
        let taken = match self.is_mounted_on() {
            true => Err(nix::errno::Errno::EBUSY),
            false => renameat2(folder, new, folder, &*self.name, flags),
        };
        // It is still there where that failed, and where both are names of one file.
        let _ = unlinkat(folder, new, UnlinkatFlags::NoRemoveDir);
        taken
    }
}

fn kind(found: &FileStat) -> u32 {
    found.st_mode & libc::S_IFMT
}

fn is_same(one: &FileStat, other: &FileStat) -> bool {
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}

/// symlink(2).
fn make(target: &OsStr, place: &Place<'_>) -> Result<(), Undone> {
    place.check(target)?;
    Ok(symlinkat(target, &place.folder.descriptor, &*place.name)?)
}

/// link(2). What others have gets no name in another place, nor does what may only be read.
fn name_again(source: &OpenedPath, territory: &Territory, place: &Place<'_>) -> Result<(), Undone> {
    if territory.room(&source.path) != Some(place.room) {
        return Err(Undone::NoPlace(libc::EXDEV));
    }
    match kind(&fstat(&source.descriptor)?) {
        libc::S_IFDIR => Err(Undone::Failed(libc::EPERM)),
        libc::S_IFLNK => make(&readlinkat(&source.descriptor, "")?, place),
        _ => Ok(link(&source.descriptor, &place.folder.descriptor, &place.name)?),
    }
}

/// Gives what is open a name: not whatever has its old name by now.
fn link(file: &OwnedFd, folder: &OwnedFd, name: &OsStr) -> nix::Result<()> {
    let handle = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    linkat(nix::fcntl::AT_FDCWD, &handle, folder, name, LinkatFlags::AT_SYMLINK_FOLLOW)
}

/// rename(2).
fn rename(old: &Place<'_>, new: &Place<'_>, flags: RenameFlags) -> Result<(), Undone> {
    let found = old.stat()?;
    if kind(&found) != libc::S_IFDIR && (old.is_for_folder || new.is_for_folder) {
        return Err(Undone::Failed(libc::ENOTDIR));
    }
    if old.room != new.room {
        return Err(Undone::Failed(libc::EXDEV));
    }
    if old.is_mounted_on() || new.is_mounted_on() {
        return Err(Undone::Failed(libc::EBUSY));
    }
    let [from, to] = [&old.folder.descriptor, &new.folder.descriptor];
    let Room::Shared(room) = old.room else {
        return Ok(renameat2(from, &*old.name, to, &*new.name, flags)?);
    };
    if !flags.difference(RenameFlags::RENAME_NOREPLACE).is_empty() {
        return Err(Undone::Failed(libc::EINVAL));
    }
    if new.stat().is_ok_and(|there| is_same(&there, &found)) {
        // Two names of one file: rename(2) leaves both.
        return Ok(());
    }
    let is_in_place = is_same(&fstat(from)?, &fstat(to)?);
    let file = match kind(&found) {
        libc::S_IFLNK => {
            let target = readlinkat(from, &*old.name)?;
            new.check(&target)?;
            let name = hidden_name();
            symlinkat(&*target, to, &*name)?;
            return Ok(new.take(&name, flags).and_then(|()| old.give_up())?);
        }
        libc::S_IFDIR => {
            let leads_out = || may_hold_way_out(room, old.folder.path.join(&old.name));
            return match is_in_place && old.is_as_others_see_it() && !leads_out() {
                true => Ok(renameat2(from, &*old.name, to, &*new.name, flags)?),
                false => Err(Undone::Failed(libc::EXDEV)),
            };
        }
        // Should it be a folder or a link by now, it is one that leads nowhere else under this name: none that does is moved.
        _ if is_in_place => return Ok(renameat2(from, &*old.name, to, &*new.name, flags)?),
        _ => openat(from, &*old.name, OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC, Mode::empty())?,
    };
    // A folder has no second name, and a link's would say the same elsewhere.
    if matches!(kind(&fstat(&file)?), libc::S_IFDIR | libc::S_IFLNK) {
        return Err(Undone::Failed(libc::EXDEV));
    }
    let name = hidden_name();
    // Where the file system has no second names, programs copy.
    link(&file, to, &name).map_err(|_| Undone::Failed(libc::EXDEV))?;
    Ok(new.take(&name, flags).and_then(|()| old.give_up())?)
}

/// A name that nobody foresees, for what gets another at once.
fn hidden_name() -> OsString {
    OsString::from(format!(".handraise-{:016x}", unforeseen()))
}

/// Removes the links in `folder`, however deep, that may lead out of it where it will be, `room`, and names them relative to
/// it. Nobody is at work in it any more.
///
/// # Errors
/// When it cannot be looked through, or one cannot be removed.
pub(super) fn remove_leading_out(folder: &Path, room: &Path) -> io::Result<Vec<PathBuf>> {
    let mut removed = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(inner) = waiting.pop() {
        for entry in std::fs::read_dir(folder.join(&inner))? {
            let entry = entry?;
            let (kind, below) = (entry.file_type()?, inner.join(entry.file_name()));
            if kind.is_dir() {
                waiting.push(below);
            } else if kind.is_symlink() {
                let target = std::fs::read_link(entry.path())?;
                if !stays_in(room, &room.join(&inner), target.as_os_str()) {
                    std::fs::remove_file(entry.path())?;
                    removed.push(below);
                }
            }
        }
    }
    Ok(removed)
}
