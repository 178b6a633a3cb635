//! The log can be written again after it could not: what was stored before is brought in line with what has happened.

use handraise_gate::{Entry, Gate, QuestionEntry, Questions};
use handraise_policy::RequestId;
use handraise_protocol::{ApprovalResult, DecidedBy, Status};
use jiff::Timestamp;
use rusqlite::params;
use serde_json::json;

use super::{Audit, AuditError, chain, grants, request};
use crate::redacted::RequestRedactor;
use crate::results::RedactedResults;

pub(super) const LOST: &str = "How this ended could not be recorded.";

impl Audit {
    /// Records that `times` something could not be, what is in force now, and how what was open has ended. Fails as
    /// long as nothing can be recorded.
    pub(crate) fn resume(
        &mut self,
        gate: &Gate,
        questions: &Questions,
        redactor: &RequestRedactor,
        results: (&mut RedactedResults<Entry>, &mut RedactedResults<QuestionEntry>),
        times: u64,
        now: Timestamp,
    ) -> Result<(), AuditError> {
        self.sync.check()?;
        let (results, question_results) = results;
        let transaction = self.transaction(true)?;
        let mut head = chain::append(&transaction, now, &json!({ "kind": "recording_resumed", "unrecorded": times }))?;
        transaction.execute("DELETE FROM live_grant", [])?;
        for grant in gate.grants() {
            grants::keep(&transaction, &redactor.grant(grant))?;
        }
        let open: Vec<(String, String)> = {
            let mut statement = transaction.prepare("SELECT id, result FROM request WHERE status = 'pending'")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<_, _>>()?
        };
        for (id, stored) in open {
            let entry = id.parse().ok().and_then(|id| gate.entry(RequestId(id)));
            let ended = match entry {
                Some(entry) if entry.life.outcome.is_none() => continue,
                Some(entry) => Some(ApprovalResult::clone(&results.of(entry, redactor))),
                None => serde_json::from_str(&stored).ok().map(|stored| cancelled(stored, LOST, now)),
            };
            let Some(ended) = ended else { continue };
            let decided = json!({
                "kind": "decided",
                "id": ended.id,
                "status": ended.status,
                "decided_by": ended.decided_by,
                "reason": ended.reason,
                "late": true,
            });
            head = chain::append(&transaction, now, &decided)?;
            request::end(&transaction, &ended, None)?;
        }
        let head = Self::resume_questions(&transaction, questions, redactor, question_results, now)?.unwrap_or(head);
        transaction.commit()?;
        self.ends_with(Some(head));
        Ok(())
    }

    /// Ends open requests of an earlier run that cannot be read: another version has written them, or they are
    /// damaged.
    pub(crate) fn end_unreadable(&mut self, ids: &[String], now: Timestamp) -> Result<(), AuditError> {
        const UNREADABLE: &str = "What was stored of this request cannot be read.";
        if ids.is_empty() {
            return Ok(());
        }
        let transaction = self.transaction(true)?;
        let mut head = None;
        for id in ids {
            let entry = json!({
                "kind": "decided",
                "id": id,
                "status": Status::Cancelled,
                "decided_by": DecidedBy::Requester,
                "reason": UNREADABLE,
            });
            head = Some(chain::append(&transaction, now, &entry)?);
            let stored: String =
                transaction
                    .query_row("SELECT CAST(result AS TEXT) FROM request WHERE id = ?1", [id], |row| row.get(0))?;
            match serde_json::from_str(&stored) {
                Ok(stored) => request::end(&transaction, &cancelled(stored, UNREADABLE, now), None)?,
                Err(_) => {
                    transaction.execute("UPDATE request SET status = 'cancelled' WHERE id = ?1", params![id])?;
                }
            }
        }
        transaction.commit()?;
        self.ends_with(head);
        Ok(())
    }
}

fn cancelled(stored: ApprovalResult, why: &str, now: Timestamp) -> ApprovalResult {
    ApprovalResult {
        status: Status::Cancelled,
        decided_by: Some(DecidedBy::Requester),
        reason: Some(why.to_owned()),
        decided_at: Some(now),
        arguments: None,
        ..stored
    }
}
