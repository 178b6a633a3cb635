//! What the screen shows and what a key does. Told the time, so that every rule is tested with made-up time.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use handraise_protocol::{Approval, Decision, DecisionRequest, Event, Question, RequestId, RiskLevel, Scope};

use super::follow::News;
use crate::command::answer::{CONFIRMATION, decision, delay};

/// Lines that a page key moves the detail by.
const PAGE: u16 = 10;

/// The screen.
#[derive(Debug)]
pub(super) struct State {
    /// What waits, oldest first.
    pub(super) waiting: Vec<Approval>,
    /// Questions that wait, oldest first. They are answered with `handraise answer`.
    pub(super) questions: Vec<Question>,
    /// Which of them is shown in full.
    pub(super) selected: Option<RequestId>,
    /// Keys that decide do nothing before: whoever was typing did not mean this request.
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
    /// A reason for a denial is typed.
    Reason(String),
    /// The approval of a destructive call is typed out.
    Confirm(Scope, String),
    /// The request went away while something was typed. What is still typed must not hit the next.
    Gone,
}

/// What the person wants.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wish {
    /// Decide about a request.
    Decide(RequestId, DecisionRequest),
    /// Leave.
    Quit,
}

impl Default for State {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            questions: Vec::new(),
            selected: None,
            armed_at: None,
            dialog: Dialog::None,
            scroll: 0,
            notice: String::new(),
        }
    }
}

impl State {
    /// The request that is shown in full.
    pub(super) fn selection(&self) -> Option<&Approval> {
        self.waiting.iter().find(|approval| Some(approval.id) == self.selected)
    }

    /// Whether keys decide yet.
    pub(super) fn is_armed(&self, now: Instant) -> bool {
        self.armed_at.is_some_and(|armed_at| now >= armed_at)
    }

    /// Takes in what happened at the server.
    pub(super) fn hear(&mut self, news: News, now: Instant) {
        match news {
            News::Waiting(waiting, questions) => {
                self.questions = questions;
                self.replace(waiting, now);
            }
            News::Event(event) => self.apply(*event, now),
            News::Lost(why) => {
                self.questions = Vec::new();
                self.replace(Vec::new(), now);
                self.notice = why;
            }
        }
    }

    /// Says how a decision went.
    pub(super) fn tell(&mut self, outcome: String) {
        self.notice = outcome;
    }

    /// Exactly these wait.
    pub(super) fn replace(&mut self, waiting: Vec<Approval>, now: Instant) {
        let position = self.position();
        self.waiting = waiting;
        self.keep_selection(position, now);
    }

    fn apply(&mut self, event: Event, now: Instant) {
        match event {
            Event::ApprovalRequested(requested) => {
                let known = self.waiting.iter().any(|approval| approval.id == requested.approval.id);
                if !known {
                    // Behind all others: what is selected stays where it is.
                    self.waiting.push(requested.approval);
                    self.keep_selection(0, now);
                }
            }
            Event::ApprovalResolved(resolved) => {
                let position = self.position();
                self.waiting.retain(|approval| approval.id != resolved.id);
                self.keep_selection(position, now);
            }
            Event::QuestionAsked(asked) if !self.questions.iter().any(|question| question.id == asked.question.id) => {
                self.questions.push(asked.question);
            }
            Event::QuestionResolved(resolved) => self.questions.retain(|question| question.id != resolved.id),
            _ => {}
        }
    }

    fn position(&self) -> usize {
        self.waiting.iter().position(|approval| Some(approval.id) == self.selected).unwrap_or(0)
    }

    /// The selection stays on its request; when that is gone, it goes to the one in its place.
    fn keep_selection(&mut self, position: usize, now: Instant) {
        if self.selection().is_none() {
            let next = self.waiting.get(position).or(self.waiting.last());
            let next = next.map(|approval| approval.id);
            let was_typing = matches!(self.dialog, Dialog::Reason(_) | Dialog::Confirm(..));
            self.select(next, now);
            if was_typing {
                self.dialog = Dialog::Gone;
            }
        }
    }

