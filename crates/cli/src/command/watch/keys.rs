//! What a key does.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use handraise_protocol::{AnswerRequest, Approval, Decision, Question, RiskLevel, Scope};

use super::state::{Dialog, State, Typing, Wish};
use crate::command::answer::{Approving, CONFIRMATION, chosen, decision};
use crate::command::waiting::Waiting;

/// Lines that a page key moves the detail by.
const PAGE: u16 = 10;

impl State {
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
            Dialog::RequestEnded => {
                if key.code != KeyCode::Esc {
                    self.dialog = Dialog::RequestEnded;
                }
                None
            }
            Dialog::Typing(what, text) => {
                self.notice.clear();
                let (text, wish) = match edit(text, key.code)? {
                    Edited::Going(text) => (text, None),
                    Edited::Done(text) => {
                        let wish = self.typed(what, &text);
                        (text, wish)
                    }
                };
                if wish.is_none() {
                    self.dialog = Dialog::Typing(what, text);
                }
                wish
            }
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
            KeyCode::Char(letter) if self.is_armed(now) => {
                let answer = match self.selection()? {
                    Waiting::Approval(approval) => decide(approval, letter),
                    Waiting::Question(question) => answer(question, letter),
                };
                return self.take(answer);
            }
            // Above all Enter: it is what a person types elsewhere.
            _ => {}
        }
        None
    }

    fn take(&mut self, pressed: Pressed) -> Option<Wish> {
        match pressed {
            Pressed::Nothing => {}
            Pressed::Notice(words) => self.notice = words,
            Pressed::Type(what, text) => {
                self.notice.clear();
                self.dialog = Dialog::Typing(what, text);
            }
            Pressed::Wish(wish) => return Some(wish),
        }
        None
    }

    /// What a line that was typed to its end asks for; `None`: it goes on.
    fn typed(&mut self, what: Typing, text: &str) -> Option<Wish> {
        let is_empty = text.trim().is_empty();
        match (self.selection()?, what) {
            (Waiting::Approval(approval), Typing::Reason) if !is_empty => Some(denied(approval, Some(text.to_owned()))),
            (Waiting::Approval(approval), Typing::Confirmation(approving)) if text == CONFIRMATION => {
                Some(approved(approval, approving))
            }
            (Waiting::Question(question), Typing::Reason) if !is_empty => {
                Some(declined(question, Some(text.to_owned())))
            }
            (Waiting::Question(question), Typing::Words) if !is_empty => {
                let answer = AnswerRequest { custom: Some(text.to_owned()), ..AnswerRequest::default() };
                Some(Wish::Answer(question.id, answer))
            }
            (Waiting::Question(question), Typing::Choices) if !is_empty => match chosen(question, text) {
                Ok(answer) => Some(Wish::Answer(question.id, answer)),
                Err(_) => {
                    self.notice = match question.multiple {
                        true => "Type the numbers of choices that are shown, as 1,3.".to_owned(),
                        false => "Type the number of one of the choices that are shown.".to_owned(),
                    };
                    None
                }
            },
            _ => None,
        }
    }
}

/// What a key comes to.
enum Pressed {
    Nothing,
    Notice(String),
    Type(Typing, String),
    Wish(Wish),
}

/// A key at a request.
fn decide(approval: &Approval, letter: char) -> Pressed {
    match (letter, Approving::by_key(letter, approval)) {
        (_, Some(Err(why))) => Pressed::Notice(why.to_owned()),
        (_, Some(Ok(approving))) if approval.risk.level == RiskLevel::Destructive => {
            Pressed::Type(Typing::Confirmation(approving), String::new())
        }
        (_, Some(Ok(approving))) => Pressed::Wish(approved(approval, approving)),
        ('d', None) => Pressed::Wish(denied(approval, None)),
        ('r', None) => Pressed::Type(Typing::Reason, String::new()),
        (_, None) => Pressed::Nothing,
    }
}

fn approved(approval: &Approval, approving: Approving) -> Wish {
    Wish::Decide(approval.id, approving.decision(approval))
}

fn denied(approval: &Approval, reason: Option<String>) -> Wish {
    Wish::Decide(approval.id, decision(approval, Decision::Deny, Scope::Once, reason))
}

/// A key at a question. A number begins a line, as there may be more choices than digits, and several may
/// be meant.
fn answer(question: &Question, letter: char) -> Pressed {
    match letter {
        '1'..='9' if !question.choices.is_empty() => Pressed::Type(Typing::Choices, letter.to_string()),
        't' if question.custom => Pressed::Type(Typing::Words, String::new()),
        'd' => Pressed::Wish(declined(question, None)),
        'r' => Pressed::Type(Typing::Reason, String::new()),
        't' | 'a' | 's' | '0'..='9' => Pressed::Notice("This is a question; its keys are below.".to_owned()),
        _ => Pressed::Nothing,
    }
}

fn declined(question: &Question, reason: Option<String>) -> Wish {
    Wish::Answer(question.id, AnswerRequest { decline: true, reason, ..AnswerRequest::default() })
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
