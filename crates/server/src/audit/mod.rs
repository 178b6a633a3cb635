//! The audit log: every evaluation and decision, append-only and hash-chained, in SQLite.

mod chain;
mod entry;
mod question;
mod read;
mod request;
mod schema;
mod sync;

use std::path::{Path, PathBuf};

use handraise_gate::{DecidedBy, Effect, Gate, Record};
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
    /// A commit waits for the disk.
    is_synchronous: bool,
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
        Ok(Self { connection, is_synchronous: true, sync })
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
        }
        let transaction = self.transaction(!is_automatic)?;
        write_all(&transaction, &records, gate, submission, mask, now)?;
        transaction.commit()?;
        if is_automatic {
            self.sync.later();
        }
        Ok(())
    }

    /// Begins a transaction whose commit waits for the disk, if it `waits`.
    fn transaction(&mut self, waits: bool) -> Result<Transaction<'_>, AuditError> {
        if self.is_synchronous != waits {
            schema::sync_at_commit(&self.connection, waits)?;
            self.is_synchronous = waits;
        }
        Ok(self.connection.transaction()?)
    }

    /// Writes an entry of the server's own, durably.
    pub(crate) fn note(&mut self, entry: &serde_json::Value, now: Timestamp) -> Result<(), AuditError> {
        let transaction = self.transaction(true)?;
        chain::append(&transaction, now, entry)?;
        Ok(transaction.commit()?)
    }
}

/// Part of a request that no person has anything to do with.
fn answers_itself(record: &Record, gate: &Gate) -> bool {
    let (Record::Requested(id) | Record::Decided(id, ..)) = record else { return false };
    let outcome = gate.entry(*id).and_then(|entry| entry.outcome.as_ref());
    outcome.is_some_and(|outcome| matches!(outcome.decided_by, DecidedBy::Policy | DecidedBy::Grant))
}

fn write_all(
    transaction: &Transaction<'_>,
    records: &[&Record],
    gate: &Gate,
    submission: Option<&Submission>,
    mask: &Mask,
    now: Timestamp,
) -> Result<(), AuditError> {
    for record in records {
        chain::append(transaction, now, &entry::of(record, gate, mask))?;
    }
    for record in records {
        match record {
            Record::Requested(id) => {
                let Some(entry) = gate.entry(*id) else { continue };
                let masked = Masked::of(entry, mask);
                if let Some(submission) = submission {
                    let submission = mask.submission(submission, &masked.entry().request);
                    request::insert(transaction, &masked, &submission)?;
                }
            }
            Record::Decided(id, _, approver) => {
                // Where nobody had to be asked its row was made just now, with its end.
                let is_new = approver.is_none() && records.contains(&&Record::Requested(*id));
                let Some(entry) = gate.entry(*id).filter(|_| !is_new) else { continue };
                request::end(transaction, &Masked::of(entry, mask), approver.as_deref())?;
            }
            Record::GrantAdded(grant) => {
                let mut statement =
                    transaction.prepare_cached("INSERT OR REPLACE INTO live_grant (id, grant_json) VALUES (?1, ?2)")?;
                statement.execute(params![grant.id.to_string(), serde_json::to_string(&mask.grant(grant))?])?;
            }
            Record::GrantRevoked(grant, _) => {
                let mut statement = transaction.prepare_cached("DELETE FROM live_grant WHERE id = ?1")?;
                statement.execute(params![grant.id.to_string()])?;
            }
            _ => {}
        }
    }
    Ok(())
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

#[cfg(test)]
#[cfg(target_os = "linux")]
mod disk_tests;
#[cfg(test)]
mod tests;
