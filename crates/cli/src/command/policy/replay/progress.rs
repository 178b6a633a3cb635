//! How far a replay is, for a program that shows it.

use std::io::Write;

use handraise_protocol::ReplayProgress;

/// Calls between two lines while transcripts are read.
const EVERY: u32 = 100;

/// Tells on stderr how far it is, a JSON line each, where that is wanted.
#[derive(Debug)]
pub(super) struct Progress {
    is_told: bool,
    calls: u32,
    done: u32,
    steps: u32,
}

impl Progress {
    /// Nothing is done yet.
    pub(super) fn new(is_told: bool) -> Self {
        Self { is_told, calls: 0, done: 0, steps: 0 }
    }

    /// A call was read.
    pub(super) fn read(&mut self) {
        self.calls += 1;
        if self.calls.is_multiple_of(EVERY) {
            self.tell(&ReplayProgress::Reading { calls: self.calls });
        }
    }

    /// All calls are read, and so many `steps` follow.
    pub(super) fn begin(&mut self, steps: usize) {
        self.steps = u32::try_from(steps).unwrap_or(u32::MAX);
        self.tell(&ReplayProgress::Replaying { done: 0, steps: self.steps });
    }

    /// A step is done.
    pub(super) fn step(&mut self) {
        self.done += 1;
        self.tell(&ReplayProgress::Replaying { done: self.done, steps: self.steps });
    }

    fn tell(&self, progress: &ReplayProgress) {
        if !self.is_told {
            return;
        }
        let line = serde_json::to_string(progress).unwrap_or_default();
        // Whoever wanted to know has gone; the figures are printed all the same.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
