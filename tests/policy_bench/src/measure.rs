//! Processor time of one call, in microseconds.

use std::hint::black_box;
use std::time::Duration;

use anyhow::Result;
use nix::time::{ClockId, clock_gettime};

/// Rounds of which the median counts.
const ROUNDS: usize = 9;
/// A round repeats the call at least this long, so that the clock's own cost does not matter.
const MIN_ROUND: Duration = Duration::from_millis(10);

/// The median processor time of `call`, in microseconds, after one warm-up round.
pub fn microseconds<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut repetitions = 1_u32;
    loop {
        let taken = round(repetitions, &mut call);
        if taken >= MIN_ROUND {
            break;
        }
        repetitions *= 2;
    }
    let mut times: Vec<f64> =
        (0..ROUNDS).map(|_| round(repetitions, &mut call).as_secs_f64() * 1e6 / f64::from(repetitions)).collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

fn round<T>(repetitions: u32, call: &mut impl FnMut() -> T) -> Duration {
    // What others do on a busy machine is not in it. Without that clock nothing is within any bound.
    let spent = || clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from);
    let start = spent();
    for _ in 0..repetitions {
        black_box(call());
    }
    start.and_then(|start| Ok(spent()? - start)).unwrap_or(Duration::MAX)
}

/// The time of one call that this thread had the processor, in microseconds, with what came out. What others do on a busy
/// machine is not in it.
pub fn thread_microseconds<T>(call: impl FnOnce() -> T) -> Result<(f64, T)> {
    let start = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?;
    let done = black_box(call());
    let taken = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)? - start;
    Ok((Duration::from(taken).as_secs_f64() * 1e6, done))
}
