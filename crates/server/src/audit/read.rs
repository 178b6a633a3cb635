//! Looking things up: history, what was open, what was granted.

use handraise_gate::{Grant, RequestId, SessionKey};
use handraise_protocol::ApprovalResult;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::{Audit, AuditError};
use crate::intake::Submission;

/// A request as it was stored.
#[derive(Debug)]
pub(crate) struct StoredRequest {
    pub(crate) id: RequestId,
    pub(crate) submission: Submission,
    pub(crate) result: ApprovalResult,
}

/// A request that was open when the program last stopped.
pub(crate) type OpenRequest = StoredRequest;

/// What to look for; `None` leaves it open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    pub(crate) status: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) text: Option<String>,
    /// Only requests older than this one.
    pub(crate) before: Option<String>,
    pub(crate) limit: u32,
}

const COLUMNS: &str = "SELECT id, submission, result FROM request";

impl Audit {
    /// Requests that were open, oldest first.
    pub(crate) fn open_requests(&self) -> Result<Vec<OpenRequest>, AuditError> {
        let mut statement = self.connection.prepare(&format!("{COLUMNS} WHERE status = 'pending' ORDER BY id"))?;
        let rows = statement.query_map([], raw)?;
        rows.map(|row| stored(row?)).collect()
    }

    /// One request, however long ago.
    pub(crate) fn request(&self, id: RequestId) -> Result<Option<StoredRequest>, AuditError> {
        let row = self.connection.query_row(&format!("{COLUMNS} WHERE id = ?1"), [id.to_string()], raw).optional()?;
        row.map(stored).transpose()
    }

    /// Requests that fit `search`, the latest first.
    pub(crate) fn search(&self, search: &Search) -> Result<Vec<StoredRequest>, AuditError> {
        let mut statement = self.connection.prepare(&format!(
            "{COLUMNS}
             WHERE (?1 IS NULL OR status = ?1) AND (?2 IS NULL OR session = ?2) AND (?3 IS NULL OR agent = ?3)
               AND (?4 IS NULL OR instr(lower(tool), lower(?4)) OR instr(lower(title), lower(?4))
                    OR instr(lower(arguments), lower(?4)))
               AND (?5 IS NULL OR id < ?5)
             ORDER BY id DESC LIMIT ?6"
        ))?;
        let rows = statement.query_map(
            params![search.status, search.session, search.agent, search.text, search.before, search.limit],
            raw,
        )?;
        rows.map(|row| stored(row?)).collect()
    }

    /// Whether `grant` was made by a decision in this log, exactly as it is, and never revoked.
    pub(crate) fn backs(&self, grant: &Grant) -> Result<bool, AuditError> {
        let known: Option<String> = self
            .connection
            .query_row("SELECT grant_json FROM live_grant WHERE id = ?1", [grant.id.to_string()], |row| row.get(0))
            .optional()?;
        let Some(known) = known else { return Ok(false) };
        Ok(serde_json::from_str::<Grant>(&known)? == *grant)
    }

    /// SHA-256 of the policy that was confirmed last.
    pub(crate) fn confirmed_policy(&self) -> Result<Option<String>, AuditError> {
        let entry: Option<String> = self
            .connection
            .query_row(
                "SELECT entry FROM log WHERE substr(entry, 1, 26) = '{\"kind\":\"policy_confirmed\"'
                 ORDER BY seq DESC LIMIT 1",
                [],
                |row| row.get(0),
            )
            .optional()?;
        let Some(entry) = entry else { return Ok(None) };
        let entry: serde_json::Value = serde_json::from_str(&entry)?;
        Ok(entry.get("sha256").and_then(serde_json::Value::as_str).map(str::to_owned))
    }

    /// When the latest call of a session was.
    pub(crate) fn last_call(&self, session: &SessionKey) -> Result<Option<Timestamp>, AuditError> {
        let at: Option<String> = self
            .connection
            .query_row(
                "SELECT requested_at FROM request
                 WHERE requester = ?1 AND session = ?2 AND agent IS ?3 ORDER BY id DESC LIMIT 1",
                params![session.requester, session.id, session.agent],
                |row| row.get(0),
            )
            .optional()?;
        Ok(at.and_then(|at| at.parse().ok()))
    }
}

type Raw = (String, String, String);

fn raw(row: &rusqlite::Row<'_>) -> rusqlite::Result<Raw> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

fn stored((_, submission, result): Raw) -> Result<StoredRequest, AuditError> {
    let result: ApprovalResult = serde_json::from_str(&result)?;
    Ok(StoredRequest { id: result.id, submission: serde_json::from_str(&submission)?, result })
}
