//! Looking things up: history, and what was open.

use handraise_policy::{RequestId, SessionKey, WallsDenial};
use handraise_protocol::ApprovalResult;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::{Audit, AuditError, chain, denials};
use crate::intake::Submission;

/// A request as it was stored.
#[derive(Debug)]
pub(crate) struct StoredRequest {
    pub(crate) id: RequestId,
    pub(crate) submission: Submission,
    pub(crate) result: ApprovalResult,
    /// What its walls have denied it, where it ran inside some.
    pub(crate) denied_by_walls: Vec<WallsDenial>,
    /// Nothing of it was left out: another version may have stored fields that this one does not know.
    pub(crate) is_understood: bool,
}

/// What was open when the program last stopped.
#[derive(Debug, Default)]
pub(crate) struct WasOpen {
    /// What can be read, oldest first.
    pub(crate) requests: Vec<StoredRequest>,
    /// Ids of what cannot.
    pub(crate) unreadable: Vec<String>,
}

pub(super) const COLUMNS: &str = "SELECT id, submission, result, walls_denied FROM request";

impl Audit {
    /// Requests that were open. One with a field that this version does not know is not understood: it may have
    /// said that less is allowed.
    pub(crate) fn open_requests(&self) -> Result<WasOpen, AuditError> {
        let mut statement = self.connection.prepare(&format!("{COLUMNS} WHERE status = 'pending' ORDER BY id"))?;
        let rows = statement.query_map([], raw)?;
        let mut open = WasOpen::default();
        for row in rows {
            let row = row?;
            let id = row.0.clone();
            match stored(row).ok().flatten().filter(|stored| stored.is_understood) {
                Some(stored) => open.requests.push(stored),
                None => open.unreadable.push(id),
            }
        }
        Ok(open)
    }

    /// The latest time that this program has seen, as far as is known.
    pub(crate) fn last_seen(&self) -> Result<Option<Timestamp>, AuditError> {
        let written = chain::head(&self.connection)?.and_then(|head| head.at.parse().ok());
        Ok(written.max(self.sync.noted_at()))
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

/// The first id that a request can have that comes at `time` (RFC 9562, 5.7: an id begins with its milliseconds).
pub(super) fn first_id(time: Timestamp) -> String {
    let milliseconds = time.as_millisecond().max(0);
    format!("{:08x}-{:04x}", milliseconds >> 16, milliseconds & 0xffff)
}

pub(super) type Raw = (String, String, String, String);

pub(super) fn raw(row: &rusqlite::Row<'_>) -> rusqlite::Result<Raw> {
    Ok((text(row, 0)?, text(row, 1)?, text(row, 2)?, text(row, 3)?))
}

/// A text, of which damage may have made anything.
fn text(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(match row.get_ref(column)? {
        rusqlite::types::ValueRef::Text(bytes) | rusqlite::types::ValueRef::Blob(bytes) => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        _ => String::new(),
    })
}

/// A row as it was stored; `None`: what was asked cannot be read any more.
pub(super) fn stored((_, submission, result, denied): Raw) -> Result<Option<StoredRequest>, AuditError> {
    let result: ApprovalResult = serde_json::from_str(&result)?;
    let mut value: serde_json::Value = serde_json::from_str(&submission)?;
    let is_understood = match value.get_mut("request") {
        Some(serde_json::Value::Object(request)) => handraise_protocol::drop_unknown_fields(request) == 0,
        _ => false,
    };
    let submission = serde_json::from_value(value).ok();
    Ok(submission.map(|submission| StoredRequest {
        id: result.id.into(),
        submission,
        result,
        denied_by_walls: denials::read(&denied),
        is_understood,
    }))
}
