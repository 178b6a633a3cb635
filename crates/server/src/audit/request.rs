//! One row for each request, made from the log for searching and restarting.

use handraise_gate::Entry;
use handraise_protocol::{ApprovalResult, Status};
use rusqlite::{Transaction, params};
use serde_json::Value;

use super::{AuditError, New};

/// Adds the row of a request that has just come in and stands as `result`.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    new: New<'_>,
    result: &ApprovalResult,
    entry: &Entry,
) -> Result<(), AuditError> {
    let New { id, asked, stored, kept: _ } = new;
    let mut statement = transaction.prepare_cached(
        "INSERT INTO request (id, status, requester, agent, session, tool, title, arguments, submission,
                              result, requested_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    statement.execute(params![
        id.to_string(),
        name(result.status)?.as_str(),
        asked.requester,
        asked.agent_name(),
        asked.session.as_ref().map(|session| session.id.as_str()),
        asked.tool,
        stored.title,
        stored.arguments,
        stored.submission,
        serde_json::to_string(result)?,
        entry.life.asked_at.to_string(),
        entry.life.expires_at.to_string(),
    ])?;
    Ok(())
}

/// Says in the row of a request how it ended: `result`, without its secrets.
pub(super) fn end(
    transaction: &Transaction<'_>,
    result: &ApprovalResult,
    approver: Option<&str>,
) -> Result<(), AuditError> {
    let mut statement =
        transaction.prepare_cached("UPDATE request SET status = ?2, result = ?3, approver = ?4 WHERE id = ?1")?;
    let status = name(result.status)?;
    statement.execute(params![result.id.to_string(), status.as_str(), serde_json::to_string(result)?, approver])?;
    Ok(())
}

/// Says in the row of an open request until when it can be answered.
pub(super) fn due(transaction: &Transaction<'_>, result: &ApprovalResult) -> Result<(), AuditError> {
    let mut statement = transaction.prepare_cached("UPDATE request SET result = ?2, expires_at = ?3 WHERE id = ?1")?;
    statement.execute(params![result.id.to_string(), serde_json::to_string(result)?, result.expires_at.to_string()])?;
    Ok(())
}

/// A status as it is called in the API.
fn name(status: Status) -> Result<Value, AuditError> {
    Ok(serde_json::to_value(status)?)
}
