//! The whole log checked from outside, as `handraise audit verify` does it.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};
use serde::Serialize;

use super::anchor::{self, Noted};
use super::chain::{Head, LINKS, Link};
use super::open::is_damage;
use super::{Anchor, AuditError, start};

/// Findings that are listed one by one.
const LISTED: usize = 50;

/// What a check of the whole log has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditReport {
    /// Nothing speaks against it.
    pub whole: bool,
    /// Entries that are there.
    pub entries: u64,
    /// Number of the last entry that was taken away because of its age.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pruned: Option<i64>,
    /// When the oldest one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The newest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Head>,
    /// The end as it was noted outside of the database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noted: Option<Anchor>,
    /// What is wrong, the first of it.
    pub findings: Vec<AuditFinding>,
    /// Logs that were set aside beside this one.
    pub set_aside: Vec<String>,
}

/// Something that is wrong with the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AuditFinding {
    /// SQLite says so.
    #[error("The database is damaged: {detail}.")]
    DamagedDatabase {
        /// In its words.
        detail: String,
    },
    /// An entry is not what it was.
    #[error("Entry {entry} was changed after it was written.")]
    Changed {
        /// Its number.
        entry: i64,
    },
    /// Entries are not there.
    #[error("{}", missing(*from, *to))]
    Missing {
        /// The first of them.
        from: i64,
        /// The last of them.
        to: i64,
    },
    /// The chain begins anew in the middle.
    #[error("Entry {entry} does not follow the one before it: one of them was written anew.")]
    Unchained {
        /// Its number.
        entry: i64,
    },
    /// Another log than the one whose end is known.
    #[error(
        "Entry {entry} is another one than was noted {place}: the log was written anew, or another one lies there."
    )]
    OtherEnd {
        /// Its number.
        entry: i64,
        /// Where it was noted.
        place: &'static str,
    },
    /// An entry whose hash is known was taken away.
    #[error(
        "Entry {entry}, which was noted {place}, was taken away because of its age. Nothing can be compared with it."
    )]
    Pruned {
        /// Its number.
        entry: i64,
        /// Where it was noted.
        place: &'static str,
    },
    /// Nothing can be compared.
    #[error("The end that was noted outside of the database cannot be read: {detail}.")]
    NotedUnreadable {
        /// Why.
        detail: String,
    },
}

const OUTSIDE: &str = "outside of the database";
const GIVEN: &str = "by you";

/// Checks the whole log at `path`: the database, each entry, that none is missing, and that it goes on from the end
/// that was noted outside of it, and from the `known` one that a person has noted elsewhere.
///
/// # Errors
/// When there is no log, or it cannot be read.
pub fn check_audit_log(path: &Path, known: Option<(i64, String)>) -> Result<AuditReport, AuditError> {
    checked(path, known).map(|(report, _)| report)
}

/// The same, with the log in the state that was checked; `None`: it cannot be read.
pub(super) fn checked(
    path: &Path,
    known: Option<(i64, String)>,
) -> Result<(AuditReport, Option<Connection>), AuditError> {
    let set_aside = set_aside(path);
    let noted = anchor::read(&anchor::path_of(path));
    if !path.exists() {
        return Err(AuditError::Missing(path.to_owned()));
    }
    let mut report = AuditReport {
        whole: false,
        entries: 0,
        pruned: None,
        since: None,
        end: None,
        noted: match &noted {
            Noted::End(anchor) => Some(anchor.clone()),
            Noted::Nothing | Noted::Unreadable(_) => None,
        },
        findings: Vec::new(),
        set_aside,
    };
    let read = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(AuditError::from)
        .and_then(|connection| check(&connection, &noted, known, &mut report).map(|()| connection));
    let connection = match read {
        Ok(connection) => Some(connection),
        Err(error) if is_damage(&error) => {
            report.findings.push(AuditFinding::DamagedDatabase { detail: error.to_string() });
            None
        }
        Err(error) => return Err(error),
    };
    report.whole = report.findings.is_empty();
    report.findings.truncate(LISTED);
    Ok((report, connection))
}

