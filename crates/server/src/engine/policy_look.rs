//! Looks at the policy file, on threads of their own: it may lie on a disk that does not answer, and no call waits
//! for that.

use std::time::Duration;

use handraise_protocol::Problem;
use jiff::{SignedDuration, Timestamp};
use tokio::time::timeout;

use super::policy_problem::{not_tried, silent};
use super::under_way::{UnderWay, WorkOutcome, news_of};
use super::{Engine, State};
use crate::file_watch::FileWatch;
use crate::policy_file::{Look, Looked};
use crate::threads;

/// How long a file is left alone after something has happened to it: editors write in several steps.
const SETTLING: SignedDuration = SignedDuration::from_millis(100);
/// How often the file is looked at when nobody says that something has happened to it.
const BETWEEN_LOOKS: SignedDuration = SignedDuration::from_secs(1);
/// How long other things wait for a look. On a disk that answers it is done by then, so that what has changed counts
/// for the next call.
const PROMPT: Duration = Duration::from_millis(50);
/// How long a look takes before a person is told.
const MAX_LOOK: Duration = Duration::from_secs(2);

const SILENT: &str = "The policy file does not answer";

/// When the file is looked at, and a look that is under way.
#[derive(Debug)]
pub(crate) struct PolicyLooks {
    /// Something has happened to the file: it is to be looked at then.
    due: Option<Timestamp>,
    /// When the last look was begun.
    begun: Timestamp,
    under_way: Option<UnderWay<Looked>>,
}

impl PolicyLooks {
    /// The file was looked at just now.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self { due: None, begun: now, under_way: None }
    }

    /// The clock was set: `now` it is this late.
    pub(super) fn clock_moved(&mut self, now: Timestamp) {
        (self.due, self.begun) = (None, now);
    }

    /// When the next look is due, where one is.
    pub(super) fn due(&self) -> Option<Timestamp> {
        self.due.filter(|_| self.under_way.is_none())
    }

    fn is_due(&self, now: Timestamp) -> bool {
        self.under_way.is_none()
            && match self.due {
                Some(due) => due <= now,
                None => add(self.begun, BETWEEN_LOOKS) <= now || now < self.begun,
            }
    }

    /// Waits for a look that is under way; for ever when none is.
    pub(super) async fn news(&mut self) -> WorkOutcome<Looked> {
        news_of(self.under_way.as_mut()).await
    }
}

impl Engine {
    /// Watches the policy file. Without a watch the file is still looked at, only later.
    pub(crate) fn watch_policy(&self, path: &std::path::Path) -> Option<FileWatch> {
        let mailbox = self.mailbox.downgrade();
        let touched = move || {
            let Some(mailbox) = mailbox.upgrade() else { return };
            // A full mailbox: the file is looked at from time to time anyway.
            let _ = mailbox.try_send(Box::new(State::policy_touched));
        };
        FileWatch::new(&[path.to_owned()], touched)
            .inspect_err(|error| tracing::warn!(%error, "the policy file cannot be watched"))
            .ok()
    }

    /// Looks at the file now, before a person decides what it is to say. A change that is being made has looked.
    ///
    /// # Errors
    /// When the file does not answer.
    pub(super) async fn look_at_policy(&self) -> Result<(), Problem> {
        let Some(look) = self.call(|state| state.policy_look()).await?? else { return Ok(()) };
        let begun = threads::begin(move || look.look()).map_err(|error| {
            tracing::error!(%error, "the system gives no thread");
            not_tried()
        })?;
        let looked = timeout(MAX_LOOK, begun).await.ok().and_then(Result::ok).ok_or_else(silent)?;
        self.call(move |state| state.take_policy_look(looked)).await
    }
}

impl State {
    /// Something may have happened to the file: it is looked at when it has settled.
    pub(crate) fn policy_touched(&mut self) {
        // Not put off by what happens meanwhile: somebody who writes all the time would never be seen.
        self.policy_looks.due.get_or_insert(add(self.clock.now(), SETTLING));
    }

    /// A look at the file, unless one has been under way for long: each keeps its thread until the disk answers.
    fn policy_look(&self) -> Result<Option<Look>, Problem> {
        let is_silent = self.policy_looks.under_way.as_ref().is_some_and(UnderWay::is_late);
        if is_silent || self.policy_changes.is_stuck() {
            return Err(silent());
        }
        Ok((!self.policy_changes.is_under_way()).then(|| self.policy.begin_look()))
    }

    /// Looks at the file when it is time to.
    pub(super) async fn look_at_policy_in_time(&mut self) {
        let now = self.clock.now();
        // What is being written is no change from outside.
        if !self.policy_looks.is_due(now) || self.policy_changes.is_under_way() {
            return;
        }
        (self.policy_looks.due, self.policy_looks.begun) = (None, now);
        let look = self.policy.begin_look();
        let mut looked = match threads::begin(move || look.look()) {
            Ok(looked) => looked,
            // It is looked at the next time.
            Err(error) => return tracing::error!(%error, "the system gives no thread"),
        };
        match timeout(PROMPT, &mut looked).await {
            Ok(looked) => self.policy_look_is_over(looked.ok()),
            Err(_) => self.policy_looks.under_way = Some(UnderWay::of(looked, MAX_LOOK)),
        }
    }

    /// A look that takes its time is done, or still is not.
    pub(super) fn hear_of_policy_look(&mut self, news: WorkOutcome<Looked>) {
        match news {
            WorkOutcome::Done(looked) => {
                self.policy_looks.under_way = None;
                self.set_notice(SILENT, None);
                self.policy_look_is_over(looked);
            }
            WorkOutcome::Late => {
                let path = self.policy.path().display();
                let what = "What was in force stays in force, and no change is seen. Look at the disk that it is on.";
                self.set_notice(SILENT, Some(format!("{path}: {what}")));
            }
        }
    }

    fn policy_look_is_over(&mut self, looked: Option<Looked>) {
        match looked {
            Some(looked) => self.take_policy_look(looked),
            None => tracing::error!("a look at the policy file failed"),
        }
    }
}

fn add(time: Timestamp, duration: SignedDuration) -> Timestamp {
    time.checked_add(duration).unwrap_or(Timestamp::MAX)
}
