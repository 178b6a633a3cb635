//! Notifications: which ones there should be is a pure function; a list of what is shown turns the
//! difference into steps.

pub(crate) mod plan;
mod question;
pub(crate) mod shown;
