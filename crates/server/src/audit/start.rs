//! What the chain begins with, once old entries are gone.

use rusqlite::{Connection, OptionalExtension};
use serde_json::Value;

use super::AuditError;

/// The hash before the first entry.
pub(super) const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What the chain begins with: number and hash of the entry before the oldest one.
pub(super) type Start = (i64, String);

/// What the chain begins with. A log of an earlier version has lost nothing.
pub(super) fn start(connection: &Connection) -> Result<Start, AuditError> {
    let is_known: bool = connection.query_row(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'log_start'",
        [],
        |row| row.get(0),
    )?;
    let none = || (0, START.to_owned());
    if !is_known {
        return Ok(none());
    }
    let start = connection.query_row("SELECT seq, hash FROM log_start", [], |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(start.optional()?.unwrap_or_else(none))
}

/// The entry says that the chain begins with this.
pub(super) fn tells_of(entry: &str) -> Option<Start> {
    let entry: Value = serde_json::from_str(entry).ok()?;
    (entry.get("kind")? == "log_pruned").then_some(())?;
    Some((entry.get("through")?.as_i64()?, entry.get("hash")?.as_str()?.to_owned()))
}
