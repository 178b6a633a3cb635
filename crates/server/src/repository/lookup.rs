//! How long a repository is looked at, and what comes of it.

use std::time::{Duration, Instant};

/// How long one repository is looked at.
const MAX_TIME: Duration = Duration::from_millis(1_500);

/// Why nothing is told: the repository is not understood, is too large, or does not answer in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotTold;

/// What comes of a look.
pub(crate) type Lookup<T> = Result<T, NotTold>;

/// The end of the time for one look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until(Instant);

impl Until {
    /// [`MAX_TIME`] from now.
    pub(crate) fn new() -> Self {
        Self(Instant::now() + MAX_TIME)
    }

    /// Fails when it is over.
    pub(crate) fn check(self) -> Lookup<()> {
        if Instant::now() < self.0 { Ok(()) } else { Err(NotTold) }
    }
}
