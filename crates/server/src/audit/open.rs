//! Opening the log: what is damaged is noticed, set aside, and begun anew; nothing of it counts.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::anchor::{self, Noted};
use super::chain::{self, LINKS, Link};
use super::sync::{LaterSync, with_suffix};
use super::{Audit, AuditError, schema, start};

/// Entries that are checked at every start, the newest ones.
const CHECKED: i64 = 2_000;
/// How long the pages of a large database may be looked through at a start. The rest is left to
/// `handraise audit verify`.
const MAX_CHECK: Duration = Duration::from_secs(2);

/// A log that was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SetAside {
    /// Where it lies now; `None`: there was nothing left to set aside.
    pub(crate) path: Option<PathBuf>,
    /// What was wrong with it.
    pub(crate) why: String,
}

impl Audit {
    /// Opens the log, or makes it. A damaged one is set aside, and the new one begins with an entry that names it;
    /// the second value then says so.
    pub(crate) fn open(path: &Path, now: Timestamp) -> Result<(Self, Option<SetAside>), AuditError> {
        let why = match Self::try_open(path) {
            Ok(Ok(audit)) => return Ok((audit, None)),
            Ok(Err(damage)) => damage,
            Err(error) if is_damage(&error) => error.to_string(),
            Err(error) => return Err(error),
        };
        let (aside, digests) =
            set_aside(path, now).map_err(|error| AuditError::SetAside { path: path.to_owned(), error })?;
        let mut audit = Self::new(path)?;
        let noted = match anchor::read(&anchor::path_of(path)) {
            Noted::End(anchor) => Some(anchor.head),
            Noted::Nothing | Noted::Unreadable(_) => None,
        };
        let name = aside.as_ref().and_then(|aside| aside.file_name()).map(|name| name.to_string_lossy().into_owned());
        audit.note(
            &json!({ "kind": "log_begun_anew", "why": why, "set_aside": name, "sha256": digests, "noted_end": noted }),
            now,
        )?;
        // The end of the lost log is not that of this one.
        audit.seal(now)?;
        Ok((audit, Some(SetAside { path: aside, why })))
    }

    /// Opens the log and looks at it; or what is wrong with it.
    fn try_open(path: &Path) -> Result<Result<Self, String>, AuditError> {
        let noted = anchor::read(&anchor::path_of(path));
        if !path.exists() && noted != Noted::Nothing {
            return Ok(Err("it is gone".to_owned()));
        }
        if let Some(damage) = damaged_header(path).map_err(AuditError::Sync)? {
            return Ok(Err(damage));
        }
        let audit = Self::new(path)?;
        Ok(match damage(&audit.connection, &noted)? {
            Some(damage) => Err(damage),
            None => Ok(audit),
        })
    }

    fn new(path: &Path) -> Result<Self, AuditError> {
        let mut connection = Connection::open(path)?;
        schema::prepare(&mut connection)?;
        let head = chain::head(&connection)?;
        let sync = LaterSync::start(path, head)?;
        Ok(Self { connection, is_synchronous: true, sync })
    }
}

/// What is wrong with the beginning of the file, which SQLite would take for a database that it must not write
/// (SQLite's documentation, "Database File Format", 1.3).
fn damaged_header(path: &Path) -> io::Result<Option<String>> {
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(100).read_to_end(&mut header)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_known = header.is_empty()
        || header.starts_with(b"SQLite format 3\0")
            && header.get(18..20).is_some_and(|versions| versions.iter().all(|version| (1..=2).contains(version)));
    Ok((!is_known).then(|| "it does not begin as a database does".to_owned()))
}

/// What is wrong with an open database, as far as a start looks.
fn damage(connection: &Connection, noted: &Noted) -> Result<Option<String>, AuditError> {
    let tables: i64 = connection.query_row(
        "SELECT count(*) FROM sqlite_schema
         WHERE type = 'table' AND name IN ('log', 'request', 'live_grant', 'question', 'log_start')",
        [],
        |row| row.get(0),
    )?;
    if tables < 5 {
        return Ok(Some("one of its tables is gone".to_owned()));
    }
    if let Some(found) = damaged_page(connection)? {
        return Ok(Some(found));
    }
    if let Some(entry) = broken_link(connection)? {
        return Ok(Some(format!("entry {entry} was changed, or one before it is missing")));
    }
    match noted {
        Noted::Nothing => Ok(None),
        // Whoever can damage this file can damage the other: no reason to lose the log.
        Noted::Unreadable(why) => {
            tracing::warn!(why, "the noted end of the audit log cannot be read");
            Ok(None)
        }
        Noted::End(anchor) => {
            let hash: Option<String> = connection
                .query_row("SELECT hash FROM log WHERE seq = ?1", [anchor.head.seq], |row| row.get(0))
                .optional()?;
            Ok(match hash {
                Some(hash) if hash == anchor.head.hash => None,
                Some(_) => Some(format!("entry {} is not the one that was noted outside of it", anchor.head.seq)),
                None => Some(format!("its newest entries are missing, up to {}", anchor.head.seq)),
            })
        }
    }
}

