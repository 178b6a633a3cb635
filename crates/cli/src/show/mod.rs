//! A request as text for a terminal: all of it, and nothing that only looks like it.

mod approval;
mod colour;
mod diagnostic;
mod outcome;
mod provenance;
mod question;
mod text;
mod time;
mod wrap;

pub(crate) use approval::{approval, diff, risk_cell, risk_word, who, widenings};
pub(crate) use colour::{ColourArgument, choose_colour, is_coloured, painted};
pub(crate) use diagnostic::diagnostic;
pub(crate) use handraise_client::capitalized;
pub(crate) use outcome::{ended, outcome};
pub(crate) use provenance::{contradictions, provenance_summary};
#[cfg(test)]
pub(crate) use question::sample as sample_question;
pub(crate) use question::{question, question_sender};
pub(crate) use text::{Line, MARGIN, Tone};
pub(crate) use time::{age, left};
pub(crate) use wrap::{columns, wrap};
