//! Waiting for a condition: the only way anything in these tests waits.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use tokio::time::Instant;

/// How long a test waits for something that ought to happen. Far above what is ever needed on a quiet machine (a
/// desktop starts in about a second), so that a busy one does not fail; a passing test never spends it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Pause between two looks at a condition.
const BETWEEN_LOOKS: Duration = Duration::from_millis(25);

/// Asks `probe` again and again until it answers `Ok(Some(value))`, and returns that value.
///
/// `Ok(None)` and `Err` both mean "not yet": what is being waited for often does not exist at first. After `limit` the
/// error names `what` was waited for and carries the last error the probe gave.
///
/// # Errors
/// When `limit` has passed without a value.
pub async fn wait_until<T>(
    what: &str,
    limit: Duration,
    mut probe: impl AsyncFnMut() -> Result<Option<T>>,
) -> Result<T> {
    let deadline = Instant::now() + limit;
    let mut last = anyhow!("no look has returned");
    for looks in 0_u32.. {
        let began = Instant::now();
        last = match tokio::time::timeout_at(deadline, probe()).await {
            Ok(Ok(Some(value))) => return Ok(value),
            Ok(Ok(None)) => anyhow!("it did not come about"),
            Ok(Err(error)) => error,
            // Most looks take longer than the pause between them, so that the end mostly comes in the middle of one.
            Err(_) => last.context(format!("{looks} looks returned; the next one went on for {:?}", began.elapsed())),
        };
        if Instant::now() >= deadline {
            break;
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    Err(last).with_context(|| format!("waited {limit:?} for {what}"))
}