/// Looks through the pages, as long as that may take (SQLite's documentation, "PRAGMA quick_check").
fn damaged_page(connection: &Connection) -> Result<Option<String>, AuditError> {
    let interrupt = connection.get_interrupt_handle();
    let (done, ends) = channel::<()>();
    let timer = std::thread::Builder::new().name("audit-check".to_owned()).spawn(move || {
        if ends.recv_timeout(MAX_CHECK) == Err(RecvTimeoutError::Timeout) {
            interrupt.interrupt();
        }
    });
    let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    drop(done);
    // The timer cannot fail; it must be over before the next statement.
    let _ = timer.map_err(AuditError::Sync)?.join();
    match found {
        Ok(found) if found == "ok" => Ok(None),
        Ok(found) => Ok(Some(found)),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The first of the newest entries that does not fit.
fn broken_link(connection: &Connection) -> Result<Option<i64>, AuditError> {
    let newest = chain::head(connection)?.map_or(0, |head| head.seq);
    let start = start::start(connection)?;
    let oldest = start.0 + 1;
    let first = newest.saturating_sub(CHECKED).max(oldest);
    let mut statement = connection.prepare(&format!("{LINKS} WHERE seq >= ?1 ORDER BY seq"))?;
    let mut rows = statement.query([first])?;
    let mut before: Option<(i64, String)> = None;
    while let Some(row) = rows.next()? {
        let link = Link::of(row)?;
        let fits = match &before {
            Some((seq, hash)) => link.follows(*seq, hash),
            None => link.seq == first && (first > oldest || link.follows(start.0, &start.1)),
        };
        if !fits || !link.is_itself() {
            return Ok(Some(link.seq));
        }
        before = Some((link.seq, link.hash));
    }
    Ok(None)
}

/// Moves the database and what belongs to it aside, so that nothing of it is lost. Gives its new place and the
/// SHA-256 of each file.
fn set_aside(path: &Path, now: Timestamp) -> io::Result<(Option<PathBuf>, Value)> {
    let time = now.strftime("%Y%m%dT%H%M%SZ").to_string();
    let free = |number: u32| {
        let more = if number == 0 { String::new() } else { format!("-{number}") };
        let aside = path.with_extension(format!("damaged-{time}{more}.sqlite3"));
        (!aside.exists()).then_some(aside)
    };
    let aside = (0..1000).find_map(free).ok_or_else(|| io::Error::other("no free name beside it"))?;
    let mut digests = Map::new();
    let mut is_there = false;
    for suffix in ["", "-wal", "-shm"] {
        let (from, to) = (with_suffix(path, suffix), with_suffix(&aside, suffix));
        match std::fs::rename(&from, &to) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        }
        is_there = true;
        let name = to.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        digests.insert(name, Value::String(digest(&to)?));
    }
    Ok((is_there.then_some(aside), Value::Object(digests)))
}

fn digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = file.read(&mut buffer)?;
        let Some(read) = buffer.get(..count).filter(|read| !read.is_empty()) else { break };
        digest.update(read);
    }
    Ok(hex::encode(digest.finalize()))
}

/// Words of SQLite about a database that has not, or has not only, what was made in it.
const NOT_OURS: &[&str] =
    &["no such table", "no such column", "malformed", "already exists", "unsupported file format"];

/// Whether `error` says that what is there is no log of ours any more.
pub(super) fn is_damage(error: &AuditError) -> bool {
    use rusqlite::Error::{
        FromSqlConversionFailure, InvalidColumnType, QueryReturnedNoRows, SqlInputError, SqliteFailure, Utf8Error,
    };
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    let error = match error {
        AuditError::Database(error) => error,
        AuditError::Migration(rusqlite_migration::Error::RusqliteError { err, .. }) => err,
        // The number of its format is not one that there is, or is that of a later version.
        AuditError::Migration(_) | AuditError::Entry(_) => return true,
        _ => return false,
    };
    let not_ours = |message: &str| NOT_OURS.iter().any(|words| message.contains(words));
    match error {
        SqliteFailure(failure, message) => {
            matches!(failure.code, DatabaseCorrupt | NotADatabase) || message.as_deref().is_some_and(not_ours)
        }
        SqlInputError { msg, .. } => not_ours(msg),
        FromSqlConversionFailure(..) | InvalidColumnType(..) | QueryReturnedNoRows | Utf8Error(..) => true,
        _ => false,
    }
}
