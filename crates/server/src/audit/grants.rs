//! Grants between two runs: the chain of the log is the truth about them. They are stored in the form of the API.

use std::collections::HashMap;

use handraise_policy::{Grant, GrantId, TaskPin};
use handraise_protocol::Grant as Stored;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Transaction, params};
use serde_json::Value;
use uuid::Uuid;

use super::chain::{self, LINKS, Link};
use super::{Audit, AuditError, entry};

/// Why a grant has ended that the list of grants has no more.
const TAKEN_OUT: &str = "it was taken out of the list of grants";

impl Audit {
    /// Grants that were in force when this program last stopped: those that were noted as such, as far as an entry
    /// of the log says the same. What cannot be read is none.
    pub(crate) fn live_grants(&self) -> Result<Vec<Grant>, AuditError> {
        let mut statement = self.connection.prepare("SELECT grant_json FROM live_grant ORDER BY id")?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        let read = |row: rusqlite::Result<String>| serde_json::from_str::<Stored>(&row.ok()?).ok().map(Grant::from);
        let noted: Vec<Grant> = rows.filter_map(read).collect();
        if noted.is_empty() {
            return Ok(noted);
        }
        let added = self.added_grants()?;
        let backed = noted.into_iter().filter_map(|noted| {
            let added = added.get(&noted.id).filter(|added| is_same_grant(added, &noted))?;
            // Whichever end is nearer: one that a set clock has moved is in both.
            let expires_at = noted.expires_at.min(added.expires_at);
            Some(Grant { expires_at, tasks: added.tasks.clone(), ..noted })
        });
        Ok(backed.collect())
    }

    /// Every grant that the log tells of and tells no end of, with its time as the clock was set since.
    fn added_grants(&self) -> Result<HashMap<GrantId, Grant>, AuditError> {
        let query =
            format!("{LINKS} WHERE substr(entry, 1, 14) IN ('{{\"kind\":\"grant', '{{\"kind\":\"clock') ORDER BY seq");
        let mut statement = self.connection.prepare(&query)?;
        let links = statement.query_map([], Link::of)?;
        let mut added: HashMap<GrantId, Grant> = HashMap::new();
        for entry in links.filter_map(|link| link.ok().filter(Link::is_itself)?.value()) {
            let grant = entry.get("grant").cloned().unwrap_or_default();
            match entry.get("kind").and_then(Value::as_str) {
                Some("grant_added") => {
                    let grant: Option<Stored> = serde_json::from_value(grant).ok();
                    added.extend(grant.map(Grant::from).map(|grant| (grant.id, grant)));
                }
                Some("grant_revoked") => {
                    let id: Option<Uuid> = serde_json::from_value(grant).ok();
                    id.and_then(|id| added.remove(&GrantId(id)));
                }
                _ => {}
            }
            let moved =
                entry.get("seconds").and_then(Value::as_i64).map_or(SignedDuration::ZERO, SignedDuration::from_secs);
            for grant in added.values_mut() {
                grant.expires_at = grant.expires_at.and_then(|end| end.checked_add(moved).ok());
            }
        }
        Ok(added)
    }

    /// A person has taken these out of the list of grants.
    pub(crate) fn taken_out(&mut self, grants: &[Grant], now: Timestamp) -> Result<(), AuditError> {
        if grants.is_empty() {
            return Ok(());
        }
        let transaction = self.transaction(true)?;
        let mut head = None;
        for grant in grants {
            head = Some(chain::append(&transaction, now, &entry::grant_revoked(grant.id, TAKEN_OUT))?);
            forget(&transaction, grant.id)?;
        }
        transaction.commit()?;
        self.ends_with(head);
        Ok(())
    }
}

/// Whether both are the same grant, whatever its end. Its title and the texts of its tasks are without what counted as
/// a secret when they were written.
pub(crate) fn is_same_grant(one: &Grant, other: &Grant) -> bool {
    let without_texts = |grant: &Grant| {
        let tasks = grant.tasks.iter().map(|pin| TaskPin { text: String::new(), ..pin.clone() }).collect();
        Grant { title: String::new(), expires_at: None, tasks, ..grant.clone() }
    };
    one.expires_at.is_some() == other.expires_at.is_some() && without_texts(one) == without_texts(other)
}

/// Notes that a grant is in force.
pub(super) fn keep(transaction: &Transaction<'_>, redacted: &Grant) -> Result<(), AuditError> {
    let mut statement =
        transaction.prepare_cached("INSERT OR REPLACE INTO live_grant (id, grant_json) VALUES (?1, ?2)")?;
    statement.execute(params![redacted.id.to_string(), serde_json::to_string(&Stored::from(redacted.clone()))?])?;
    Ok(())
}

/// Notes that a grant is in force no more.
pub(super) fn forget(transaction: &Transaction<'_>, id: GrantId) -> Result<(), AuditError> {
    let mut statement = transaction.prepare_cached("DELETE FROM live_grant WHERE id = ?1")?;
    statement.execute(params![id.to_string()])?;
    Ok(())
}
