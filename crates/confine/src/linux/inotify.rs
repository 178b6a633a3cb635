//! Watches of files, inotify(7): Landlock guards none, and one tells when others open, read and write. They are set here,
//! on what the caller's path really is.

use std::path::Path;

use libc::AT_FDCWD;

use super::caller::{Caller, Errno, number};
use super::kernel::{self, SystemCallReply};
use super::standard_streams;
use super::territory::Territory;

/// What others have, too, in a root of the call's own.
const SHARED: [&str; 2] = ["/dev", "/sys"];

/// Answers inotify_add_watch. `has_root`: what may be read is the call's own, too.
pub(super) fn answer(caller: &Caller<'_>, territory: &Territory, has_root: bool) -> SystemCallReply {
    set(caller, territory, has_root).map_or_else(SystemCallReply::Fail, |watch| SystemCallReply::Done(watch.into()))
}

fn set(caller: &Caller<'_>, territory: &Territory, has_root: bool) -> Result<i32, Errno> {
    let events = caller.descriptor(caller.int(0))?;
    let wanted = caller.int(2).cast_unsigned();
    let place = caller.at_path(AT_FDCWD, caller.long(1), wanted & libc::IN_DONT_FOLLOW == 0)?;
    let is_given = || standard_streams::is_one(&place.descriptor);
    let is_own = |path: &Path| {
        let is_shared = SHARED.iter().any(|shared| path.starts_with(shared));
        (has_root && !is_shared || territory.is_writable(path)) && !is_given()
    };
    if !territory.is_shared(&place.path) && !is_own(&place.path) {
        return Err(libc::EACCES);
    }
    // The handle is a link, and leads to what was looked at.
    kernel::watch(&events, &place.handle(), wanted & !libc::IN_DONT_FOLLOW).map_err(|error| number(&error))
}
