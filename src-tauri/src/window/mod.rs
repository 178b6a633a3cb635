//! The two windows. None exists until it is needed, and a closed one is gone: a hidden one would
//! cost memory and take the keyboard when it is shown again.

pub(crate) mod open;
pub(crate) mod spec;
