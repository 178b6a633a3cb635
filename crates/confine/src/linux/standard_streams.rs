//! Standard input, output and error come from outside, and stay open inside. They must lead to one other side each. Whoever
//! gave them uses them further, so what a command sets of them is set back.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use libc::AF_UNIX;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::socket::{SockType, getpeername, getsockopt, sockopt};
use nix::sys::stat::fstat;
use std::os::fd::AsRawFd;

use super::kernel;
use crate::ConfineError;

/// Refuses what leads to more than one other side: a folder, from which others are reached past the walls, a network socket,
/// which could be connected elsewhere, and a Unix socket of datagrams or without another side, which could be sent from to
/// anybody.
///
/// # Errors
/// When one of them is such.
pub(super) fn check() -> Result<(), ConfineError> {
    let (input, output, error) = (io::stdin(), io::stdout(), io::stderr());
    let all = [("input", input.as_fd()), ("output", output.as_fd()), ("error", error.as_fd())];
    match all.into_iter().find(|(_, stream)| leads_anywhere(*stream)) {
        Some((name, _)) => Err(ConfineError::setup(
            format!("standard {name}"),
            "it is a folder, or a socket that can reach others: give a file or a pipe",
        )),
        None => Ok(()),
    }
}

fn leads_anywhere(stream: BorrowedFd<'_>) -> bool {
    // What is closed leads nowhere.
    let Ok(found) = fstat(stream) else { return false };
    match found.st_mode & libc::S_IFMT {
        libc::S_IFREG | libc::S_IFIFO | libc::S_IFCHR => false,
        libc::S_IFSOCK => {
            let is_unix = kernel::family(stream).is_ok_and(|family| family == AF_UNIX);
            let kind = getsockopt(&stream, sockopt::SockType);
            let has_other_side = getpeername::<nix::sys::socket::SockaddrStorage>(stream.as_raw_fd()).is_ok();
            !is_unix || !matches!(kind, Ok(SockType::Stream | SockType::SeqPacket)) || !has_other_side
        }
        // Files of memory have no kind: eventfd(2), epoll(7).
        kind => kind != 0,
    }
}

/// Whether a file is what one of the streams is open on. Of all that the command can reach, these alone come from outside
/// whatever they are called: with namespaces a file in `/tmp` outside has the path of one inside.
pub(super) fn is_one(file: &OwnedFd) -> bool {
    let (input, output, error) = (io::stdin(), io::stdout(), io::stderr());
    let all = [input.as_fd(), output.as_fd(), error.as_fd()];
    let identity = |file: BorrowedFd<'_>| fstat(file).ok().map(|found| (found.st_dev, found.st_ino));
    let found = identity(file.as_fd());
    found.is_none() || all.into_iter().any(|stream| identity(stream) == found)
}

/// What the standard streams are set to.
pub(super) struct Settings {
    flags: [Option<OFlag>; 3],
    is_locked: [bool; 3],
}

impl Settings {
    /// As they are now.
    pub(super) fn now() -> Self {
        let (input, output, error) = (io::stdin(), io::stdout(), io::stderr());
        let all = [input.as_fd(), output.as_fd(), error.as_fd()];
        Self { flags: all.map(flags), is_locked: all.map(is_locked) }
    }

    /// Sets them back. What has gone meanwhile needs nothing.
    pub(super) fn put_back(&self) {
        let (input, output, error) = (io::stdin(), io::stdout(), io::stderr());
        let all = [input.as_fd(), output.as_fd(), error.as_fd()];
        for ((stream, before), was_locked) in all.into_iter().zip(self.flags).zip(self.is_locked) {
            if let Some(flags) = before.filter(|_| before != flags(stream)) {
                let _ = fcntl(stream, FcntlArg::F_SETFL(flags));
            }
            if !was_locked {
                kernel::unlock(stream);
            }
        }
    }
}

fn flags(stream: BorrowedFd<'_>) -> Option<OFlag> {
    fcntl(stream, FcntlArg::F_GETFL).ok().map(OFlag::from_bits_retain)
}

/// Whether somebody holds a lock through this very stream: it lasts as long as anybody has that open.
fn is_locked(stream: BorrowedFd<'_>) -> bool {
    let told = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", stream.as_raw_fd())).unwrap_or_default();
    told.lines().any(|line| line.starts_with("lock:"))
}
