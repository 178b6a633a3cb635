//! What Handraise asks or tells programs outside, which a person has named: never on the engine's thread, and bounded in
//! time and size.

mod authzen;
mod client;

pub(crate) use authzen::question;
pub(crate) use authzen::read_answer;
pub(crate) use client::{OutsideClient, OutsideError, Post};
