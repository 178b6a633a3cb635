//! Who presses buttons and keys: a person, or a program that makes presses up.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A press that a program made spoils everything for this long: what it does may be seen a little later.
const SPOILED: Duration = Duration::from_secs(5);
/// A person's press counts this long: a button may have to be held, and a window may be slow.
const FRESH: Duration = Duration::from_secs(30);

/// The presses that were seen last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Presses {
    by_person: Option<Instant>,
    by_program: Option<Instant>,
}

impl Presses {
    /// A button or a key was pressed at the time `now`.
    #[cfg_attr(all(not(target_os = "linux"), not(test)), expect(dead_code, reason = "only X11 tells"))]
    pub(crate) fn press(&mut self, is_made: bool, now: Instant) {
        let last = if is_made { &mut self.by_program } else { &mut self.by_person };
        *last = Some(now);
    }

    /// What happens at the time `now` follows from a person's press.
    #[must_use]
    pub(crate) fn is_by_person(&self, now: Instant) -> bool {
        let within = |press: Option<Instant>, time| press.is_some_and(|press| now.duration_since(press) < time);
        within(self.by_person, FRESH) && !within(self.by_program, SPOILED)
    }
}

/// Watches who presses buttons and keys, where the system tells.
#[derive(Clone, Debug)]
pub(crate) enum InputWatch {
    /// The system keeps programs from it, or nobody knows a way to tell.
    Untold,
    /// It would have to be told apart, and cannot be.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only X11 tells"))]
    Blind,
    /// The presses that were seen last.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only X11 tells"))]
    Seen(Arc<Mutex<Presses>>),
}

impl InputWatch {
    /// Whether what happens now follows from a person's press; also where there is no telling.
    #[must_use]
    pub(crate) fn is_by_person(&self) -> bool {
        match self {
            Self::Untold | Self::Blind => true,
            Self::Seen(presses) => presses.lock().unwrap_or_else(PoisonError::into_inner).is_by_person(Instant::now()),
        }
    }

    /// The system keeps programs from it, or nobody knows a way to tell. Of the desktops of Linux that is Wayland, whose
    /// compositor may give the keyboard to a window that comes up.
    #[must_use]
    pub(crate) fn is_untold(&self) -> bool {
        matches!(self, Self::Untold)
    }

    /// It would have to be told apart, and cannot be.
    #[must_use]
    pub(crate) fn is_blind(&self) -> bool {
        matches!(self, Self::Blind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_of_a_program_counts_for_nobody_and_spoils_what_is_near_it() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut presses = Presses::default();
        assert!(!presses.is_by_person(start), "nobody has pressed anything");
        presses.press(true, start);
        assert!(!presses.is_by_person(start));
        presses.press(false, after(1));
        assert!(!presses.is_by_person(after(1)), "a person types beside it");
        presses.press(false, after(6));
        assert!(presses.is_by_person(after(7)));
        assert!(!presses.is_by_person(after(37)), "long ago");
    }
}
