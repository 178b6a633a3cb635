//! The audit log for other programs, with what its chain proves.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use handraise_protocol::ApprovalResult;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::chain::{LINKS, Link};
use super::report::checked;
use super::{AuditError, AuditReport};
use crate::cloud_event::{CloudEvent, Extensions};
use crate::telemetry::{CallSpan, request};

/// Which entries of the log are CloudEvents of.
const SOURCE: &str = "urn:handraise:audit-log";
/// The first line of a table.
const COLUMNS: &str = "seq,at,kind,id,agent,tool,status,entry,previous_hash,hash";
/// Calls in one message of OTLP.
const SPANS: usize = 100;

/// How the log is written for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// One entry a line, as JSON, and a last line with the proof.
    Jsonl,
    /// A table (RFC 4180).
    Csv,
    /// One CloudEvent a line, as JSON, and a last one with the proof.
    CloudEvents,
    /// Calls that have ended, as spans: one message of OTLP a line, as JSON.
    Otlp,
}

/// The log cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It cannot be read.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// It cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

impl From<rusqlite::Error> for ExportError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Audit(error.into())
    }
}

/// Writes the log at `path` into `out`, without secrets, as it is stored. The proof is about exactly what was written:
/// nothing that comes meanwhile is in either. `known` is an end that a person has noted elsewhere.
///
/// # Errors
/// When there is no log, it cannot be read, or `out` cannot be written. A log that is not whole is no error: the report says
/// so, and what can be read of it is written.
pub fn export_audit_log(
    path: &Path,
    format: ExportFormat,
    known: Option<(i64, String)>,
    out: &mut dyn Write,
) -> Result<AuditReport, ExportError> {
    let (report, connection) = checked(path, known)?;
    if format == ExportFormat::Csv {
        write!(out, "{COLUMNS}\r\n")?;
    }
    if let Some(connection) = connection {
        write_entries(&connection, format, out)?;
    }
    match format {
        ExportFormat::Jsonl => write_json(out, &json!({ "proof": report }))?,
        ExportFormat::CloudEvents => {
            let end = report.end.as_ref();
            let id = format!("proof-{}", end.map_or("", |end| end.hash.as_str()));
            let event = CloudEvent::new(id, SOURCE.to_owned(), "audit.proof", &report);
            write_json(out, &event.about(end.map(|end| end.at.clone()), None))?;
        }
        ExportFormat::Csv | ExportFormat::Otlp => {}
    }
    out.flush()?;
    Ok(report)
}

fn write_entries(connection: &Connection, format: ExportFormat, out: &mut dyn Write) -> Result<(), ExportError> {
    let mut statement = connection.prepare(&format!("{LINKS} ORDER BY seq"))?;
    let mut rows = statement.query([])?;
    let mut calls = Calls::default();
    while let Some(row) = rows.next()? {
        let link = Link::of(row)?;
        match format {
            ExportFormat::Jsonl => write_json(out, &Line::of(&link))?,
            ExportFormat::Csv => write!(out, "{}\r\n", table_row(&link))?,
            ExportFormat::CloudEvents => write_json(out, &cloud_event(&link))?,
            ExportFormat::Otlp => {
                calls.take(link);
                if calls.ended.len() >= SPANS {
                    calls.write(out)?;
                }
            }
        }
    }
    if calls.ended.is_empty() { Ok(()) } else { calls.write(out) }
}

/// An entry as it stands in the log: whoever has it can work its hash out.
#[derive(Serialize)]
struct Line<'a> {
    seq: i64,
    at: &'a str,
    entry: Entry<'a>,
    previous_hash: &'a str,
    hash: &'a str,
}

/// The very text of an entry; as a text where it is no JSON any more.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Json(&'a RawValue),
    Text(&'a str),
}

impl<'a> Entry<'a> {
    fn of(link: &'a Link) -> Self {
        serde_json::from_str(&link.entry).map_or(Self::Text(&link.entry), Self::Json)
    }
}

