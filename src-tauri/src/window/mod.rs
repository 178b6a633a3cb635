//! The two windows. None exists until it is needed. A closed settings window is gone; the prompt window can wait unseen, so
//! that it comes up at once (`controller/prompt.rs`).

pub(crate) mod open;
pub(crate) mod size;
pub(crate) mod sizes;
pub(crate) mod spec;
