//! Notifications: which ones there should be is a pure function; a list of what is shown turns the
//! difference into steps.

pub(crate) mod content;
pub(crate) mod question;
pub(crate) mod request;
pub(crate) mod shown;
pub(crate) mod wanted;
