//! What was tried to be written where it may not be: only looked at, to tell it afterwards. Landlock decides, so it
//! matters little that the text may have changed between the look and the call.

use std::path::{Component, Path, PathBuf};

use libc::{AT_FDCWD, c_int};

use super::caller::Caller;
use super::territory::Territory;

/// The path that a call will be refused for, as far as this can tell.
pub(super) fn refused(caller: &Caller<'_>, territory: &Territory) -> Option<String> {
    let (folder, address) = argument(caller);
    let path = caller.text(address).ok()?;
    let whole = flat(&caller.whole(folder, &path).ok()?);
    let real = match caller.find(AT_FDCWD, &whole, true) {
        Ok(place) => place.path,
        // What is to be made is not there yet: where its folder is.
        Err(_) => caller.find(AT_FDCWD, whole.parent()?, true).ok()?.path.join(whole.file_name()?),
    };
    let free = ["/dev", "/proc"].iter().any(|place| real.starts_with(place)) || !real.is_absolute();
    (!free && !territory.is_writable(&real)).then(|| real.to_string_lossy().into_owned())
}

/// Where the folder and the path stand among the arguments.
fn argument(caller: &Caller<'_>) -> (c_int, u64) {
    match caller.question.call {
        libc::SYS_openat | libc::SYS_mkdirat | libc::SYS_unlinkat | libc::SYS_renameat | libc::SYS_renameat2 => {
            (caller.int(0), caller.long(1))
        }
        _ => (AT_FDCWD, caller.long(0)),
    }
}

/// Without `.` and `..`.
fn flat(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                flat.pop();
            }
            Component::CurDir => {}
            other => flat.push(other),
        }
    }
    flat
}
