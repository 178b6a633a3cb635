//! Times as a person says them.

use jiff::Timestamp;

/// How long ago `then` was: `12s`, `4m`, `3h`.
pub(crate) fn age(then: Timestamp, now: Timestamp) -> String {
    short(now.duration_since(then).as_secs())
}

/// How long it is until `end`: `12s`, `4m`, `3h`.
pub(crate) fn left(end: Timestamp, now: Timestamp) -> String {
    short(end.duration_since(now).as_secs())
}

fn short(seconds: i64) -> String {
    match seconds.max(0) {
        seconds @ 0..=99 => format!("{seconds}s"),
        seconds @ 100..=5_999 => format!("{}m", seconds / 60),
        seconds => format!("{}h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        assert_eq!([-3, 0, 99, 100, 5_999, 7_200].map(short), ["0s", "0s", "99s", "1m", "99m", "2h"]);
    }
}
