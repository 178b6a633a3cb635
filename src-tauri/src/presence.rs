//! Whether the person is there and may be disturbed, and what happened while not.

use std::time::Duration;

use handraise_protocol::QuietHours;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// The longest time between two looks at the clock for the sake of quiet hours: a timer stands still while the
/// machine sleeps, and the local time may be set.
const MAX_WAIT: SignedDuration = SignedDuration::from_mins(5);

/// What is found out about the person and the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(any(target_os = "linux", test)), expect(dead_code, reason = "only Linux desktops are asked"))]
pub(crate) enum PresenceEvent {
    /// The desktop's own switch says whether the person wants no disturbance.
    DoNotDisturb(bool),
    /// A screen saver says whether it covers the screen.
    Locked(bool),
    /// The login service says whether the session is locked.
    SessionLocked(bool),
    /// The login service says whether nobody has used the session for a while.
    Idle(bool),
}

/// What the desktop says about the person. Nothing is known at first, which means that they are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Presence {
    do_not_disturb: bool,
    /// A screen saver covers the screen.
    covered: bool,
    session_locked: bool,
    idle: bool,
    /// The notification server holds notifications back.
    inhibited: bool,
}

impl Presence {
    /// Takes in what the desktop says.
    pub(crate) fn take(&mut self, event: PresenceEvent) {
        match event {
            PresenceEvent::DoNotDisturb(on) => self.do_not_disturb = on,
            PresenceEvent::Locked(on) => self.covered = on,
            PresenceEvent::SessionLocked(on) => self.session_locked = on,
            PresenceEvent::Idle(on) => self.idle = on,
        }
    }

    /// Takes in what the notification server says.
    pub(crate) fn inhibit(&mut self, on: bool) {
        self.inhibited = on;
    }

    /// What may come up by itself. `is_quiet`: it is one of the person's quiet hours. `has_tray`: the desktop shows
    /// tray icons, as far as that is known.
    #[must_use]
    pub(crate) fn disturbance(self, is_quiet: bool, has_tray: bool) -> Disturbance {
        if self.covered || self.session_locked || self.idle || is_quiet {
            return Disturbance::Nothing;
        }
        match self.do_not_disturb || self.inhibited {
            false => Disturbance::Everything,
            true if has_tray => Disturbance::Nothing,
            // The server holds it back itself, and lists it: without a tray nothing else would show that it waits.
            true => Disturbance::NotificationsOnly,
        }
    }
}

/// What may come up by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disturbance {
    /// Notifications and the prompt window.
    Everything,
    /// Notifications, which their server lists without showing them.
    NotificationsOnly,
    /// Neither. The tray counts.
    Nothing,
}

/// Whether `now` is in the quiet hours, by a clock that is `offset` from UTC.
#[must_use]
pub(crate) fn is_quiet(hours: Option<QuietHours>, now: Timestamp, offset: Offset) -> bool {
    hours.is_some_and(|hours| hours.hold(minute(now, offset)))
}

/// How long until the quiet hours have to be looked at again; `None`: there are none.
#[must_use]
pub(crate) fn next_look(hours: Option<QuietHours>, now: Timestamp, offset: Offset) -> Option<Duration> {
    let hours = hours.filter(QuietHours::is_usable)?;
    let time = offset.to_datetime(now).time();
    let minute = minute(now, offset);
    let until = |then: u16| i64::from((then + 1_440 - minute - 1) % 1_440 + 1);
    let minutes = until(hours.from).min(until(hours.until));
    let seconds = SignedDuration::from_mins(minutes) - SignedDuration::from_secs(i64::from(time.second()));
    Duration::try_from(seconds.clamp(SignedDuration::from_secs(1), MAX_WAIT)).ok()
}

/// The minute of the day.
fn minute(now: Timestamp, offset: Offset) -> u16 {
    let time = offset.to_datetime(now).time();
    u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).unwrap_or_default()
}

/// What happened while nothing came up, for the one notification that says so afterwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Absence {
    /// What ended because nobody answered, and who had asked, as far as that is known.
    pub missed: Vec<(Uuid, Option<String>)>,
    /// What still waited when the person came back, and stands behind the same notification.
    pub waiting: Vec<Uuid>,
}

