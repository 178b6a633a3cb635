//! The audit log: every evaluation and decision, append-only and hash-chained, in SQLite.

mod activity;
mod anchor;
mod chain;
mod denials;
mod entry;
mod export;
mod grants;
mod open;
mod prune;
mod question;
mod read;
mod reader;
mod report;
mod request;
mod resume;
mod schema;
mod start;
mod sync;

use std::path::PathBuf;

use handraise_gate::{DecidedBy, Effect, Entry, Gate, Record};
use handraise_policy::{Request, RequestId};
use jiff::Timestamp;
use rusqlite::{Connection, Transaction};

pub use anchor::Anchor;
pub use chain::{Head, Verification};
pub use export::{ExportError, ExportFormat, export_audit_log};
pub(crate) use grants::is_same_grant;
pub(crate) use open::SetAside;
pub(crate) use read::StoredRequest;
pub(crate) use reader::{AuditReader, Search};
pub use report::{AuditFinding, AuditReport, check_audit_log};

use crate::keeping::KeepResult;
use crate::redacted::{RequestRedactor, StoredForm};
use crate::results::RedactedResults;
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
    /// It cannot be read beside the engine.
    #[error("the audit log cannot be read now: {0}")]
    Reading(std::io::Error),
    /// There is none.
    #[error("{}: there is no audit log", .0.display())]
    Missing(PathBuf),
    /// A damaged log could not be set aside.
    #[error("{}: {error}", path.display())]
    SetAside {
        /// The database.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}

/// A request that has just come in, without its secrets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct New<'a> {
    /// Which one.
    pub(crate) id: RequestId,
    /// What is asked.
    pub(crate) asked: &'a Request,
    /// As it is stored.
    pub(crate) stored: &'a StoredForm,
    /// What was kept of what it changes.
    pub(crate) kept: Option<&'a KeepResult>,
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
    /// Writes the records among `effects`, all of them or none, and durably: a crash of this program loses
    /// none. Of the machine neither, with one exception: what the policy or a grant answers by itself is
    /// handed to the system before the answer leaves, and is on the disk a moment later. The agent that
    /// the answer goes to would be gone with the machine.
    pub(crate) fn write(
        &mut self,
        effects: &[Effect],
        gate: &Gate,
        new: Option<New<'_>>,
        redactor: &RequestRedactor,
        results: &mut RedactedResults<Entry>,
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
        let head = write_all(&transaction, &records, gate, new, redactor, results, now)?;
        transaction.commit()?;
        self.ends_with(head);
        if is_automatic {
            self.sync.later();
        }
        Ok(())
    }

    fn ends_with(&self, head: Option<Head>) {
        if let Some(head) = head {
            self.sync.ends_with(head);
        }
    }

    /// Notes the end of the log outside of it, now.
    pub(crate) fn seal(&self, now: Timestamp) -> Result<(), AuditError> {
        self.sync.seal(now)
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
        let head = chain::append(&transaction, now, entry)?;
        transaction.commit()?;
        self.ends_with(Some(head));
        Ok(())
    }
}

/// Part of a request that no person has anything to do with.
fn answers_itself(record: &Record, gate: &Gate) -> bool {
    let (Record::Requested(id) | Record::Decided(id, ..)) = record else { return false };
    let outcome = gate.entry(*id).and_then(|entry| entry.life.outcome.as_ref());
    outcome.is_some_and(|outcome| matches!(outcome.decided_by, DecidedBy::Policy | DecidedBy::Grant))
}

fn write_all(
    transaction: &Transaction<'_>,
    records: &[&Record],
    gate: &Gate,
    new: Option<New<'_>>,
    redactor: &RequestRedactor,
    results: &mut RedactedResults<Entry>,
    now: Timestamp,
) -> Result<Option<Head>, AuditError> {
    let mut head = None;
    for record in records {
        head = Some(chain::append(transaction, now, &entry::of(record, gate, new, redactor, results))?);
    }
    for record in records {
        match record {
            Record::Requested(id) => {
                if let Some((new, entry)) = new.filter(|new| new.id == *id).zip(gate.entry(*id)) {
                    request::insert(transaction, new, &results.of(entry, redactor), entry)?;
                }
            }
            Record::Decided(id, _, approver) => {
                // Where nobody had to be asked its row was made just now, with its end.
                let is_new = approver.is_none() && records.contains(&&Record::Requested(*id));
                let Some(entry) = gate.entry(*id).filter(|_| !is_new) else { continue };
                request::end(transaction, &results.of(entry, redactor), approver.as_deref())?;
            }
            Record::WallsDenied(id, denied) => {
                denials::keep(transaction, *id, denied, &redactor.knowing_entry(gate.entry(*id)))?;
            }
            Record::GrantAdded(grant) => grants::keep(transaction, &redactor.grant(grant))?,
            // What is stored for the next start is due at other times on the wall now.
            Record::ClockMoved(_) => {
                for grant in gate.grants() {
                    grants::keep(transaction, &redactor.grant(grant))?;
                }
                for entry in gate.pending() {
                    request::due(transaction, &results.of(entry, redactor))?;
                }
            }
            Record::GrantRevoked(grant, _) => grants::forget(transaction, grant.id)?,
            _ => {}
        }
    }
    Ok(head)
}

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod disk_tests;
#[cfg(test)]
mod tests;
