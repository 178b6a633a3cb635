//! The hash chain: each entry's hash covers the hash before it, so that a changed or missing entry
//! shows. Whoever can write the whole file can write it anew; the chain makes that all or nothing.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Audit, AuditError};

/// The hash before the first entry.
const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Whether the log is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    /// Every entry fits the one before it; this many there are.
    Whole(u64),
    /// The entry with this number does not fit.
    BrokenAt(i64),
}

/// Adds an entry.
pub(super) fn append(transaction: &Transaction<'_>, now: Timestamp, entry: &Value) -> Result<(), AuditError> {
    let last: Option<(i64, String)> = transaction
        .prepare_cached("SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (seq, previous) = last.map_or((1, START.to_owned()), |(seq, hash)| (seq + 1, hash));
    let at = now.to_string();
    let entry = serde_json::to_string(entry)?;
    let hash = hash(seq, &at, &entry, &previous);
    transaction
        .prepare_cached("INSERT INTO log (seq, at, entry, previous_hash, hash) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![seq, at, entry, previous, hash])?;
    Ok(())
}

impl Audit {
    /// Checks every entry of the log.
    pub(crate) fn verify(&self) -> Result<Verification, AuditError> {
        let mut statement =
            self.connection.prepare("SELECT seq, at, entry, previous_hash, hash FROM log ORDER BY seq")?;
        let mut rows = statement.query([])?;
        let mut expected = START.to_owned();
        let mut count = 0_u64;
        while let Some(row) = rows.next()? {
            let (seq, at, entry): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let (previous, own): (String, String) = (row.get(3)?, row.get(4)?);
            count += 1;
            let in_place = u64::try_from(seq).is_ok_and(|seq| seq == count);
            if !in_place || previous != expected || own != hash(seq, &at, &entry, &previous) {
                return Ok(Verification::BrokenAt(seq));
            }
            expected = own;
        }
        Ok(Verification::Whole(count))
    }
}

/// SHA-256 over the parts, each with its length before it so that no two entries read the same.
fn hash(seq: i64, at: &str, entry: &str, previous: &str) -> String {
    let mut digest = Sha256::new();
    for part in [seq.to_string().as_str(), at, entry, previous] {
        digest.update(part.len().to_string());
        digest.update(b":");
        digest.update(part);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
