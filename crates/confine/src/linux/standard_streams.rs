//! Standard input, output and error come from outside, and stay open inside. They must lead to one other side each.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use libc::AF_UNIX;
use nix::sys::socket::{SockType, getpeername, getsockopt, sockopt};
use std::os::fd::AsRawFd;

use super::kernel;
use crate::ConfineError;

/// Refuses a network socket, which could be connected elsewhere, and a Unix socket of datagrams or without another side,
/// which could be sent from to anybody.
///
/// # Errors
/// When one of them is such a socket.
pub(super) fn check() -> Result<(), ConfineError> {
    let (input, output, error) = (io::stdin(), io::stdout(), io::stderr());
    let all = [("input", input.as_fd()), ("output", output.as_fd()), ("error", error.as_fd())];
    match all.into_iter().find(|(_, stream)| leads_anywhere(*stream)) {
        Some((name, _)) => {
            Err(ConfineError::setup(format!("standard {name}"), "it is a socket that can reach others: give a pipe"))
        }
        None => Ok(()),
    }
}

fn leads_anywhere(stream: BorrowedFd<'_>) -> bool {
    // What has no family is no socket.
    let Ok(family) = kernel::family(stream) else { return false };
    let kind = getsockopt(&stream, sockopt::SockType);
    let has_other_side = getpeername::<nix::sys::socket::SockaddrStorage>(stream.as_raw_fd()).is_ok();
    family != AF_UNIX || !matches!(kind, Ok(SockType::Stream | SockType::SeqPacket)) || !has_other_side
}
