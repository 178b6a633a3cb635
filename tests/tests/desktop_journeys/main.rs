//! Journeys with nothing faked: the built application on a real desktop, the built hook with what
//! Claude Code really sends, real clicks.

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
#![cfg(target_os = "linux")]

mod activity;
mod agents;
mod away;
mod everywhere;
mod forgery;
mod guide;
mod hook;
mod notification;
mod prompt;
mod question;
mod read_aloud;
mod recovery;
mod scene;
mod seen;
mod settings;
mod shortcut;
mod tray;
mod unseen;
