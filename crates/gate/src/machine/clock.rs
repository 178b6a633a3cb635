//! The wall clock was set: whatever runs keeps the time that it had left.
//!
//! The gate is told the wall's time, since that is what people read. Its owner watches a clock that nobody can set
//! beside it, and says here by how much the wall has moved.

use jiff::SignedDuration;

use super::{Acknowledgement, Effect, Gate, LastingEffect, Reaction, Record};
use crate::lifecycle::moved;

impl Gate {
    /// Moves every time that something is due at by `by`. What has happened already keeps its time.
    pub fn clock_moved(&mut self, by: SignedDuration) -> Reaction {
        self.requests.clock_moved(by);
        self.paused_until = self.paused_until.map(|end| moved(end, by));
        self.unsettled_since = moved(self.unsettled_since, by);
        for uncollected in &mut self.uncollected {
            uncollected.until = uncollected.until.map(|until| moved(until, by));
        }
        for grant in &mut self.grants {
            grant.expires_at = grant.expires_at.map(|end| moved(end, by));
        }
        for session in self.sessions.values_mut() {
            session.last_call = moved(session.last_call, by);
        }
        let mut effects = vec![Effect::Record(Record::ClockMoved(by))];
        if !self.grants.is_empty() {
            effects.push(Effect::LastingEffect(LastingEffect::GrantsChanged));
        }
        Reaction { effects, answer: Ok(Acknowledgement::Done) }
    }
}
