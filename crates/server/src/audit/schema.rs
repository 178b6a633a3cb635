//! The tables. `log` is the truth; the others are made from it for searching and restarting.

use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};

use super::AuditError;

/// One step for each released format; a step never changes once released.
const STEPS: &[M<'_>] = &[
    M::up(
        "CREATE TABLE log (
         seq           INTEGER PRIMARY KEY,
         at            TEXT NOT NULL,
         entry         TEXT NOT NULL,
         previous_hash TEXT NOT NULL,
         hash          TEXT NOT NULL
     ) STRICT;
     CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log
         BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
     CREATE TRIGGER log_is_not_cut BEFORE DELETE ON log
         BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

     CREATE TABLE request (
         id           TEXT PRIMARY KEY,
         status       TEXT NOT NULL,
         requester    TEXT NOT NULL,
         agent        TEXT,
         session      TEXT,
         tool         TEXT NOT NULL,
         title        TEXT NOT NULL,
         arguments    TEXT NOT NULL,
         submission   TEXT NOT NULL,
         result       TEXT NOT NULL,
         approver     TEXT,
         requested_at TEXT NOT NULL,
         expires_at   TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX request_by_status ON request (status, id);
     CREATE INDEX request_by_session ON request (requester, session, id);

     CREATE TABLE live_grant (
         id         TEXT PRIMARY KEY,
         grant_json TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;",
    ),
    // What was confirmed last is asked for at every start, and the log may be long by then.
    M::up(
        "CREATE INDEX log_of_confirmations ON log (seq)
             WHERE substr(entry, 1, 26) = '{\"kind\":\"policy_confirmed\"';",
    ),
    // How questions ended, for a requester that comes back.
    M::up(
        "CREATE TABLE question (
         id        TEXT PRIMARY KEY,
         status    TEXT NOT NULL,
         requester TEXT NOT NULL,
         result    TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX question_by_status ON question (status, id);",
    ),
    // For each thing that lists are made by.
    M::up(
        "CREATE INDEX request_by_session_id ON request (session, id);
         CREATE INDEX request_by_agent ON request (agent, id);",
    ),
    // Old entries can go; what is left of them is the hash that the chain begins with.
    M::up(
        "CREATE TABLE log_start (
             one  INTEGER PRIMARY KEY CHECK (one = 1),
             seq  INTEGER NOT NULL,
             hash TEXT NOT NULL
         ) STRICT;
         CREATE TRIGGER log_start_stays BEFORE DELETE ON log_start
             BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
         CREATE TRIGGER log_start_only_moves_on BEFORE UPDATE ON log_start WHEN NEW.seq < OLD.seq
             BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
         DROP TRIGGER log_is_not_cut;
         CREATE TRIGGER log_is_not_cut BEFORE DELETE ON log
             WHEN OLD.seq > coalesce((SELECT seq FROM log_start), 0)
             BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;",
    ),
    // What its walls have denied a call that ran confined, as JSON.
    M::up("ALTER TABLE request ADD COLUMN walls_denied TEXT;"),
    // Each of `FOLDER` and `DECIDED_BY`, spelled as the lists spell it: SQLite takes no index for another spelling.
    M::up(
        "CREATE INDEX request_by_folder
             ON request (iif(json_valid(submission), submission ->> '$.request.cwd', ''), id);
         CREATE INDEX request_by_decider
             ON request (iif(json_valid(result), result ->> '$.decided_by', ''), id);",
    ),
];

/// The folder of a request's agent; empty where there is none, or it cannot be read.
pub(super) const FOLDER: &str = "iif(json_valid(submission), submission ->> '$.request.cwd', '')";
/// Who has decided about a request; empty where nobody has.
pub(super) const DECIDED_BY: &str = "iif(json_valid(result), result ->> '$.decided_by', '')";

/// How long another program's lock on the database is waited for.
const MAX_LOCK: std::time::Duration = std::time::Duration::from_millis(250);

/// Sets the connection up and brings the tables up to date.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), AuditError> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // What was acknowledged must be on disk: the log is written before the answer leaves.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // There is no other writer; whoever holds the file locked must not hold the gate up for long.
    connection.busy_timeout(MAX_LOCK)?;
    Migrations::from_slice(STEPS).to_latest(connection)?;
    Ok(())
}

/// Sets a connection up that only reads.
pub(super) fn prepare_to_read(connection: &Connection) -> Result<(), AuditError> {
    Ok(connection.busy_timeout(MAX_LOCK)?)
}

/// Whether a commit waits for the disk (SQLite's documentation, "PRAGMA synchronous": with NORMAL a
/// commit is consistent, and may be lost with the machine).
pub(super) fn sync_at_commit(connection: &Connection, waits: bool) -> Result<(), AuditError> {
    Ok(connection.pragma_update(None, "synchronous", if waits { "FULL" } else { "NORMAL" })?)
}
