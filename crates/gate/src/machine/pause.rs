//! A mode that overrules the policy, for a time or until a person ends it.

use jiff::Timestamp;

use super::{Effect, Gate, Mode, Record};

impl Gate {
    /// When the mode in force ends by itself; `None`: when a person ends it.
    #[must_use]
    pub fn paused_until(&self) -> Option<Timestamp> {
        self.paused_until
    }

    /// Puts a mode in force. What was started inside walls before, starts no more.
    pub(super) fn set_mode(&mut self, mode: Mode, until: Option<Timestamp>, effects: &mut Vec<Effect>) {
        self.mode = mode;
        self.paused_until = until.filter(|_| mode != Mode::Normal);
        self.take_walls_back();
        effects.push(Effect::Record(Record::ModeChanged(mode, self.paused_until)));
    }

    /// Ends a pause whose time is up. What a person was asked because of it still waits for that person: only what
    /// comes from now on is answered by the policy.
    pub(super) fn expire_pause(&mut self, now: Timestamp, effects: &mut Vec<Effect>) {
        if self.paused_until.is_some_and(|end| end <= now) {
            self.set_mode(Mode::Normal, None, effects);
        }
    }
}
