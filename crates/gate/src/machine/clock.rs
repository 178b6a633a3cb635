//! The wall clock was set: whatever runs keeps the time that it had left.
//!
//! The gate is told the wall's time, since that is what people read. Its owner watches a clock that nobody can set
//! beside it, and says here by how much the wall has moved.

use jiff::{SignedDuration, Timestamp};

use super::{Answer, Attendance, Effect, Gate, Reaction, Record};
use crate::SecondQuestion;

impl Gate {
    /// Moves every time that something is due at by `by`. What has happened already keeps its time.
    pub fn clock_moved(&mut self, by: SignedDuration) -> Reaction {
        for entry in self.entries.values_mut() {
            if entry.outcome.is_none() {
                entry.expires_at = moved(entry.expires_at, by);
            }
            if let Attendance::Gone { since, until } = &mut entry.attendance {
                (*since, *until) = (moved(*since, by), moved(*until, by));
            }
            if let Some(SecondQuestion::Answered(_, until)) = &mut entry.second_question {
                *until = moved(*until, by);
            }
        }
        for (ended, _) in &mut self.finished {
            *ended = moved(*ended, by);
        }
        for grant in &mut self.grants {
            grant.expires_at = grant.expires_at.map(|end| moved(end, by));
        }
        for session in self.sessions.values_mut() {
            session.last_call = moved(session.last_call, by);
        }
        for ticket in &mut self.tickets {
            ticket.expires_at = moved(ticket.expires_at, by);
        }
        let mut effects = vec![Effect::Record(Record::ClockMoved(by))];
        if !self.grants.is_empty() {
            effects.push(Effect::GrantsChanged);
        }
        Reaction { effects, answer: Ok(Answer::Done) }
    }
}

/// `time` moved by `by`, within what a time can be.
pub(crate) fn moved(time: Timestamp, by: SignedDuration) -> Timestamp {
    let end = if by.is_negative() { Timestamp::MIN } else { Timestamp::MAX };
    time.checked_add(by).unwrap_or(end)
}
