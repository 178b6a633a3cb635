//! Reads the agent's message from stdin.

use std::io;

use handraise_client::WaitLimit;
use handraise_protocol::MAX_BODY;

use crate::deadline::Deadline;
use crate::failure::Failure;

/// Of a message that is too large only so much is kept that this can be told.
const KEPT: usize = MAX_BODY + 1;

/// Reads stdin to its end.
///
/// # Errors
/// When it cannot be read, or when nobody waits any more.
#[cfg(unix)]
pub(crate) fn read_message(deadline: &Deadline) -> Result<Vec<u8>, Failure> {
    use std::os::fd::AsFd;

    use handraise_client::{Interest, wait_for};
    use nix::errno::Errno;

    let stdin = io::stdin();
    let mut message = Vec::new();
    let mut piece = vec![0; 64 * 1024];
    loop {
        if !wait_for(stdin.as_fd(), Interest::Read, deadline.remaining()?, deadline) {
            continue;
        }
        match nix::unistd::read(stdin.as_fd(), &mut piece) {
            Ok(0) => return Ok(message),
            Ok(length) => {
                let wanted = length.min(KEPT.saturating_sub(message.len()));
                message.extend_from_slice(piece.get(..wanted).unwrap_or_default());
            }
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            Err(error) => return Err(Failure::Input(error.into())),
        }
    }
}

/// Reads stdin to its end.
///
/// # Errors
/// When it cannot be read, or when nobody waits any more.
#[cfg(not(unix))]
pub(crate) fn read_message(deadline: &Deadline) -> Result<Vec<u8>, Failure> {
    use std::io::Read;
    use std::sync::mpsc::{RecvTimeoutError, channel};

    // Reading cannot be interrupted otherwise.
    let (sender, receiver) = channel();
    let read = move || {
        let mut stdin = io::stdin().lock();
        let mut message = Vec::new();
        let limit = u64::try_from(KEPT).unwrap_or(u64::MAX);
        let read = stdin.by_ref().take(limit).read_to_end(&mut message);
        let read = read.and_then(|_| io::copy(&mut stdin, &mut io::sink()));
        // Nobody listens any more when the deadline has come; then the answer is given already.
        let _ = sender.send(read.map(|_| message));
    };
    std::thread::Builder::new().name("stdin".to_owned()).spawn(read).map_err(Failure::Input)?;
    loop {
        match receiver.recv_timeout(deadline.remaining()?) {
            Ok(message) => return message.map_err(Failure::Input),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Input(io::Error::other("the thread that reads it has ended")));
            }
        }
    }
}
