//! How long an answer is waited for.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::parent::Parent;

/// How often to look whether somebody still waits for the answer.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Shortest wait that the system is asked for; it takes none for "for ever".
const MIN_WAIT: Duration = Duration::from_millis(1);

/// Ends at the deadline, when a signal asks this program to end, and with the program that has started it.
pub(crate) struct Patience {
    deadline: u32,
    end: Instant,
    /// A signal has come; from now on they no longer kill.
    ended: Arc<AtomicBool>,
    parent: Parent,
}

impl Patience {
    /// For `deadline` seconds from now.
    ///
    /// # Errors
    /// When the system lets no signal be handled.
    pub(crate) fn new(deadline: u32) -> io::Result<Self> {
        use signal_hook::consts::signal::{SIGINT, SIGTERM};
        let end = Instant::now() + Duration::from_secs(deadline.into());
        let ended = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&ended))?;
        }
        #[cfg(unix)]
        signal_hook::flag::register(signal_hook::consts::signal::SIGHUP, Arc::clone(&ended))?;
        Ok(Self { deadline, end, ended, parent: Parent::now() })
    }

    /// Until the deadline.
    pub(crate) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// How long to wait until this is asked again.
    ///
    /// # Errors
    /// When nobody waits any more.
    pub(crate) fn check(&self) -> Result<Duration, Failure> {
        if self.ended.load(Ordering::Relaxed) {
            return Err(Failure::Ended);
        }
        if self.parent.has_ended() {
            return Err(Failure::Orphaned);
        }
        match self.left() {
            Duration::ZERO => Err(Failure::Deadline(self.deadline)),
            left => Ok(left.clamp(MIN_WAIT, LOOK_AGAIN)),
        }
    }
}
