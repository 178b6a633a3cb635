//! Reads the agent's message from stdin.

use std::io::{self, Read};
use std::sync::mpsc::{RecvTimeoutError, channel};

use handraise_protocol::MAX_BODY;

use crate::failure::Failure;
use crate::patience::Patience;

/// Of a message that is too large only so much is kept that this can be told.
const KEPT: usize = MAX_BODY + 1;

/// Reads stdin to its end.
///
/// # Errors
/// When it cannot be read, or when nobody waits any more.
pub(crate) fn read_message(patience: &Patience) -> Result<Vec<u8>, Failure> {
    let mut message = Vec::new();
    // Agents write the message before this program is ready for it: then no thread is needed.
    if read_what_is_there(&mut message) {
        return Ok(message);
    }
    // Reading cannot be interrupted otherwise.
    let (sender, receiver) = channel();
    let read = move || {
        let mut stdin = io::stdin().lock();
        let limit = u64::try_from(KEPT.saturating_sub(message.len())).unwrap_or(u64::MAX);
        let read = stdin.by_ref().take(limit).read_to_end(&mut message);
        let read = read.and_then(|_| io::copy(&mut stdin, &mut io::sink()));
        // Nobody listens any more when the deadline has come; then the answer is given already.
        let _ = sender.send(read.map(|_| message));
    };
    std::thread::Builder::new().name("stdin".to_owned()).spawn(read).map_err(Failure::Input)?;
    loop {
        match receiver.recv_timeout(patience.check()?) {
            Ok(message) => return message.map_err(Failure::Input),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Input(io::Error::other("the thread that reads it has ended")));
            }
        }
    }
}

/// Reads what has arrived already, without waiting. Whether it was all is the answer; an error comes
/// again when the rest is read.
#[cfg(unix)]
fn read_what_is_there(message: &mut Vec<u8>) -> bool {
    use std::os::fd::AsFd;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let stdin = io::stdin();
    let mut piece = vec![0; 64 * 1024];
    loop {
        let mut ready = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        if !matches!(poll(&mut ready, PollTimeout::ZERO), Ok(1)) {
            return false;
        }
        match nix::unistd::read(stdin.as_fd(), &mut piece) {
            Ok(0) => return true,
            Ok(length) => {
                let wanted = length.min(KEPT.saturating_sub(message.len()));
                message.extend_from_slice(piece.get(..wanted).unwrap_or_default());
            }
            Err(_) => return false,
        }
    }
}

#[cfg(not(unix))]
fn read_what_is_there(_message: &mut Vec<u8>) -> bool {
    false
}
