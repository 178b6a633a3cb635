//! Questions in the audit log.

use handraise_gate::{QuestionEffect, QuestionEntry, QuestionId, QuestionRecord, Questions};
use handraise_protocol::{QuestionChoice, QuestionResult, QuestionStatus, SessionKey};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::{Value, json};

use super::resume::LOST;
use super::{Audit, AuditError, Head, chain};
use crate::redacted::RequestRedactor;
use crate::results::RedactedResults;
use crate::view;

const STOPPED: &str = "Handraise was stopped while this question was open.";
const UNREADABLE: &str = "What was stored of this question cannot be read.";

impl Audit {
    /// Writes the records among `effects`, all of them durably or none. `new` is one that has just come in, without its
    /// secrets.
    pub(crate) fn write_questions(
        &mut self,
        effects: &[QuestionEffect],
        questions: &Questions,
        new: Option<&QuestionEntry>,
        redactor: &RequestRedactor,
        results: &mut RedactedResults<QuestionEntry>,
        now: Timestamp,
    ) -> Result<(), AuditError> {
        let mut records = effects.iter().filter_map(|effect| match effect {
            QuestionEffect::Record(record) => Some(record),
            _ => None,
        });
        let Some(first) = records.next() else { return Ok(()) };
        let transaction = self.transaction(true)?;
        let mut head = None;
        for record in std::iter::once(first).chain(records) {
            match record {
                QuestionRecord::Asked(id) => {
                    let Some(new) = new.filter(|new| new.question.id == *id) else { continue };
                    head = Some(chain::append(&transaction, now, &asked(new))?);
                    store_new(&transaction, new)?;
                }
                QuestionRecord::Ended(id, _, approver) => {
                    let Some(entry) = questions.entry(*id) else { continue };
                    let result = results.of(entry, redactor);
                    head = Some(chain::append(&transaction, now, &end(&result, approver.as_deref()))?);
                    store_end(&transaction, &result)?;
                }
                QuestionRecord::ApproverRefused(id, approver) => {
                    let refused = json!({ "kind": "approver_refused", "id": id.0, "approver": approver });
                    head = Some(chain::append(&transaction, now, &refused)?);
                }
            }
        }
        transaction.commit()?;
        self.ends_with(head);
        Ok(())
    }

    /// Brings what is stored of questions in line with how they have ended while nothing could be recorded.
    pub(super) fn resume_questions(
        transaction: &Transaction<'_>,
        questions: &Questions,
        redactor: &RequestRedactor,
        results: &mut RedactedResults<QuestionEntry>,
        now: Timestamp,
    ) -> Result<Option<Head>, AuditError> {
        let mut head = None;
        for (id, stored) in open(transaction)? {
            let ended = match id.parse().ok().and_then(|id| questions.entry(QuestionId(id))) {
                Some(entry) if entry.life.is_open() => continue,
                Some(entry) => Some(QuestionResult::clone(&results.of(entry, redactor))),
                None => serde_json::from_str(&stored).ok().map(|stored| cancelled(stored, LOST, now)),
            };
            let Some(ended) = ended else { continue };
            head = Some(chain::append(transaction, now, &end(&ended, None))?);
            store_end(transaction, &ended)?;
        }
        Ok(head)
    }

    /// Ends what was open when the program last stopped: nobody waits for it any more.
    pub(crate) fn end_open_questions(&mut self, now: Timestamp) -> Result<(), AuditError> {
        let transaction = self.transaction(true)?;
        let mut head = None;
        for (id, result) in open(&transaction)? {
            let pending: Option<QuestionResult> = serde_json::from_str(&result).ok();
            let Some(pending) = pending else {
                // Written by another version, or damaged: nothing of it is needed to end it.
                let cancelled = json!({ "kind": "question_cancelled", "id": id, "reason": UNREADABLE });
                head = Some(chain::append(&transaction, now, &cancelled)?);
                transaction.execute("UPDATE question SET status = 'cancelled' WHERE id = ?1", [&id])?;
                continue;
            };
            let ended = cancelled(pending, STOPPED, now);
            head = Some(chain::append(&transaction, now, &end(&ended, None))?);
            store_end(&transaction, &ended)?;
        }
        transaction.commit()?;
        self.ends_with(head);
        Ok(())
    }
}

/// How a question stands, however long ago it was asked; only that of `requester`, when one is given.
pub(super) fn result(
    connection: &Connection,
    id: QuestionId,
    requester: Option<&str>,
) -> Result<Option<QuestionResult>, AuditError> {
    let query = "SELECT result FROM question WHERE id = ?1 AND (?2 IS NULL OR requester = ?2)";
    let row: Option<String> =
        connection.query_row(query, params![id.to_string(), requester], |row| row.get(0)).optional()?;
    row.map(|result| Ok(serde_json::from_str(&result)?)).transpose()
}

/// Questions that are stored as open, with what is stored of how they stand.
fn open(transaction: &Transaction<'_>) -> Result<Vec<(String, String)>, AuditError> {
    let mut statement = transaction.prepare("SELECT id, result FROM question WHERE status = 'pending'")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn cancelled(pending: QuestionResult, why: &str, now: Timestamp) -> QuestionResult {
    let (status, reason) = (QuestionStatus::Cancelled, Some(why.to_owned()));
    QuestionResult { status, reason, answered_at: Some(now), ..pending }
}

fn store_new(transaction: &Transaction<'_>, redacted: &QuestionEntry) -> Result<(), AuditError> {
    let (question, result) = (&redacted.question, serde_json::to_string(&view::question_result(redacted))?);
    transaction.execute(
        "INSERT INTO question (id, status, requester, result) VALUES (?1, 'pending', ?2, ?3)",
        params![question.id.to_string(), question.requester, result],
    )?;
    Ok(())
}

fn asked(redacted: &QuestionEntry) -> Value {
    let question = &redacted.question;
    json!({
        "kind": "question_asked",
        "id": question.id.0,
        "requester": question.requester,
        "agent": question.agent.as_ref().map(|agent| &agent.name),
        "session": question.session.clone().map(SessionKey::from),
        "header": question.header,
        "question": question.text,
        "choices": question.choices.iter().cloned().map(QuestionChoice::from).collect::<Vec<_>>(),
        "multiple": question.multiple,
        "custom": question.custom,
        "cwd": question.cwd,
    })
}

fn end(result: &QuestionResult, approver: Option<&str>) -> Value {
    let kind = match result.status {
        QuestionStatus::Answered => "question_answered",
        QuestionStatus::Declined => "question_declined",
        QuestionStatus::Timeout => "question_timeout",
        QuestionStatus::Cancelled | QuestionStatus::Pending => "question_cancelled",
    };
    json!({
        "kind": kind,
        "id": result.id,
        "selected": result.selected,
        "custom": result.custom,
        "reason": result.reason,
        "approver": approver,
    })
}

fn store_end(transaction: &Transaction<'_>, result: &QuestionResult) -> Result<(), AuditError> {
    let status = serde_json::to_value(result.status)?;
    transaction.execute(
        "UPDATE question SET status = ?2, result = ?3 WHERE id = ?1",
        params![result.id.to_string(), status.as_str(), serde_json::to_string(result)?],
    )?;
    Ok(())
}
