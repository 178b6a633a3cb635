//! Links and second names. Landlock grants none but a second name in the same folder; what may be is done here, as is every
//! move (`moves.rs`): the kernel would read the names again, and they may be others by then.
//!
//! Links, so that none is made that leads out of a place that others have, too, or to what does: a line outside of the walls
//! would follow it (`link_target.rs`, `way_out.rs`, `standing_links.rs`). Landlock asks for the right to make links where one is
//! moved, too. Moves of folders, so that no way out gets another name, and what lies in one keeps its depth: `..` in a link
//! there would lead elsewhere.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use libc::{AT_EMPTY_PATH, AT_FDCWD, AT_SYMLINK_FOLLOW, c_int};
use nix::fcntl::{RenameFlags, readlinkat};
use nix::sys::stat::fstat;
use nix::unistd::symlinkat;

use super::caller::{Caller, OpenedPath};
use super::kernel::SystemCallReply;
use super::link_target::stays_in;
use super::moves::rename;
use super::place::{Place, Undone, kind, link};
use super::standing_links::StandingLinks;
use super::territory::Territory;
use super::watch;

/// What was tried, and on what.
type Denied = Option<(&'static str, String)>;

/// Answers one of `calls::LINKS`.
pub(super) fn answer(
    caller: &Caller<'_>,
    territory: &Territory,
    standing: &mut StandingLinks<'_>,
) -> (SystemCallReply, Denied) {
    match act(caller, territory, standing) {
        Ok(()) => (SystemCallReply::Done(0), None),
        Err(Undone::Failed(errno)) => (SystemCallReply::Fail(errno), None),
        Err(Undone::LeadsOut(link)) => (SystemCallReply::Fail(libc::EACCES), Some(("link", link))),
        Err(Undone::NoPlace(errno)) => {
            (SystemCallReply::Fail(errno), watch::refused(caller, territory).map(|path| ("write", path)))
        }
    }
}

fn act(caller: &Caller<'_>, territory: &Territory, standing: &mut StandingLinks<'_>) -> Result<(), Undone> {
    let (int, long) = (|index| caller.int(index), |index| caller.long(index));
    let place = |folder, path| Place::of(caller, territory, folder, path);
    match caller.held.call {
        libc::SYS_symlinkat => make(&target(caller, long(0))?, &place(int(1), long(2))?.for_file()?, standing),
        libc::SYS_linkat => name_again(
            &source(caller, int(0), long(1), int(4))?,
            territory,
            &place(int(2), long(3))?.for_file()?,
            standing,
        ),
        libc::SYS_renameat => {
            rename(&place(int(0), long(1))?, &place(int(2), long(3))?, RenameFlags::empty(), standing)
        }
        libc::SYS_renameat2 => {
            let flags = RenameFlags::from_bits(int(4).cast_unsigned()).ok_or(Undone::Failed(libc::EINVAL))?;
            rename(&place(int(0), long(1))?, &place(int(2), long(3))?, flags, standing)
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_symlink => make(&target(caller, long(0))?, &place(AT_FDCWD, long(1))?.for_file()?, standing),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_link => name_again(
            &source(caller, AT_FDCWD, long(0), 0)?,
            territory,
            &place(AT_FDCWD, long(1))?.for_file()?,
            standing,
        ),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rename => {
            rename(&place(AT_FDCWD, long(0))?, &place(AT_FDCWD, long(1))?, RenameFlags::empty(), standing)
        }
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
    if flags & !(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(Undone::Failed(libc::EINVAL));
    }
    let path = caller.text(address).map_err(Undone::Failed)?;
    let found = if path.as_os_str().is_empty() && flags & AT_EMPTY_PATH != 0 {
        caller.at_descriptor(folder)
    } else {
        caller.find(folder, &path, flags & AT_SYMLINK_FOLLOW != 0)
    };
    found.map_err(Undone::NoPlace)
}

/// symlink(2).
fn make(target: &OsStr, place: &Place<'_>, standing: &mut StandingLinks<'_>) -> Result<(), Undone> {
    place.check(target, standing)?;
    Ok(symlinkat(target, &place.folder.descriptor, &*place.name)?)
}

/// link(2). What others have gets no name in another place, nor does what may only be read.
fn name_again(
    source: &OpenedPath,
    territory: &Territory,
    place: &Place<'_>,
    standing: &mut StandingLinks<'_>,
) -> Result<(), Undone> {
    if territory.room(&source.path) != Some(place.room) {
        return Err(Undone::NoPlace(libc::EXDEV));
    }
    match kind(&fstat(&source.descriptor)?) {
        libc::S_IFDIR => Err(Undone::Failed(libc::EPERM)),
        libc::S_IFLNK => make(&readlinkat(&source.descriptor, "")?, place, standing),
        _ => Ok(link(&source.descriptor, &place.folder.descriptor, &place.name)?),
    }
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
