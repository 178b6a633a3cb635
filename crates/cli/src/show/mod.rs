//! A request as text for a terminal: all of it, and nothing that only looks like it.

mod approval;
mod diagnostic;
mod question;
mod text;
mod time;

pub(crate) use approval::{approval, risk_word, who};
pub(crate) use diagnostic::diagnostic;
pub(crate) use question::{asker, question};
pub(crate) use text::{Line, Tone, capitalized};
pub(crate) use time::{age, left};
