//! What was tried to be written where it may not be: only looked at, to tell it afterwards. Landlock decides, so it
//! matters little that the text may have changed between the look and the call.

use libc::{AT_FDCWD, c_int};

use super::caller::Caller;
use super::territory::Territory;
use crate::lexical::lexical;

/// The path that a call will be refused for, as far as this can tell.
pub(super) fn refused(caller: &Caller<'_>, territory: &Territory) -> Option<String> {
    arguments(caller).find_map(|(folder, address)| refused_at(caller, territory, folder, address))
}

fn refused_at(caller: &Caller<'_>, territory: &Territory, folder: c_int, address: u64) -> Option<String> {
    let path = caller.text(address).ok()?;
    let whole = lexical(&caller.whole(folder, &path).ok()?);
    let real = match caller.find(AT_FDCWD, &whole, true) {
        Ok(place) => place.path,
        // What is to be made is not there yet, and outside of the walls not even its folder.
        Err(_) => whole.ancestors().skip(1).find_map(|folder| {
            let found = caller.find(AT_FDCWD, folder, true).ok()?;
            Some(found.path.join(whole.strip_prefix(folder).ok()?))
        })?,
    };
    let free = ["/dev", "/proc"].iter().any(|place| real.starts_with(place)) || !real.is_absolute();
    (!free && !territory.is_writable(&real)).then(|| real.to_string_lossy().into_owned())
}

/// The folders and paths among the arguments: of a rename both.
fn arguments(caller: &Caller<'_>) -> impl Iterator<Item = (c_int, u64)> {
    let first = match caller.held.call {
        libc::SYS_openat
        | libc::SYS_mkdirat
        | libc::SYS_mknodat
        | libc::SYS_unlinkat
        | libc::SYS_renameat
        | libc::SYS_renameat2 => (caller.int(0), caller.long(1)),
        // What is named again is only read.
        libc::SYS_symlinkat => (caller.int(1), caller.long(2)),
        libc::SYS_linkat => (caller.int(2), caller.long(3)),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_symlink | libc::SYS_link => (AT_FDCWD, caller.long(1)),
        _ => (AT_FDCWD, caller.long(0)),
    };
    let second = match caller.held.call {
        libc::SYS_renameat | libc::SYS_renameat2 => Some((caller.int(2), caller.long(3))),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_rename => Some((AT_FDCWD, caller.long(1))),
        _ => None,
    };
    std::iter::once(first).chain(second)
}
