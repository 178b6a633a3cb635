//! Waiting for one descriptor, until something else is to be looked at.

use std::time::Duration;

use crate::ClientError;

/// How long a program waits, and what ends its wait before that.
pub trait WaitLimit {
    /// Why nobody waits any more.
    type Stop: From<ClientError>;

    /// How long to wait until this is asked again.
    ///
    /// # Errors
    /// When nobody waits any more.
    fn remaining(&self) -> Result<Duration, Self::Stop>;

    /// Can be read from once [`WaitLimit::remaining`] has something else to say.
    #[cfg(unix)]
    fn wakers(&self) -> impl Iterator<Item = std::os::fd::BorrowedFd<'_>>;
}

/// What a descriptor is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interest {
    /// It can be read from, or is at its end.
    Read,
    /// It can be written to.
    Write,
}

/// Waits until `descriptor` is ready, for `longest` at most. Whether it is; where it is not, whoever calls looks what
/// `limit` says now.
#[cfg(unix)]
pub fn wait_for(
    descriptor: std::os::fd::BorrowedFd<'_>,
    interest: Interest,
    longest: Duration,
    limit: &impl WaitLimit,
) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let events = match interest {
        Interest::Read => PollFlags::POLLIN,
        Interest::Write => PollFlags::POLLOUT,
    };
    let wakers = limit.wakers().map(|waker| PollFd::new(waker, PollFlags::POLLIN));
    let mut waited_for: Vec<PollFd<'_>> = std::iter::once(PollFd::new(descriptor, events)).chain(wakers).collect();
    // An error is a signal, and whoever calls looks again.
    let some = poll(&mut waited_for, PollTimeout::try_from(longest).unwrap_or(PollTimeout::MAX)).is_ok();
    some && waited_for.first().and_then(PollFd::any).unwrap_or(true)
}
