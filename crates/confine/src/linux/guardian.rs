//! Who puts back what has to stay when the supervisor is killed. Agents do that with a call that takes too long: SIGKILL to its
//! process, to its group, or to all that a list of its children shows. So the guardian is none of these: an orphan in a
//! session of its own. It waits, and does nothing where the supervisor has cleaned up by itself.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::SigSet;
use nix::sys::socket::{
    AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, recv, recvmsg, sendmsg,
    socketpair,
};
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, setsid};

use super::baseline::Baseline;
use super::kept::Kept;
use super::kernel::{self, Fork};
use super::limits;
use super::private_tmp::end_lock;
use crate::ConfineError;

/// Longest wait for processes that end with their supervisor.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// The supervisor has cleaned up.
const OVER: &[u8] = b"over";
/// The first process of the call, which comes along.
const FIRST: &[u8] = b"first";

/// The guardian of this call, which goes when this value does.
pub(super) struct Guardian {
    talk: OwnedFd,
    /// What it was split off from, which ends at once; `None`: that was waited for.
    parent: Option<Pid>,
    owner: u32,
}

impl Guardian {
    /// Splits it off. It also removes the note, or leaves it for a person. It keeps `alive` open, so that no other call takes
    /// this one for over before all is put back. The process
    /// must not take orphans yet, or it would get this one.
    ///
    /// # Errors
    /// When no process can be made.
    pub(super) fn split_off(kept: &Kept, noted: &Baseline, alive: BorrowedFd<'_>) -> Result<Self, ConfineError> {
        let failed = |error: io::Error| ConfineError::setup("guardian", error);
        let flags = SockFlag::SOCK_CLOEXEC;
        let pair =
            socketpair(AddressFamily::Unix, SockType::SeqPacket, None, flags).map_err(|error| failed(error.into()));
        let (talk, theirs) = pair?;
        // Whoever has started this process may have left it one that orphans come to: an exec changes nothing about it.
        nix::sys::prctl::set_child_subreaper(false).map_err(|error| failed(error.into()))?;
        match kernel::fork(0).map_err(failed)? {
            Fork::Child => {
                // Its parent ends at once. Where one of these steps fails, nobody guards, and the supervisor hears that.
                if setsid().is_ok() && matches!(kernel::fork(0), Ok(Fork::Child)) {
                    let _ = guard(kept, noted, alive, &theirs);
                }
                kernel::exit(0)
            }
            Fork::Parent(parent) => Ok(Self { talk, parent: Some(parent), owner: std::process::id() }),
        }
    }

    /// The call has begun, with this process. Orphans may come to this one from then on.
    ///
    /// # Errors
    /// When the guardian is not there.
    pub(super) fn watch(&mut self, first: Pid) -> Result<(), ConfineError> {
        let mut told = || -> io::Result<()> {
            self.reap();
            let handle = kernel::process_handle(first.as_raw())?;
            let descriptors = [handle.as_raw_fd()];
            let rights = [ControlMessage::ScmRights(&descriptors)];
            sendmsg::<()>(self.talk.as_raw_fd(), &[IoSlice::new(FIRST)], &rights, MsgFlags::MSG_NOSIGNAL, None)?;
            Ok(())
        };
        told().map_err(|error| ConfineError::setup("guardian", error))
    }

    fn reap(&mut self) {
        if let Some(parent) = self.parent.take() {
            while waitpid(parent, None) == Err(Errno::EINTR) {}
        }
    }

    /// All is put back: it may end.
    pub(super) fn release(&self) {
        let _ = sendmsg::<()>(self.talk.as_raw_fd(), &[IoSlice::new(OVER)], &[], MsgFlags::MSG_NOSIGNAL, None);
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        // A process that was split off has a copy of this value, and no right to it.
        if std::process::id() != self.owner {
            return;
        }
        self.release();
        self.reap();
        // Until it has ended: nothing of a call is left behind it.
        while recv(self.talk.as_raw_fd(), &mut [0], MsgFlags::empty()) == Err(Errno::EINTR) {}
    }
}

/// What the guardian does, in its own process.
fn guard(kept: &Kept, noted: &Baseline, alive: BorrowedFd<'_>, talk: &OwnedFd) -> io::Result<()> {
    limits::raise();
    SigSet::all().thread_block()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    // Whoever reads what the command says waits for no one else who has these streams.
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    dup2_stdin(alive)?;
    kernel::close_all_but(talk.as_fd())?;
    let Some(first) = wait_for_supervisor(talk)? else { return Ok(()) };
    if let Some(first) = first {
        let _ = kernel::signal_process(first.as_fd(), libc::SIGKILL, None);
        let mut ended = [PollFd::new(first.as_fd(), PollFlags::POLLIN)];
        let _ = poll(&mut ended, PollTimeout::try_from(MAX_WAIT).unwrap_or(PollTimeout::MAX));
    }
    let _end = end_lock();
    let (_, not_put_back) = kept.put_back();
    let (_, not_cleared) = kept.clear_session();
    match not_put_back.is_empty() && not_cleared.is_empty() {
        true => noted.remove(),
        false => _ = noted.leave(),
    }
    Ok(())
}

/// Waits until the supervisor is gone. `None`: it has cleaned up. Else the first process of the call, if it had begun.
fn wait_for_supervisor(talk: &OwnedFd) -> io::Result<Option<Option<OwnedFd>>> {
    let mut first = None;
    loop {
        let mut bytes = [0; 8];
        let mut space = nix::cmsg_space!([i32; 1]);
        let mut parts = [IoSliceMut::new(&mut bytes)];
        let message = match recvmsg::<()>(talk.as_raw_fd(), &mut parts, Some(&mut space), MsgFlags::MSG_CMSG_CLOEXEC) {
            Err(Errno::EINTR) => continue,
            // It was killed before it read all that it was told, which is nothing.
            Err(Errno::ECONNRESET) => return Ok(Some(first)),
            other => other?,
        };
        for control in message.cmsgs()? {
            if let ControlMessageOwned::ScmRights(numbers) = control {
                first = kernel::own_received(&numbers).into_iter().next().or(first);
            }
        }
        let count = message.bytes;
        match bytes.get(..count) {
            Some(OVER) => return Ok(None),
            Some([]) | None => return Ok(Some(first)),
            Some(_) => {}
        }
    }
}
