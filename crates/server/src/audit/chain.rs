//! The hash chain: each entry's hash covers the hash before it, so that a changed or missing entry
//! shows. Whoever can write the whole file can write it anew; the chain makes that all or nothing, and
//! the end that is noted outside of it (`anchor.rs`) makes it visible unless that is written anew too.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::AuditError;
use super::start::{self, START, Start};

/// Whether the log is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    /// Every entry fits the one before it; this many were written.
    Whole(u64),
    /// The entry with this number does not fit.
    BrokenAt(i64),
}

/// The end of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Number of the newest entry.
    pub seq: i64,
    /// Its hash.
    pub hash: String,
    /// When it was written.
    pub at: String,
}

/// One entry as it stands in the log.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) seq: i64,
    pub(super) at: String,
    pub(super) entry: String,
    pub(super) previous: String,
    pub(super) hash: String,
}

impl Link {
    /// A row of [`LINKS`].
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { seq: row.get(0)?, at: row.get(1)?, entry: row.get(2)?, previous: row.get(3)?, hash: row.get(4)? })
    }

    /// Whether it says what it said when it was written.
    pub(super) fn is_itself(&self) -> bool {
        self.hash == hash(self.seq, &self.at, &self.entry, &self.previous)
    }

    /// What it says.
    pub(super) fn value(&self) -> Option<Value> {
        serde_json::from_str(&self.entry).ok()
    }

    /// Whether it comes right after the entry with this number and hash.
    pub(super) fn follows(&self, seq: i64, hash: &str) -> bool {
        self.seq == seq + 1 && self.previous == hash
    }

    /// The beginning of the chain that this entry tells of.
    pub(super) fn tells_of_start(&self) -> Option<Start> {
        self.entry.contains("log_pruned").then(|| start::tells_of(&self.entry)).flatten()
    }

    pub(super) fn head(self) -> Head {
        Head { seq: self.seq, hash: self.hash, at: self.at }
    }
}

/// What a [`Link`] is read from.
pub(super) const LINKS: &str = "SELECT seq, at, entry, previous_hash, hash FROM log";

/// Adds an entry, and gives the new end.
pub(super) fn append(transaction: &Transaction<'_>, now: Timestamp, entry: &Value) -> Result<Head, AuditError> {
    let last: Option<(i64, String)> = transaction
        .prepare_cached("SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (seq, previous) = last.map_or((1, START.to_owned()), |(seq, hash)| (seq + 1, hash));
    let at = now.to_string();
    // It is exported as it stands here, perhaps to a terminal: what no person sees is written as an escape.
    let entry = handraise_display::escape_json(&serde_json::to_string(entry)?);
    let hash = hash(seq, &at, &entry, &previous);
    transaction
        .prepare_cached("INSERT INTO log (seq, at, entry, previous_hash, hash) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![seq, at, entry, previous, hash])?;
    Ok(Head { seq, hash, at })
}

/// The end of the log; `None`: it is empty.
pub(super) fn head(connection: &Connection) -> Result<Option<Head>, AuditError> {
    let mut statement = connection.prepare(&format!("{LINKS} ORDER BY seq DESC LIMIT 1"))?;
    Ok(statement.query_row([], Link::of).optional()?.map(Link::head))
}

/// Checks every entry of the log, and that one of them tells of those that were taken away.
pub(super) fn verify(connection: &Connection) -> Result<Verification, AuditError> {
    let start = start::start(connection)?;
    let mut statement = connection.prepare(&format!("{LINKS} ORDER BY seq"))?;
    let mut rows = statement.query([])?;
    let mut is_told = start.0 == 0;
    let (mut seq, mut hash) = start.clone();
    while let Some(row) = rows.next()? {
        let link = Link::of(row)?;
        if !link.is_itself() || !link.follows(seq, &hash) {
            return Ok(Verification::BrokenAt(link.seq));
        }
        is_told = is_told || link.tells_of_start().as_ref() == Some(&start);
        (seq, hash) = (link.seq, link.hash);
    }
    if !is_told {
        return Ok(Verification::BrokenAt(start.0 + 1));
    }
    Ok(Verification::Whole(u64::try_from(seq).unwrap_or_default()))
}

/// SHA-256 over the parts, each with its length before it so that no two entries read the same.
fn hash(seq: i64, at: &str, entry: &str, previous: &str) -> String {
    let mut digest = Sha256::new();
    for part in [seq.to_string().as_str(), at, entry, previous] {
        digest.update(part.len().to_string());
        digest.update(b":");
        digest.update(part);
    }
    hex::encode(digest.finalize())
}
