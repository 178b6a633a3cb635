//! How long an answer is waited for.

use std::io;
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use handraise_client::WaitLimit;

use crate::failure::Failure;
use crate::parent::Parent;

/// How often to look whether somebody still waits for the answer, where the system does not tell.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Shortest wait that the system is asked for; it takes none for "for ever".
const MIN_WAIT: Duration = Duration::from_millis(1);

/// Ends at the deadline, when a signal asks this program to end, and with the program that has started it.
pub(crate) struct Deadline {
    seconds: u32,
    end: Instant,
    /// A signal has come; from now on they no longer kill.
    ended: Arc<AtomicBool>,
    /// Can be read from once a signal has come.
    #[cfg(unix)]
    signals: UnixStream,
    parent: Parent,
}

impl Deadline {
    /// `seconds` from now.
    ///
    /// # Errors
    /// When the system lets no signal be handled.
    pub(crate) fn new(seconds: u32) -> io::Result<Self> {
        use signal_hook::consts::signal::{SIGINT, SIGTERM};
        let end = Instant::now() + Duration::from_secs(seconds.into());
        let ended = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        let (signals, told) = UnixStream::pair()?;
        let all = [
            SIGINT,
            SIGTERM,
            #[cfg(unix)]
            signal_hook::consts::signal::SIGHUP,
        ];
        for signal in all {
            // In this order: who is woken finds the flag set.
            signal_hook::flag::register(signal, Arc::clone(&ended))?;
            #[cfg(unix)]
            signal_hook::low_level::pipe::register(signal, told.try_clone()?)?;
        }
        Ok(Self {
            seconds,
            end,
            ended,
            #[cfg(unix)]
            signals,
            parent: Parent::now(),
        })
    }

    /// Until the deadline.
    pub(crate) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }
}

impl WaitLimit for Deadline {
    type Stop = Failure;

    fn remaining(&self) -> Result<Duration, Failure> {
        if self.ended.load(Ordering::Relaxed) {
            return Err(Failure::Ended);
        }
        if self.parent.has_ended() {
            return Err(Failure::Orphaned);
        }
        let longest = if self.parent.tells_its_end() { Duration::MAX } else { LOOK_AGAIN };
        match self.left() {
            Duration::ZERO => Err(Failure::Deadline(self.seconds)),
            left => Ok(left.clamp(MIN_WAIT, longest)),
        }
    }

    #[cfg(unix)]
    fn wakers(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        std::iter::once(self.signals.as_fd()).chain(self.parent.descriptor())
    }
}