    fn select(&mut self, id: Option<RequestId>, now: Instant) {
        if self.selected == id {
            return;
        }
        self.selected = id;
        self.scroll = 0;
        self.armed_at = self.selection().map(|approval| now + delay(approval.risk.level));
    }

    /// Takes in a key.
    pub(super) fn key(&mut self, key: KeyEvent, now: Instant) -> Option<Wish> {
        if key.kind != KeyEventKind::Press {
            return None;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return (key.code == KeyCode::Char('c')).then_some(Wish::Quit);
        }
        match std::mem::take(&mut self.dialog) {
            Dialog::None => self.command(key.code, now),
            Dialog::Help => None,
            Dialog::Gone => {
                if key.code != KeyCode::Esc {
                    self.dialog = Dialog::Gone;
                }
                None
            }
            Dialog::Reason(text) => match edit(text, key.code)? {
                Edited::Going(text) => {
                    self.dialog = Dialog::Reason(text);
                    None
                }
                Edited::Done(text) if text.trim().is_empty() => {
                    self.dialog = Dialog::Reason(text);
                    None
                }
                Edited::Done(text) => self.decide(Decision::Deny, Scope::Once, Some(text)),
            },
            Dialog::Confirm(scope, text) => match edit(text, key.code)? {
                Edited::Done(text) if text == CONFIRMATION => self.decide(Decision::Approve, scope, None),
                Edited::Going(text) | Edited::Done(text) => {
                    self.dialog = Dialog::Confirm(scope, text);
                    None
                }
            },
        }
    }

    fn command(&mut self, code: KeyCode, now: Instant) -> Option<Wish> {
        match code {
            KeyCode::Char('q') => return Some(Wish::Quit),
            KeyCode::Char('?') => self.dialog = Dialog::Help,
            KeyCode::Char('j') | KeyCode::Down => self.step(1, now),
            KeyCode::Char('k') | KeyCode::Up => self.step(-1, now),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll = self.scroll.saturating_add(PAGE),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(PAGE),
            KeyCode::Char(letter) if self.is_armed(now) => return self.answer(letter),
            // Above all Enter: it is what a person types elsewhere.
            _ => {}
        }
        None
    }

    fn answer(&mut self, letter: char) -> Option<Wish> {
        let approval = self.selection()?;
        let destructive = approval.risk.level == RiskLevel::Destructive;
        let scope = match letter {
            'a' => Scope::Once,
            's' if approval.session.is_none() => {
                self.notice = "This request names no session; answer it once with a or d.".to_owned();
                return None;
            }
            's' => Scope::Session,
            'd' => return self.decide(Decision::Deny, Scope::Once, None),
            'r' => {
                self.dialog = Dialog::Reason(String::new());
                return None;
            }
            _ => return None,
        };
        if destructive {
            self.dialog = Dialog::Confirm(scope, String::new());
            return None;
        }
        self.decide(Decision::Approve, scope, None)
    }

    fn step(&mut self, by: isize, now: Instant) {
        let position = self.position().saturating_add_signed(by);
        if let Some(approval) = self.waiting.get(position) {
            self.select(Some(approval.id), now);
        }
    }

    fn decide(&self, what: Decision, scope: Scope, reason: Option<String>) -> Option<Wish> {
        let approval = self.selection()?;
        Some(Wish::Decide(approval.id, decision(approval, what, scope, reason)))
    }
}

/// A line that is typed.
enum Edited {
    Going(String),
    Done(String),
}

/// The line after one more key; `None` when the person gave up.
fn edit(mut text: String, code: KeyCode) -> Option<Edited> {
    match code {
        KeyCode::Esc => return None,
        KeyCode::Enter => return Some(Edited::Done(text)),
        KeyCode::Backspace => {
            text.pop();
        }
        KeyCode::Char(letter) => text.push(letter),
        _ => {}
    }
    Some(Edited::Going(text))
}

#[cfg(test)]
#[path = "state_tests.rs"]
pub(super) mod tests;
