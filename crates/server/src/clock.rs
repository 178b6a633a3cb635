//! The only place where time is read.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// How far the wall clock may run apart from the steady one before that counts as having been set. Clocks that are
/// slewed (NTP: at most 500 parts in a million) stay below it for hours.
const SET: SignedDuration = SignedDuration::from_secs(10);

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// The time on the wall, which somebody may set.
    fn now(&self) -> Timestamp;

    /// How long it has been since some fixed moment, sleep included. Nobody can set this one, and it never goes back.
    fn elapsed(&self) -> Duration;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn elapsed(&self) -> Duration {
        elapsed()
    }
}

/// Linux: `CLOCK_BOOTTIME` (`clock_gettime(2)`). macOS: `CLOCK_MONOTONIC`, which goes on while the machine sleeps
/// (its `clock_gettime(3)`).
#[cfg(unix)]
fn elapsed() -> Duration {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const STEADY: nix::time::ClockId = nix::time::ClockId::CLOCK_BOOTTIME;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const STEADY: nix::time::ClockId = nix::time::ClockId::CLOCK_MONOTONIC;
    // A system without this clock has none that could be set apart from it: nothing ever counts as set.
    nix::time::clock_gettime(STEADY).map(Duration::from).unwrap_or_default()
}

/// Windows: `QueryPerformanceCounter`, which goes on while the machine sleeps (Microsoft's "Acquiring high-resolution
/// time stamps").
#[cfg(not(unix))]
fn elapsed() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Notices that the wall clock was set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockWatch {
    wall: Timestamp,
    steady: Duration,
}

impl ClockWatch {
    /// From now on.
    pub(crate) fn new(clock: &dyn Clock) -> Self {
        Self { wall: clock.now(), steady: clock.elapsed() }
    }

    /// By how much the wall clock was set since this last said so.
    pub(crate) fn moved(&mut self, clock: &dyn Clock) -> Option<SignedDuration> {
        let now = Self::new(clock);
        let steady = SignedDuration::try_from(now.steady.saturating_sub(self.steady)).ok()?;
        let by = now.wall.duration_since(self.wall).saturating_sub(steady);
        if by.abs() <= SET {
            return None;
        }
        *self = now;
        Some(by)
    }
}

/// By how much the wall clock was set back while nobody looked, when `seen` is the latest time that was.
pub(crate) fn set_back(now: Timestamp, seen: Option<Timestamp>) -> Option<SignedDuration> {
    let by = now.duration_since(seen?);
    (by < -SET).then_some(by)
}
