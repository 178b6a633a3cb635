//! Mode, owner and times of files: Landlock guards none of them. They are changed here, on what a path or descriptor
//! of the caller really is, where the call may write, and nowhere else.

use std::path::Path;

use libc::{AT_EMPTY_PATH, AT_FDCWD, AT_SYMLINK_NOFOLLOW};
use nix::sys::stat::{FchmodatFlags, Mode, UtimensatFlags, fchmodat, utimensat};
use nix::sys::time::TimeSpec;
use nix::unistd::{Gid, Uid};

use super::caller::{Caller, Errno, OpenedPath};
use super::calls::FCHMODAT2;
use super::kernel::SystemCallReply;
use super::standard_streams;
use super::territory::Territory;

/// What is to become of a file.
enum Change {
    Mode(u32),
    Owner(Option<Uid>, Option<Gid>),
    Times(TimeSpec, TimeSpec),
}

/// Answers one of `calls::METADATA`. What was denied comes with it.
pub(super) fn answer(caller: &Caller<'_>, territory: &Territory) -> (SystemCallReply, Option<String>) {
    let (place, change) = match read(caller) {
        Ok(read) => read,
        Err(errno) => return (SystemCallReply::Fail(errno), None),
    };
    let is_given = || standard_streams::is_one(&place.descriptor);
    if !territory.may_change(&place.path) || !territory.is_shared(&place.path) && is_given() {
        return (SystemCallReply::Fail(libc::EPERM), Some(place.path.to_string_lossy().into_owned()));
    }
    match apply(&place, &change) {
        Ok(()) => (SystemCallReply::Done(0), None),
        Err(errno) => (SystemCallReply::Fail(errno), None),
    }
}

/// On what, and what: from the arguments of each call.
fn read(caller: &Caller<'_>) -> Result<(OpenedPath, Change), Errno> {
    let mode = |index| Change::Mode(caller.int(index).cast_unsigned());
    let owner = |user: usize, group: usize| {
        let given = |index| Some(caller.int(index).cast_unsigned()).filter(|number| *number != u32::MAX);
        Change::Owner(given(user).map(Uid::from_raw), given(group).map(Gid::from_raw))
    };
    match caller.held.call {
        libc::SYS_fchmod => Ok((caller.at_descriptor(caller.int(0))?, mode(1))),
        libc::SYS_fchown => Ok((caller.at_descriptor(caller.int(0))?, owner(1, 2))),
        // This form has no flags and always follows.
        libc::SYS_fchmodat => Ok((caller.at_path(caller.int(0), caller.long(1), true)?, mode(2))),
        FCHMODAT2 => Ok((with_flags(caller, 0, 1, 3)?, mode(2))),
        libc::SYS_fchownat => Ok((with_flags(caller, 0, 1, 4)?, owner(2, 3))),
        libc::SYS_utimensat => {
            let times = times(caller, caller.long(2))?;
            let place = match caller.long(1) {
                0 => caller.at_descriptor(caller.int(0))?,
                _ => with_flags(caller, 0, 1, 3)?,
            };
            Ok((place, times))
        }
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chmod => Ok((caller.at_path(AT_FDCWD, caller.long(0), true)?, mode(1))),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chown => Ok((caller.at_path(AT_FDCWD, caller.long(0), true)?, owner(1, 2))),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_lchown => Ok((caller.at_path(AT_FDCWD, caller.long(0), false)?, owner(1, 2))),
        // Extended attributes: as on a file system that has none, which every program knows.
        _ => Err(libc::ENOTSUP),
    }
}

/// For calls with a folder, a path and flags.
fn with_flags(caller: &Caller<'_>, folder: usize, path: usize, flags: usize) -> Result<OpenedPath, Errno> {
    let (folder, flags) = (caller.int(folder), caller.int(flags));
    if flags & !(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH) != 0 {
        return Err(libc::EINVAL);
    }
    let path = caller.text(caller.long(path))?;
    match path.as_os_str().is_empty() {
        true if flags & AT_EMPTY_PATH != 0 && folder == AT_FDCWD => caller.find(AT_FDCWD, Path::new("."), true),
        true if flags & AT_EMPTY_PATH != 0 => caller.at_descriptor(folder),
        _ => caller.find(folder, &path, flags & AT_SYMLINK_NOFOLLOW == 0),
    }
}

/// Two `timespec` in its memory, access first; no address means now, for both.
fn times(caller: &Caller<'_>, address: u64) -> Result<Change, Errno> {
    let now = TimeSpec::new(0, libc::UTIME_NOW);
    if address == 0 {
        return Ok(Change::Times(now, now));
    }
    let bytes = caller.exact_memory(address, 32)?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let [seconds, part, other_seconds, other_part] = *numbers else { return Err(libc::EFAULT) };
    let time = |seconds, part| TimeSpec::new(i64::from_ne_bytes(seconds), i64::from_ne_bytes(part));
    Ok(Change::Times(time(seconds, part), time(other_seconds, other_part)))
}

fn apply(place: &OpenedPath, change: &Change) -> Result<(), Errno> {
    let handle = place.handle();
    match change {
        Change::Mode(bits) => {
            let found = std::fs::metadata(&handle).map_err(|error| super::caller::number(&error))?;
            // A program that others may run with this user's rights. For a folder the group's bit is harmless.
            let refused = if found.is_dir() { 0o4000 } else { 0o6000 };
            if bits & refused != 0 {
                return Err(libc::EPERM);
            }
            if found.is_symlink() {
                return Err(libc::EOPNOTSUPP);
            }
            let mode = Mode::from_bits_truncate(bits & 0o7777);
            fchmodat(nix::fcntl::AT_FDCWD, &handle, mode, FchmodatFlags::FollowSymlink).map_err(|error| error as Errno)
        }
        Change::Owner(user, group) => nix::unistd::chown(&handle, *user, *group).map_err(|error| error as Errno),
        Change::Times(accessed, modified) => {
            let follow = UtimensatFlags::FollowSymlink;
            utimensat(nix::fcntl::AT_FDCWD, &handle, accessed, modified, follow).map_err(|error| error as Errno)
        }
    }
}
