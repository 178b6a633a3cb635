//! Connects, each in a thread of its own. One may take as long as the other side likes, and a program can have several
//! threads change what the socket says of that. So the supervisor, who has others to answer and an end to keep, waits for none.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use super::caller::{Caller, OpenedPath, done, number};
use super::kernel::{self, SystemCallReply};

/// What ending a call and answering for it takes, in open files.
const RESERVED: u64 = 128;
/// Open files of one connect.
const FILES_EACH: u64 = 3;
/// So many have to be possible at one time.
const MIN_WAITING: u64 = 16;
/// More than any build or test has waiting.
const MAX_WAITING: u64 = 128;

/// The connects of the call that wait.
pub(super) struct Connecting {
    max: u64,
    /// Held by each.
    turn: Arc<()>,
}

/// One that is to be made.
pub(super) struct Connect {
    pub(super) socket: OwnedFd,
    pub(super) address: Vec<u8>,
    /// What has to be open as long as the address names it.
    pub(super) place: Option<OpenedPath>,
    /// Says who listens there, where that has to be the call itself.
    pub(super) listens: Option<Listens>,
}

/// Who listens at a port now.
#[derive(PartialEq, Eq)]
pub(super) enum Listener {
    /// The call, and nobody else.
    Own,
    Nobody,
    /// Somebody else, too, or the kernel does not say.
    Other,
}

pub(super) type Listens = Box<dyn Fn() -> Listener + Send>;

/// Whether this process may have as many files open as the end of a call takes.
///
/// # Errors
/// How many it may.
pub(super) fn check_open_files() -> io::Result<()> {
    let (_, left) = open_files()?;
    let needed = RESERVED + MIN_WAITING * FILES_EACH;
    if left >= needed {
        Ok(())
    } else {
        Err(io::Error::other(format!("{left} more may be open (`ulimit -Hn`), and {needed} have to")))
    }
}

/// How many files this process may have open at most, and how many more that is than it has.
fn open_files() -> io::Result<(u64, u64)> {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let open = u64::try_from(std::fs::read_dir("/proc/self/fd")?.count()).unwrap_or(u64::MAX);
    Ok((most, most.saturating_sub(open)))
}

impl Connecting {
    /// As many as leave enough open files for the rest. The limit of this process becomes the highest that it may have: its
    /// command has its own since it was split off.
    pub(super) fn new() -> Self {
        let left = || {
            let (most, left) = open_files().ok()?;
            setrlimit(Resource::RLIMIT_NOFILE, most, most).ok()?;
            Some(left.saturating_sub(RESERVED))
        };
        Self { max: MAX_WAITING.min(left().unwrap_or(0) / FILES_EACH), turn: Arc::new(()) }
    }

    /// Connects, and answers the held call then. An answer at once: it cannot be tried.
    pub(super) fn start(
        &self,
        caller: &Caller<'_>,
        listener: &Arc<OwnedFd>,
        connect: Connect,
    ) -> Option<SystemCallReply> {
        let turn = Arc::clone(&self.turn);
        if u64::try_from(Arc::strong_count(&turn)).is_ok_and(|count| count > self.max + 1) {
            return Some(SystemCallReply::Fail(libc::EAGAIN));
        }
        let (listener, id) = (Arc::clone(listener), caller.held.id);
        let waits = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
            let answer = done(connect.make());
            drop((connect, turn));
            kernel::answer(listener.as_fd(), id, answer);
        });
        match waits {
            Ok(_) => None,
            Err(_) => Some(SystemCallReply::Fail(libc::EAGAIN)),
        }
    }
}

impl Connect {
    fn make(&self) -> io::Result<()> {
        let Self { socket, address, place: _open, listens } = self;
        let connect = || kernel::connect(socket.as_fd(), address);
        let Some(listens) = listens else { return connect() };
        /// The kernel tries again after a second: `TCP_TIMEOUT_INIT`.
        const MAX_WAIT: Duration = Duration::from_millis(900);
        let refused = || Err(io::Error::from_raw_os_error(libc::ECONNREFUSED));
        let copy = socket.try_clone()?;
        let (finished, waits) = channel::<()>();
        // The caller cannot lengthen that: it is another thread that gives up.
        let watch = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
            if waits.recv_timeout(MAX_WAIT) == Err(RecvTimeoutError::Timeout) {
                give_up(&copy);
            }
        })?;
        // Here and not before: on a busy machine this thread may have waited, and somebody else listens by now.
        if listens() != Listener::Own {
            return refused();
        }
        let begun = Instant::now();
        let result = connect();
        drop(finished);
        // What it has given up is not connected.
        let _ = watch.join();
        // On loopback nobody is waited for: who is not connected by now was not taken. Who was taken late, or at a port that
        // is another's by now, was perhaps taken by that other.
        let is_connected = is_connected(socket);
        let is_in_progress = result.as_ref().is_err_and(|error| number(error) == libc::EINPROGRESS);
        if is_connected && (begun.elapsed() > MAX_WAIT || listens() == Listener::Other)
            || !is_connected && is_in_progress
        {
            give_up(socket);
            return refused();
        }
        result
    }
}

fn is_connected(socket: &OwnedFd) -> bool {
    use nix::sys::socket::{SockaddrStorage, getpeername};
    getpeername::<SockaddrStorage>(socket.as_raw_fd()).is_ok()
}

fn give_up(socket: &OwnedFd) {
    let _ = nix::sys::socket::shutdown(socket.as_raw_fd(), nix::sys::socket::Shutdown::Both);
}
