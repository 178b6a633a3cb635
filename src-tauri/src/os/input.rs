//! Who presses buttons and keys: a person, or a program that makes presses up.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    pub(crate) fn press(&mut self, is_made: bool, now: Instant) {
        let last = if is_made { &mut self.by_program } else { &mut self.by_person };
        *last = Some(now);
    }

    /// What happens at the time `now` follows from a person's press.
    #[must_use]
    pub(crate) fn is_by_person(&self, now: Instant) -> bool {
        is_within(self.by_person, FRESH, now) && !self.is_spoiled(now)
    }

    /// A program has pressed something shortly before the time `now`.
    #[must_use]
    pub(crate) fn is_spoiled(&self, now: Instant) -> bool {
        is_within(self.by_program, SPOILED, now)
    }
}

fn is_within(press: Option<Instant>, time: Duration, now: Instant) -> bool {
    press.is_some_and(|press| now.duration_since(press) < time)
}

/// What the system tells of presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PressVisibility {
    /// The system keeps programs from making them, or nobody knows a way to tell.
    Nothing,
    /// They would have to be told apart, and cannot be.
    Blind,
    /// Each press, and who made it.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only X11 tells"))]
    Each,
}

/// Watches who presses buttons and keys: what the system tells, and what the windows see themselves.
#[derive(Clone, Debug)]
pub(crate) struct InputWatch {
    told: PressVisibility,
    presses: Arc<Mutex<Presses>>,
}

impl InputWatch {
    /// A watch that has seen nothing yet.
    #[must_use]
    pub(crate) fn new(told: PressVisibility) -> Self {
        Self { told, presses: Arc::default() }
    }

    /// A button or a key was pressed, as the system tells.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only X11 tells"))]
    pub(crate) fn press(&self, is_made: bool) {
        self.presses().press(is_made, Instant::now());
    }

    /// A button of a window was pressed without mouse, finger or key, as assistive technology does. On Linux any program of
    /// the session can ask for that over the accessibility bus. Elsewhere it is how screen readers press, and counts.
    pub(crate) fn press_without_device(&self) {
        if cfg!(target_os = "linux") {
            self.presses().press(true, Instant::now());
        }
    }

    /// Whether what happens now follows from a person's press; also where there is no telling.
    #[must_use]
    pub(crate) fn is_by_person(&self) -> bool {
        let (presses, now) = (self.presses(), Instant::now());
        match self.told {
            PressVisibility::Each => presses.is_by_person(now),
            PressVisibility::Nothing | PressVisibility::Blind => !presses.is_spoiled(now),
        }
    }

    /// The system keeps programs from it, or nobody knows a way to tell. Of the desktops of Linux that is Wayland, whose
    /// compositor may give the keyboard to a window that comes up.
    #[must_use]
    pub(crate) fn is_untold(&self) -> bool {
        self.told == PressVisibility::Nothing
    }

    /// It would have to be told apart, and cannot be.
    #[must_use]
    pub(crate) fn is_blind(&self) -> bool {
        self.told == PressVisibility::Blind
    }

    fn presses(&self) -> MutexGuard<'_, Presses> {
        self.presses.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    #[cfg(target_os = "linux")]
    fn a_press_without_a_device_spoils_what_is_near_it_whatever_the_system_tells() {
        for told in [PressVisibility::Nothing, PressVisibility::Blind, PressVisibility::Each] {
            let watch = InputWatch::new(told);
            watch.press(false);
            assert!(watch.is_by_person(), "{told:?}");
            watch.press_without_device();
            assert!(!watch.is_by_person(), "{told:?}");
        }
    }
}
