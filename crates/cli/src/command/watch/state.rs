//! What the screen shows. Told the time, so that every rule is tested with made-up time.

use std::sync::Arc;
use std::time::Instant;

use handraise_protocol::{AnswerRequest, DecisionRequest, Event, QuestionId, RequestId};

use super::follow::WatchEvent;
use crate::command::answer::Approving;
use crate::command::waiting::{Waiting, WaitingId, together};

/// The screen.
#[derive(Debug, Default)]
pub(super) struct State {
    /// What waits, oldest first.
    pub(super) waiting: Vec<Waiting>,
    /// Which of them is shown in full.
    pub(super) selected: Option<WaitingId>,
    /// Keys that decide do nothing before: whoever was typing did not mean what is shown now.
    pub(super) armed_at: Option<Instant>,
    /// What lies over the screen.
    pub(super) dialog: Dialog,
    /// First line of the detail that is shown.
    pub(super) scroll: u16,
    /// What happened last.
    pub(super) notice: String,
}

/// What lies over the screen and takes the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Dialog {
    /// Nothing.
    #[default]
    None,
    /// What the keys do.
    Help,
    /// A line is typed.
    Typing(Typing, String),
    /// What was shown went away while something was typed. What is still typed must not hit the next.
    RequestEnded,
}

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typing {
    /// Why a call is denied, or a question declined.
    Reason,
    /// The word that approves a destructive call.
    Confirmation(Approving),
    /// Numbers of choices.
    Choices,
    /// The person's own words, as the answer to a question.
    Words,
}

/// What the person wants.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wish {
    /// Decide about a request.
    Decide(RequestId, DecisionRequest),
    /// Answer a question.
    Answer(QuestionId, AnswerRequest),
    /// Leave.
    Quit,
}

impl State {
    /// What is shown in full.
    pub(super) fn selection(&self) -> Option<&Waiting> {
        self.waiting.iter().find(|one| Some(one.id()) == self.selected)
    }

    /// Whether keys decide yet.
    pub(super) fn is_armed(&self, now: Instant) -> bool {
        self.armed_at.is_some_and(|armed_at| now >= armed_at)
    }

    /// Takes in what happened at the server.
    pub(super) fn hear(&mut self, news: WatchEvent, now: Instant) {
        match news {
            WatchEvent::Waiting(approvals, questions) => self.replace(together(approvals, questions), now),
            WatchEvent::Event(event) => self.apply(*event, now),
            WatchEvent::Lost(why) => {
                self.replace(Vec::new(), now);
                self.notice = why;
            }
        }
    }

    /// Says how an answer went.
    pub(super) fn tell(&mut self, outcome: String) {
        self.notice = outcome;
    }

    /// Exactly these wait.
    pub(super) fn replace(&mut self, waiting: Vec<Waiting>, now: Instant) {
        let position = self.position();
        self.waiting = waiting;
        self.keep_selection(position, now);
    }

    fn apply(&mut self, event: Event, now: Instant) {
        match event {
            Event::ApprovalRequested(requested) => {
                self.add(Waiting::Approval(Box::new(Arc::unwrap_or_clone(requested.approval))), now);
            }
            Event::ApprovalChanged(changed) => {
                self.change(Waiting::Approval(Box::new(Arc::unwrap_or_clone(changed.approval))));
            }
            Event::ApprovalResolved(resolved) => self.remove(WaitingId::Approval(resolved.id), now),
            Event::QuestionAsked(asked) => {
                self.add(Waiting::Question(Box::new(Arc::unwrap_or_clone(asked.question))), now);
            }
            Event::QuestionResolved(resolved) => self.remove(WaitingId::Question(resolved.id), now),
            _ => {}
        }
    }

    fn add(&mut self, new: Waiting, now: Instant) {
        if !self.waiting.iter().any(|one| one.id() == new.id()) {
            // Behind all others: what is selected stays where it is.
            self.waiting.push(new);
            self.keep_selection(0, now);
        }
    }

    /// More is known of one that waits.
    fn change(&mut self, changed: Waiting) {
        if let Some(one) = self.waiting.iter_mut().find(|one| one.id() == changed.id()) {
            *one = changed;
        }
    }

    fn remove(&mut self, id: WaitingId, now: Instant) {
        let position = self.position();
        self.waiting.retain(|one| one.id() != id);
        self.keep_selection(position, now);
    }

    /// Where in the list the selection is.
    pub(super) fn position(&self) -> usize {
        self.waiting.iter().position(|one| Some(one.id()) == self.selected).unwrap_or(0)
    }

    /// The selection stays where it is; when that is gone, it goes to what has come into its place.
    fn keep_selection(&mut self, position: usize, now: Instant) {
        if self.selection().is_none() {
            let next = self.waiting.get(position).or(self.waiting.last());
            let next = next.map(Waiting::id);
            let was_typing = matches!(self.dialog, Dialog::Typing(..));
            self.select(next, now);
            if was_typing {
                self.dialog = Dialog::RequestEnded;
            }
        }
    }

    fn select(&mut self, id: Option<WaitingId>, now: Instant) {
        if self.selected == id {
            return;
        }
        self.selected = id;
        self.scroll = 0;
        self.armed_at = self.selection().map(|one| now + one.delay());
    }

    /// Selects what is `by` places further down.
    pub(super) fn step(&mut self, by: isize, now: Instant) {
        let position = self.position().saturating_add_signed(by);
        if let Some(one) = self.waiting.get(position) {
            self.select(Some(one.id()), now);
        }
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
pub(super) mod tests;
