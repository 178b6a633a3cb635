//! The API as its clients see it: a real server, real connections, SQLite on disk.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod approvals;
mod batches;
#[cfg(unix)]
mod checkout;
mod claims;
#[cfg(unix)]
mod consequences;
#[cfg(unix)]
mod credentials;
mod decision_point;
mod edited_rules;
mod export;
mod faults;
mod hooks;
mod on_disk;
mod own_rules;
#[cfg(target_os = "linux")]
mod policy;
#[cfg(unix)]
mod project_code;
#[cfg(unix)]
mod project_files;
mod protection;
mod provenance;
mod questions;
#[cfg(target_os = "linux")]
mod read_only_disk;
mod scripts;
mod secrets;
#[cfg(target_os = "linux")]
mod stuck;
mod support;
mod tasks;
mod telemetry;
#[cfg(unix)]
mod temporary_files;
#[cfg(unix)]
mod undo;