impl<'a> Line<'a> {
    fn of(link: &'a Link) -> Self {
        Self { seq: link.seq, at: &link.at, entry: Entry::of(link), previous_hash: &link.previous, hash: &link.hash }
    }
}

fn cloud_event(link: &Link) -> CloudEvent<'_, Entry<'_>> {
    let value = link.value().unwrap_or_default();
    let kind = format!("audit.{}", text(&value, "kind"));
    let id = format!("{}-{}", link.seq, link.hash);
    let subject = Some(text(&value, "id").to_owned()).filter(|id| !id.is_empty());
    let extensions = Extensions { previoushash: Some(&link.previous), entryhash: Some(&link.hash) };
    let event = CloudEvent::new(id, SOURCE.to_owned(), &kind, Entry::of(link));
    event.about(Some(link.at.clone()), subject).with(extensions)
}

fn table_row(link: &Link) -> String {
    let value = link.value().unwrap_or_default();
    let seq = link.seq.to_string();
    let [kind, id, agent, tool, status] =
        ["kind", "id", "agent", "tool", "status"].map(|key| harmless(text(&value, key)));
    let cells = [&seq, &link.at, &kind, &id, &agent, &tool, &status, &link.entry, &link.previous, &link.hash];
    cells.map(|cell| quoted(cell)).join(",")
}

/// A word of an agent that no spreadsheet takes for a formula. The entry itself has it as it is.
fn harmless(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\r', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// Calls on their way from the entry that asks to the one that says how they ended.
#[derive(Default)]
struct Calls {
    /// By their ids: when they were asked, and the entry about that.
    open: HashMap<String, (String, Value)>,
    ended: Vec<CallSpan>,
}

impl Calls {
    fn take(&mut self, link: Link) {
        let Some(value) = link.value() else { return };
        let id = text(&value, "id").to_owned();
        match text(&value, "kind") {
            "requested" => drop(self.open.insert(id, (link.at, value))),
            "decided" => {
                let asked = self.open.remove(&id);
                self.ended
                    .extend(asked.and_then(|(at, asked)| ended(&asked, &at, value, link.at, (link.seq, link.hash))));
            }
            _ => {}
        }
    }

    fn write(&mut self, out: &mut dyn Write) -> Result<(), ExportError> {
        write_json(out, &request(&self.ended, 0))?;
        self.ended.clear();
        Ok(())
    }
}

/// The call that was `asked` at a time, and has ended as `decided` says at another. `None`: this version cannot read it.
fn ended(
    asked: &Value,
    asked_at: &str,
    mut decided: Value,
    decided_at: String,
    entry: (i64, String),
) -> Option<CallSpan> {
    let fields = decided.as_object_mut()?;
    fields.retain(|_, value| !value.is_null());
    fields.insert("requested_at".to_owned(), asked_at.into());
    fields.insert("expires_at".to_owned(), decided_at.clone().into());
    fields.insert("decided_at".to_owned(), decided_at.into());
    let result: ApprovalResult = serde_json::from_value(decided).ok()?;
    let own = |key: &str| Some(text(asked, key).to_owned()).filter(|text| !text.is_empty());
    let session = asked.get("session").and_then(|session| session.get("id")).and_then(Value::as_str);
    Some(CallSpan {
        tool: own("tool")?,
        server: own("server"),
        agent: own("agent").map(|name| {
            // Only its own credential proves an agent's name.
            let verified = own("requester").is_some_and(|requester| requester == name);
            handraise_policy::AgentIdentity { name, verified }
        }),
        session: session.map(str::to_owned),
        action: asked.get("action").and_then(|action| serde_json::from_value(action.clone()).ok()),
        result,
        entry: Some(entry),
    })
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn write_json(out: &mut dyn Write, value: &impl Serialize) -> Result<(), ExportError> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}
