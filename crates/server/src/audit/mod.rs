//! The audit log: every evaluation and decision, append-only and hash-chained, in SQLite.

mod chain;
mod entry;
mod read;
mod schema;
mod sync;

use std::path::{Path, PathBuf};

use handraise_gate::{DecidedBy, Effect, Gate, Record, RequestId};
use jiff::Timestamp;
use rusqlite::{Connection, Transaction, params};

pub use chain::Verification;
pub(crate) use read::{OpenRequest, Search};

use crate::intake::Submission;
use crate::masking::{Mask, Masked};
use sync::LaterSync;

/// The audit log cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// SQLite.
    #[error("the audit log: {0}")]
    Database(#[from] rusqlite::Error),
    /// Its schema.
    #[error("the audit log cannot be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// An entry.
    #[error("an entry of the audit log: {0}")]
    Entry(#[from] serde_json::Error),
    /// What was written could not be brought to the disk.
    #[error("the audit log cannot be brought to the disk: {0}")]
    Sync(std::io::Error),
    /// A damaged log could not be set aside.
    #[error("{}: {error}", path.display())]
    SetAside {
        /// The database.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}

/// The open audit log. There is one writer: the engine.
#[derive(Debug)]
pub(crate) struct Audit {
    connection: Connection,
    sync: LaterSync,
}

impl Audit {
    /// Opens the log, or makes it. A damaged one is set aside; the second value then says where.
    pub(crate) fn open(path: &Path) -> Result<(Self, Option<PathBuf>), AuditError> {
        match Self::try_open(path) {
            Ok(audit) => Ok((audit, None)),
            Err(error) if is_damage(&error) => {
                let aside = path.with_extension(format!("damaged-{}.sqlite3", Timestamp::now().as_second()));
                let failed = |error| AuditError::SetAside { path: path.to_owned(), error };
                std::fs::rename(path, &aside).map_err(failed)?;
                for suffix in ["-wal", "-shm"] {
                    let mut side = path.as_os_str().to_owned();
                    side.push(suffix);
                    match std::fs::remove_file(side) {
                        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                            return Err(failed(error));
                        }
                        _ => {}
                    }
                }
                Ok((Self::try_open(path)?, Some(aside)))
            }
            Err(error) => Err(error),
        }
    }

    fn try_open(path: &Path) -> Result<Self, AuditError> {
        let mut connection = Connection::open(path)?;
        schema::prepare(&mut connection)?;
        let sync = LaterSync::start(path)?;
        Ok(Self { connection, sync })
    }

    /// Writes the records among `effects`, all of them or none, and durably: a crash of this program loses
    /// none. Of the machine neither, with one exception: what the policy or a grant answers by itself is
    /// handed to the system before the answer leaves, and is on the disk a moment later. The agent that
    /// the answer goes to would be gone with the machine.
    pub(crate) fn write(
        &mut self,
        effects: &[Effect],
        gate: &Gate,
        submission: Option<&Submission>,
        mask: &Mask,
        now: Timestamp,
    ) -> Result<(), AuditError> {
        let records: Vec<&Record> = effects
            .iter()
            .filter_map(|effect| if let Effect::Record(record) = effect { Some(record) } else { None })
            .collect();
        if records.is_empty() {
            return Ok(());
        }
        let is_automatic = records.iter().all(|record| answers_itself(record, gate));
        if is_automatic {
            self.sync.check()?;
            schema::sync_at_commit(&self.connection, false)?;
        }
        let written = write_all(&mut self.connection, &records, gate, submission, mask, now);
        if is_automatic {
            self.sync.later();
            schema::sync_at_commit(&self.connection, true)?;
        }
        written
    }
}

/// Part of a request that no person has anything to do with.
fn answers_itself(record: &Record, gate: &Gate) -> bool {
    let (Record::Requested(id) | Record::Decided(id, ..)) = record else { return false };
    let outcome = gate.entry(*id).and_then(|entry| entry.outcome.as_ref());
    outcome.is_some_and(|outcome| matches!(outcome.decided_by, DecidedBy::Policy | DecidedBy::Grant))
}

fn write_all(
    connection: &mut Connection,
    records: &[&Record],
    gate: &Gate,
    submission: Option<&Submission>,
    mask: &Mask,
    now: Timestamp,
) -> Result<(), AuditError> {
    let transaction = connection.transaction()?;
    for record in records {
        write_record(&transaction, record, gate, submission, mask, now)?;
    }
    Ok(transaction.commit()?)
}

impl Audit {
    /// Writes an entry of the server's own, durably.
    pub(crate) fn note(&mut self, entry: &serde_json::Value, now: Timestamp) -> Result<(), AuditError> {
        let transaction = self.connection.transaction()?;
        chain::append(&transaction, now, entry)?;
        Ok(transaction.commit()?)
    }
}

fn is_damage(error: &AuditError) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    let code = match error {
        AuditError::Database(error)
        | AuditError::Migration(rusqlite_migration::Error::RusqliteError { err: error, .. }) => {
            error.sqlite_error_code()
        }
        _ => None,
    };
    matches!(code, Some(DatabaseCorrupt | NotADatabase))
}

fn write_record(
    transaction: &Transaction<'_>,
    record: &Record,
    gate: &Gate,
    submission: Option<&Submission>,
    mask: &Mask,
    now: Timestamp,
) -> Result<(), AuditError> {
    let masked = |id: &RequestId| gate.entry(*id).map(|entry| Masked::of(entry, mask));
    chain::append(transaction, now, &entry::of(record, gate, mask))?;
    match record {
        Record::Requested(id) => {
            if let (Some(masked), Some(submission)) = (masked(id), submission) {
                let submission = mask.submission(submission, &masked.entry().request);
                insert_request(transaction, &masked, &submission)?;
            }
        }
        Record::Decided(id, outcome, approver) => {
            let Some(masked) = masked(id) else { return Ok(()) };
            let result = serde_json::to_string(&crate::view::result(masked.entry()))?;
            let status = serde_json::to_value(outcome.status)?;
            transaction.execute(
                "UPDATE request SET status = ?2, result = ?3, approver = ?4 WHERE id = ?1",
                params![id.to_string(), status.as_str(), result, approver],
            )?;
        }
        Record::GrantAdded(grant) => {
            transaction.execute(
                "INSERT OR REPLACE INTO live_grant (id, grant_json) VALUES (?1, ?2)",
                params![grant.id.to_string(), serde_json::to_string(&mask.grant(grant))?],
            )?;
        }
        Record::GrantRevoked(grant, _) => {
            transaction.execute("DELETE FROM live_grant WHERE id = ?1", params![grant.id.to_string()])?;
        }
        _ => {}
    }
    Ok(())
}

fn insert_request(transaction: &Transaction<'_>, masked: &Masked, submission: &Submission) -> Result<(), AuditError> {
    let entry = masked.entry();
    let request = &entry.request;
    transaction.execute(
        "INSERT INTO request (id, status, requester, agent, session, tool, title, arguments, submission,
                              result, requested_at, expires_at)
         VALUES (?1, 'pending', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            request.id.to_string(),
            request.requester,
            request.agent_name(),
            request.session.as_ref().map(|session| session.id.as_str()),
            request.tool,
            request.title(),
            serde_json::to_string(&masked.stored_arguments())?,
            serde_json::to_string(submission)?,
            serde_json::to_string(&crate::view::result(entry))?,
            entry.requested_at.to_string(),
            entry.expires_at.to_string(),
        ],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests;
