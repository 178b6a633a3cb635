//! `policy.toml`: read, watched, changed, confirmed.
//!
//! The rules in force are always a text that was read whole. A change that was made in the app is in
//! force at once. One that was made outside of it, by an editor or by an agent, is in force only where
//! it is stricter, until a person has confirmed it: the confirmed text lies beside the audit log, and
//! its SHA-256 stands in the log, so that a change made while Handraise is not running counts the same.

mod agents;
mod edit;
mod file;
mod look;
mod store;
mod text;
mod write;

pub use agents::unknown_agents;
pub use edit::{EditError, with_imported};
pub(crate) use edit::{PolicyEdit, edited};
pub(crate) use look::{Look, Looked};
pub(crate) use store::{Opened, PolicyFiles, PolicyOnDisk, PolicyStore, STARTING_POLICY};
pub(crate) use text::{PolicyText, RefusedText, etag};
pub(crate) use write::{PolicyWrite, PolicyWriteError, PolicyWritten};
