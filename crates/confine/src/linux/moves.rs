//! Moves. In one folder they are done under the names that were looked at. Between folders what is moved is taken out first,
//! under a name that nobody foresees, and looked at there: so nobody who exchanges a file for a folder in that moment has the
//! folder moved.

use std::ffi::{OsStr, OsString};

use nix::fcntl::{RenameFlags, readlinkat, renameat2};
use nix::sys::stat::{fstat, fstatat};

use super::no_links::unforeseen;
use super::place::{Place, Undone, is_same, kind};
use super::standing_links::StandingLinks;
use super::territory::Room;
use super::way_out::may_hold_way_out;

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
    let Room::Shared(room) = old.room else {
        return Ok(renameat2(from, &*old.name, to, &*new.name, flags)?);
    };
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
    if kind(&found) == libc::S_IFLNK {
        new.check(&readlinkat(from, &*old.name)?, standing)?;
    }
    let is_in_place = is_same(&fstat(from)?, &fstat(to)?);
    if is_folder {
        let leads_out = || may_hold_way_out(room, old.folder.path.join(&old.name));
        if !is_in_place || !old.is_as_others_see_it() || leads_out() {
            return Err(Undone::Failed(libc::EXDEV));
        }
    }
    match is_in_place {
        // Should something else be there by now, it is nothing that leads out: that is never moved.
        true => Ok(renameat2(from, &*old.name, to, &*new.name, flags)?),
        false => between_folders(old, new, flags, standing),
    }
}

/// A file or a link.
fn between_folders(
    old: &Place<'_>,
    new: &Place<'_>,
    flags: RenameFlags,
    standing: &mut StandingLinks<'_>,
) -> Result<(), Undone> {
    let [from, to] = [&old.folder.descriptor, &new.folder.descriptor];
    let between = OsString::from(format!(".handraise-{:016x}", unforeseen()));
    renameat2(from, &*old.name, to, &*between, RenameFlags::RENAME_NOREPLACE)?;
    let moved = is_movable(new, &between, standing).and_then(|()| Ok(renameat2(to, &*between, to, &*new.name, flags)?));
    if moved.is_err() {
        let _ = renameat2(to, &*between, from, &*old.name, RenameFlags::RENAME_NOREPLACE);
    }
    moved
}

/// Whether what was taken out is a file, or a link that may be at `new`.
fn is_movable(new: &Place<'_>, name: &OsStr, standing: &mut StandingLinks<'_>) -> Result<(), Undone> {
    let folder = &new.folder.descriptor;
    let found = fstatat(folder, name, nix::fcntl::AtFlags::AT_SYMLINK_NOFOLLOW)?;
    match kind(&found) {
        libc::S_IFDIR => Err(Undone::Failed(libc::EXDEV)),
        libc::S_IFLNK => new.check(&readlinkat(folder, name)?, standing),
        _ => Ok(()),
    }
}
