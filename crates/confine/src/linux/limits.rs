//! Limits that the caller has, setrlimit(2). The command keeps them. They must not end who watches over it: what the command
//! has the supervisor do counts against them, too.

use std::io;

use libc::RLIM_INFINITY;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::kernel;

/// So much memory is enough for all that a command can have the supervisor keep in mind.
const ENOUGH_MEMORY: u64 = 1 << 30;

/// What must not be lower, and how it is called: its shell's name, and its own.
const NEEDED: [(Resource, u64, &str); 3] = [
    (Resource::RLIMIT_CPU, RLIM_INFINITY, "processor time (`ulimit -Ht`)"),
    (Resource::RLIMIT_AS, ENOUGH_MEMORY, "memory (`ulimit -Hv`) below 1 GiB"),
    (Resource::RLIMIT_DATA, ENOUGH_MEMORY, "memory (`ulimit -Hd`) below 1 GiB"),
];

/// # Errors
/// When a hard limit could end the supervisor.
pub(super) fn check() -> io::Result<()> {
    for (resource, needed, name) in NEEDED {
        if getrlimit(resource)?.1 < needed {
            return Err(io::Error::other(format!("a hard limit for {name} could end what watches over the command")));
        }
    }
    Ok(())
}

/// Gives this process all that it may have. Its command has its own limits since it was split off.
pub(super) fn raise() {
    for resource in NEEDED.map(|(resource, ..)| resource).into_iter().chain([Resource::RLIMIT_FSIZE]) {
        if let Ok((_, most)) = getrlimit(resource) {
            let _ = setrlimit(resource, most, most);
        }
    }
    // Else a file that is too large to be put back would end it.
    kernel::ignore_signal(libc::SIGXFSZ, true);
}