impl Absence {
    /// Something ended because nobody answered.
    pub(crate) fn miss(&mut self, id: Uuid, sender: Option<String>) {
        if !self.missed.iter().any(|(known, _)| *known == id) {
            self.missed.push((id, sender));
        }
    }

    /// Those who asked in vain, each once, in order.
    #[must_use]
    pub(crate) fn senders(&self) -> Vec<String> {
        let mut senders: Vec<String> = Vec::new();
        for sender in self.missed.iter().filter_map(|(_, sender)| sender.as_ref()) {
            if !senders.contains(sender) {
                senders.push(sender.clone());
            }
        }
        senders
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const UTC: Offset = Offset::UTC;

    fn at(minute: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minute)
    }

    #[test]
    fn nothing_is_known_at_first_and_everything_may_come_up() {
        assert_eq!(Presence::default().disturbance(false, true), Disturbance::Everything);
        assert_eq!(Presence::default().disturbance(true, true), Disturbance::Nothing);
    }

    #[test]
    fn do_not_disturb_leaves_the_list_of_the_server_where_there_is_no_tray() {
        let mut presence = Presence::default();
        presence.take(PresenceEvent::DoNotDisturb(true));
        assert_eq!(presence.disturbance(false, false), Disturbance::NotificationsOnly);
        assert_eq!(presence.disturbance(false, true), Disturbance::Nothing);
        presence.take(PresenceEvent::SessionLocked(true));
        assert_eq!(presence.disturbance(false, false), Disturbance::Nothing, "a lock is a lock");
    }

    #[test]
    fn the_local_time_counts() {
        let night = Some(QuietHours { from: 1_320, until: 420 });
        let tokyo = Offset::constant(9);
        // 14:00 in UTC is 23:00 in Tokyo.
        assert!(!is_quiet(night, at(840), UTC));
        assert!(is_quiet(night, at(840), tokyo));
    }

    #[test]
    fn what_is_missed_is_counted_once() {
        let mut absence = Absence::default();
        for sender in ["Codex", "Codex"] {
            absence.miss(Uuid::from_u128(1), Some(sender.into()));
        }
        absence.miss(Uuid::from_u128(2), Some("Codex".into()));
        absence.miss(Uuid::from_u128(3), None);
        assert_eq!((absence.missed.len(), absence.senders()), (3, vec!["Codex".to_owned()]));
    }

    proptest! {
        #[test]
        fn a_lock_or_quiet_hours_hold_everything_back(
            events in proptest::collection::vec((0..4u8, any::<bool>()), 0..12),
            inhibited: bool,
            is_quiet: bool,
            has_tray: bool,
        ) {
            let mut presence = Presence::default();
            let mut last = [false; 4];
            for (kind, on) in events {
                let make = [
                    PresenceEvent::DoNotDisturb, PresenceEvent::Locked, PresenceEvent::SessionLocked, PresenceEvent::Idle,
                ][usize::from(kind)];
                presence.take(make(on));
                last[usize::from(kind)] = on;
            }
            presence.inhibit(inhibited);
            let disturbance = presence.disturbance(is_quiet, has_tray);
            let away = last[1] || last[2] || last[3] || is_quiet;
            prop_assert_eq!(disturbance == Disturbance::Everything, !away && !last[0] && !inhibited);
            prop_assert!(!away || disturbance == Disturbance::Nothing);
        }

        #[test]
        fn no_change_of_quiet_hours_is_slept_through(
            from in 0..1_440u16, until in 0..1_440u16, second in 0..200_000i64, offset in -12..=14i8,
        ) {
            let hours = Some(QuietHours { from, until });
            let (now, offset) = (Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second), Offset::constant(offset));
            let Some(wait) = next_look(hours, now, offset) else {
                prop_assert_eq!(from, until);
                return Ok(());
            };
            prop_assert!(wait >= Duration::from_secs(1) && wait <= Duration::from_secs(300));
            // Until then nothing changes: the second before the look is as it is now.
            let before = now + SignedDuration::try_from(wait).unwrap() - SignedDuration::from_secs(1);
            prop_assert_eq!(is_quiet(hours, now, offset), is_quiet(hours, before, offset));
        }
    }
}
