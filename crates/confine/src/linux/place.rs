//! Where a call would make, name again or move something, and why it is not done.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use libc::c_int;
use nix::fcntl::{AT_FDCWD, AtFlags};
use nix::sys::stat::{FileStat, fstat, fstatat, stat};
use nix::unistd::{LinkatFlags, linkat};
use rustix::fs::{StatxAttributes, StatxFlags, statx};

use super::caller::{Caller, Errno, OpenedPath};
use super::standing_links::StandingLinks;
use super::territory::{Room, Territory};
use super::way_out::{may_hold_way_out, may_lead_out};

/// Why a call is not done here.
pub(super) enum Undone {
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

/// A name in a folder of the territory, be something there or not.
pub(super) struct Place<'a> {
    pub(super) folder: OpenedPath,
    pub(super) name: OsString,
    /// It was written as a folder is: `name/`.
    pub(super) is_for_folder: bool,
    pub(super) room: Room<'a>,
}

impl<'a> Place<'a> {
    /// What a path means to the caller.
    pub(super) fn of(
        caller: &Caller<'_>,
        territory: &'a Territory,
        folder: c_int,
        address: u64,
    ) -> Result<Self, Undone> {
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
    pub(super) fn for_file(self) -> Result<Self, Undone> {
        match self.is_for_folder {
            true => Err(Undone::Failed(if self.stat().is_ok() { libc::EEXIST } else { libc::ENOENT })),
            false => Ok(self),
        }
    }

    pub(super) fn stat(&self) -> nix::Result<FileStat> {
        fstatat(&self.folder.descriptor, &*self.name, AtFlags::AT_SYMLINK_NOFOLLOW)
    }

    /// Whether something is mounted on it. The caller could not move that, nor anything over it; this process has other
    /// mounts, and the kernel would let it.
    pub(super) fn is_mounted_on(&self) -> bool {
        let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW | rustix::fs::AtFlags::NO_AUTOMOUNT;
        statx(&self.folder.descriptor, &*self.name, flags, StatxFlags::BASIC_STATS)
            .is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
    }

    /// Whether a link that says `target` may be here.
    pub(super) fn check(&self, target: &OsStr, standing: &mut StandingLinks<'_>) -> Result<(), Undone> {
        let Room::Shared(room) = self.room else { return Ok(()) };
        let leads_out = match standing.put_back() {
            Ok(put_back) => may_lead_out(room, &self.folder.path, target, &put_back),
            Err(_) => true,
        };
        if leads_out || !self.is_as_others_see_it() || standing.turn_back() {
            let path = self.folder.path.join(&self.name);
            return Err(Undone::LeadsOut(format!("{} -> {}", path.display(), Path::new(target).display())));
        }
        Ok(())
    }

    /// Whether this is a folder from which no way out begins, however deep.
    pub(super) fn holds_no_way_out(&self, standing: &mut StandingLinks<'_>) -> bool {
        let Room::Shared(room) = self.room else { return true };
        let Ok(put_back) = standing.put_back() else { return false };
        self.is_as_others_see_it() && !may_hold_way_out(room, self.folder.path.join(&self.name), &put_back)
    }

    /// Whether this process, outside of the walls, finds the same folder at its path.
    fn is_as_others_see_it(&self) -> bool {
        let there = fstat(&self.folder.descriptor);
        there.is_ok_and(|there| stat(&self.folder.path).is_ok_and(|here| is_same(&there, &here)))
    }
}

pub(super) fn kind(found: &FileStat) -> u32 {
    found.st_mode & libc::S_IFMT
}

pub(super) fn is_same(one: &FileStat, other: &FileStat) -> bool {
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}

/// Gives what is open a name: not whatever has its old name by now.
pub(super) fn link(file: &OwnedFd, folder: &OwnedFd, name: &OsStr) -> nix::Result<()> {
    let handle = format!("/proc/self/fd/{}", file.as_raw_fd());
    linkat(AT_FDCWD, handle.as_str(), folder, name, LinkatFlags::AT_SYMLINK_FOLLOW)
}
