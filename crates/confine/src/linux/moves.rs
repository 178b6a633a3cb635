//! Moves. In one folder they are done under the names that were looked at. Between folders a file gets a second name, given to
//! what is open: so nobody who exchanges it for a folder in that moment has the folder moved.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;

use nix::fcntl::{AtFlags, OFlag, RenameFlags, openat, readlinkat, renameat2};
use nix::sys::stat::{FileStat, Mode, fstat};
use nix::unistd::{AccessFlags, UnlinkatFlags, faccessat, geteuid, symlinkat, unlinkat};

use super::no_links::unforeseen;
use super::place::{Place, Undone, is_same, kind, link};
use super::standing_links::StandingLinks;
use super::territory::Room;

/// rename(2).
pub(super) fn rename(
    old: &Place<'_>,
    new: &Place<'_>,
    flags: RenameFlags,
    standing: &mut StandingLinks<'_>,
) -> Result<(), Undone> {
    let found = old.stat()?;
    let is_folder = kind(&found) == libc::S_IFDIR;
    if !is_folder && (old.is_for_folder || new.is_for_folder) {
        return Err(Undone::Failed(libc::ENOTDIR));
    }
    if old.room != new.room {
        return Err(Undone::Failed(libc::EXDEV));
    }
    if old.is_mounted_on() || new.is_mounted_on() {
        return Err(Undone::Failed(libc::EBUSY));
    }
    let [from, to] = [&old.folder.descriptor, &new.folder.descriptor];
    if matches!(old.room, Room::Private(_)) {
        return Ok(renameat2(from, &*old.name, to, &*new.name, flags)?);
    }
    if !flags.difference(RenameFlags::RENAME_NOREPLACE).is_empty() {
        return Err(Undone::Failed(libc::EINVAL));
    }
    if let Ok(there) = new.stat() {
        if flags.contains(RenameFlags::RENAME_NOREPLACE) {
            return Err(Undone::Failed(libc::EEXIST));
        }
        if is_same(&there, &found) {
            // Two names of one file: rename(2) leaves both.
            return Ok(());
        }
    }
    let link = match kind(&found) {
        libc::S_IFLNK => Some(readlinkat(from, &*old.name)?),
        _ => None,
    };
    if let Some(target) = &link {
        new.check(target, standing)?;
    }
    let is_in_place = is_same(&fstat(from)?, &fstat(to)?);
    if is_folder && !(is_in_place && old.holds_no_way_out(standing)) {
        return Err(Undone::Failed(libc::EXDEV));
    }
    match is_in_place {
        // Should something else be there by now, it is nothing that leads out: that is never moved.
        true => Ok(renameat2(from, &*old.name, to, &*new.name, flags)?),
        false => between_folders(old, &found, link.as_deref(), new, flags),
    }
}

/// A file, or a link that says `target`. Nothing is replaced before it is known that the old name can be taken away.
fn between_folders(
    old: &Place<'_>,
    found: &FileStat,
    target: Option<&OsStr>,
    new: &Place<'_>,
    flags: RenameFlags,
) -> Result<(), Undone> {
    let [from, to] = [&old.folder.descriptor, &new.folder.descriptor];
    can_be_taken_from(&fstat(from)?, found)?;
    for folder in [from, to] {
        faccessat(folder, ".", AccessFlags::W_OK | AccessFlags::X_OK, AtFlags::AT_EACCESS)?;
    }
    let name = OsString::from(format!(".handraise-{:016x}", unforeseen()));
    if let Some(target) = target {
        symlinkat(target, to, &*name)?;
    } else {
        let file = openat(from, &*old.name, OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC, Mode::empty())?;
        // A folder has no second name, and a link's would say the same elsewhere.
        if !is_same(&fstat(&file)?, found) {
            return Err(Undone::Failed(libc::EXDEV));
        }
        // Where the file system has no second names, programs copy.
        link(&file, to, &name).map_err(|_| Undone::Failed(libc::EXDEV))?;
    }
    renameat2(to, &*name, to, &*new.name, flags).inspect_err(|_| {
        let _ = remove(to, &name);
    })?;
    // Another may have that name by now.
    match old.stat() {
        Ok(there) if is_same(&there, found) => Ok(remove(from, &old.name)?),
        _ => Ok(()),
    }
}

/// rename(2), "EPERM": from a folder with the sticky bit its owner takes, and the file's.
fn can_be_taken_from(folder: &FileStat, file: &FileStat) -> Result<(), Undone> {
    let own = geteuid().as_raw();
    let is_open = folder.st_mode & libc::S_ISVTX == 0 || [folder.st_uid, file.st_uid].contains(&own);
    if is_open { Ok(()) } else { Err(Undone::Failed(libc::EPERM)) }
}

fn remove(folder: &OwnedFd, name: &OsStr) -> nix::Result<()> {
    unlinkat(folder, name, UnlinkatFlags::NoRemoveDir)
}
