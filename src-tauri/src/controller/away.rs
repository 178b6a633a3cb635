//! When to say something again: reminders, and what happened while the person was away or did not want to be
//! disturbed.

use std::time::{Duration, Instant};

use handraise_protocol::{QuestionId, RequestId};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::Controller;
use super::signal::Moment;
use crate::desktop::{Desktop, Gatekeeper};
use crate::notification::content::NotificationKey;
use crate::notification::shown::Step;
use crate::presence::{Disturbance, is_quiet, next_look};
use crate::window::spec::Attention;

/// A person is reminded this long before the time to answer is over, or when a quarter of it is left.
const REMINDER: SignedDuration = SignedDuration::from_secs(60);

impl<D: Desktop, G: Gatekeeper> Controller<D, G> {
    /// Says once of each request that its time is nearly over, and looks again when the next one is due.
    pub(super) fn remind(&mut self, now: Moment) {
        let mut next: Option<Timestamp> = None;
        for (id, since, until) in self.state.times().collect::<Vec<_>>() {
            let due = until - REMINDER.min(until.duration_since(since) / 4);
            if self.reminded.contains(&id) {
                continue;
            }
            if now.wall < due {
                next = Some(next.map_or(due, |next| next.min(due)));
                continue;
            }
            self.reminded.insert(id);
            self.absence.waiting.retain(|waiting| *waiting != id);
            for key in [NotificationKey::Request(RequestId(id)), NotificationKey::Question(QuestionId(id))] {
                self.shown.forget_closed(key);
            }
            self.shown.forget_closed_sums();
        }
        if let Some(wait) = next.and_then(|next| Duration::try_from(next.duration_since(now.wall)).ok()) {
            self.look_again_in(wait, now.instant);
        }
    }

    pub(super) fn look_again_in(&mut self, wait: Duration, now: Instant) {
        let at = now + wait;
        if self.looks_at.is_none_or(|looks_at| looks_at <= now || at < looks_at) {
            self.looks_at = Some(at);
            self.desktop.wake_in(wait);
        }
    }

    /// Finds out what may come up by itself now, and looks again when the clock may change that.
    pub(super) fn look_at_presence(&mut self, now: Moment) {
        let hours = self.settings.quiet_hours;
        if let Some(wait) = next_look(hours, now.wall, now.offset) {
            self.look_again_in(wait, now.instant);
        }
        let is_quiet = is_quiet(hours, now.wall, now.offset);
        let disturbance = self.presence.disturbance(is_quiet, self.tray_host != Some(false));
        let before = std::mem::replace(&mut self.disturbance, disturbance);
        if disturbance == Disturbance::Everything && before != disturbance {
            self.come_back();
        }
    }

    /// The person is there again. Of what came meanwhile each has its notification now; when something was missed,
    /// one notification says so and stands for all that wait.
    fn come_back(&mut self) {
        // What its server has only listed until now comes up anew.
        for step in self.shown.reconcile(Vec::new(), false) {
            if let Step::Close(key) = step {
                self.desktop.close_notification(key);
            }
        }
        if self.absence.missed.is_empty() {
            return;
        }
        self.absence.waiting = self.state.ids().into_iter().filter(|id| !self.reminded.contains(id)).collect();
        if self.needs_prompt() {
            self.open_prompt(Attention::ByItself, None);
        }
    }

    /// Something ended because nobody answered.
    pub(super) fn missed_by_person(&mut self, id: Uuid) {
        if self.disturbance != Disturbance::Everything {
            let sender = self.state.sender(id);
            self.absence.miss(id, sender);
        }
    }
}