fn check(
    connection: &Connection,
    noted: &Noted,
    known: Option<(i64, String)>,
    report: &mut AuditReport,
) -> Result<(), AuditError> {
    // One state of the database for all that follows, though the server goes on writing.
    connection.execute_batch("BEGIN")?;
    let integrity: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if integrity != "ok" {
        report.findings.push(AuditFinding::DamagedDatabase { detail: integrity.replace('\n', " ") });
    }
    check_links(connection, report)?;
    match noted {
        Noted::End(anchor) => check_end(connection, &anchor.head.seq, &anchor.head.hash, OUTSIDE, report)?,
        Noted::Unreadable(detail) => report.findings.push(AuditFinding::NotedUnreadable { detail: detail.clone() }),
        // A log that was never ended cleanly has none for its first minute.
        Noted::Nothing => {}
    }
    if let Some((seq, hash)) = known {
        check_end(connection, &seq, &hash, GIVEN, report)?;
    }
    Ok(())
}

fn check_links(connection: &Connection, report: &mut AuditReport) -> Result<(), AuditError> {
    let mut statement = connection.prepare(&format!("{LINKS} ORDER BY seq"))?;
    let mut rows = statement.query([])?;
    let start = start::start(connection)?;
    let mut is_told = start.0 == 0;
    let mut before = start.clone();
    while let Some(row) = rows.next()? {
        let link = Link::of(row)?;
        report.entries += 1;
        report.since.get_or_insert_with(|| link.at.clone());
        let finding = if !link.is_itself() {
            Some(AuditFinding::Changed { entry: link.seq })
        } else if link.seq > before.0 + 1 {
            Some(AuditFinding::Missing { from: before.0 + 1, to: link.seq - 1 })
        } else if !link.follows(before.0, &before.1) {
            Some(AuditFinding::Unchained { entry: link.seq })
        } else {
            None
        };
        if report.findings.len() <= LISTED {
            report.findings.extend(finding);
        }
        is_told = is_told || link.tells_of_start().as_ref() == Some(&start);
        before = (link.seq, link.hash.clone());
        report.end = Some(link.head());
    }
    match is_told {
        true => report.pruned = Some(start.0).filter(|seq| *seq > 0),
        // Nobody but whoever did it says that they are gone.
        false => report.findings.insert(0, AuditFinding::Missing { from: 1, to: start.0 }),
    }
    Ok(())
}

/// Whether the log holds the entry that was its end once.
fn check_end(
    connection: &Connection,
    seq: &i64,
    hash: &str,
    place: &'static str,
    report: &mut AuditReport,
) -> Result<(), AuditError> {
    let found: Option<String> =
        connection.query_row("SELECT hash FROM log WHERE seq = ?1", [seq], |row| row.get(0)).optional()?;
    let end = report.end.as_ref().map_or(0, |end| end.seq);
    let finding = match found {
        Some(found) if found == hash => None,
        None if report.pruned.is_some_and(|pruned| *seq <= pruned) => Some(AuditFinding::Pruned { entry: *seq, place }),
        None if *seq > end => Some(AuditFinding::Missing { from: end + 1, to: *seq }),
        _ => Some(AuditFinding::OtherEnd { entry: *seq, place }),
    };
    if !finding.as_ref().is_some_and(|finding| report.findings.contains(finding)) {
        report.findings.extend(finding);
    }
    Ok(())
}

/// Names of the logs that were set aside beside the one at `path`.
fn set_aside(path: &Path) -> Vec<String> {
    let stem = path.file_stem().map(|stem| format!("{}.damaged-", stem.to_string_lossy())).unwrap_or_default();
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(&stem) && name.ends_with(".sqlite3")).collect();
    names.sort();
    names
}

fn missing(from: i64, to: i64) -> String {
    if from == to { format!("Entry {from} is missing.") } else { format!("Entries {from} to {to} are missing.") }
}
