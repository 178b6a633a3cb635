//! How long the audit log is kept.

use std::time::Duration;

use handraise_protocol::{Problem, ProblemCode};
use jiff::SignedDuration;

use super::{Engine, State};

/// How often it is looked for what is old, once all of it has gone.
const BETWEEN_LOOKS: Duration = Duration::from_secs(60 * 60);

/// What is kept, and what was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Retention {
    /// `None`: everything is kept.
    days: Option<u32>,
    /// When there was nothing old any more, by [`crate::Clock::elapsed`].
    looked: Option<Duration>,
}

impl Engine {
    /// Keeps the audit log for so many days from now on; `None`: for ever.
    ///
    /// # Errors
    /// When it is no day at all.
    pub async fn set_keep_days(&self, days: Option<u32>) -> Result<(), Problem> {
        if days == Some(0) {
            let what = "The audit log is kept for at least one day.";
            return Err(Problem::new(ProblemCode::InvalidRequest, what));
        }
        self.call(move |state| {
            state.retention = Retention { days, looked: None };
            state.prune_in_time();
        })
        .await
    }
}

impl State {
    /// Takes some of what is too old out of the log, when it is time to look for it.
    pub(super) fn prune_in_time(&mut self) {
        let Some(days) = self.retention.days else { return };
        let elapsed = self.clock.elapsed();
        if self.retention.looked.is_some_and(|looked| elapsed.saturating_sub(looked) < BETWEEN_LOOKS) {
            return;
        }
        let now = self.clock.now();
        let age = SignedDuration::from_hours(24).checked_mul(i32::try_from(days).unwrap_or(i32::MAX));
        // So long ago that nothing is older.
        let Some(before) = age.and_then(|age| now.checked_sub(age).ok()) else { return };
        match self.audit.prune(before, now) {
            Ok(true) => {}
            Ok(false) => self.retention.looked = Some(elapsed),
            Err(error) => {
                tracing::warn!(%error, "old entries of the audit log cannot be taken away");
                self.retention.looked = Some(elapsed);
            }
        }
    }
}
