//! Work on the disk that may take for ever, done on a thread that nobody waits for.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

use crate::threads;

/// Work that takes its time.
#[derive(Debug)]
pub(super) struct UnderWay<T> {
    found: oneshot::Receiver<T>,
    /// When it takes too long; `None`: it does.
    late_at: Option<Instant>,
}

/// What became of work that takes its time.
#[derive(Debug)]
pub(super) enum WorkOutcome<T> {
    /// It is done. `None`: it failed.
    Done(Option<T>),
    /// It takes too long.
    Late,
}

impl<T: Send + 'static> UnderWay<T> {
    /// Begins `work`, which takes too long after `limit`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn begin(work: impl FnOnce() -> T + Send + 'static, limit: Duration) -> std::io::Result<Self> {
        Ok(Self::of(threads::begin(work)?, limit))
    }

    /// For work that was begun, and takes too long after `limit`.
    pub(super) fn of(found: oneshot::Receiver<T>, limit: Duration) -> Self {
        Self { found, late_at: Some(Instant::now() + limit) }
    }

    /// It takes too long.
    pub(super) fn is_late(&self) -> bool {
        self.late_at.is_none()
    }

    /// Waits for what becomes of it. That it is late is said once.
    pub(super) async fn news(&mut self) -> WorkOutcome<T> {
        let Self { found, late_at } = self;
        let late = async {
            match *late_at {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            found = found => WorkOutcome::Done(found.ok()),
            () = late => {
                *late_at = None;
                WorkOutcome::Late
            }
        }
    }
}

/// What becomes of `work`; for ever nothing where there is none.
pub(super) async fn news_of<T: Send + 'static>(work: Option<&mut UnderWay<T>>) -> WorkOutcome<T> {
    match work {
        Some(work) => work.news().await,
        None => std::future::pending().await,
    }
}
