//! Old entries are taken away, the oldest first, without breaking the chain: the hash of the last one that is gone
//! stays as what the chain begins with, and an entry of the chain itself says so.

use handraise_protocol::RequestId;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::json;
use uuid::Uuid;

use super::chain::{self, Head};
use super::{Audit, AuditError};

/// Entries, and requests, that go at once: whoever waits for the log waits for no more.
const AT_ONCE: i64 = 500;

impl Audit {
    /// Takes away what was written before `before`, some of it. What was noted outside of the log stays, and
    /// so does which policy was confirmed last. Gives whether there may be more.
    pub(crate) fn prune(&mut self, before: Timestamp, now: Timestamp) -> Result<bool, AuditError> {
        let noted = self.sync.noted_end();
        let transaction = self.transaction(true)?;
        let requests = forget_requests(&transaction, before)?;
        let old = match noted {
            Some(noted) => old(&transaction, before, noted)?,
            None => None,
        };
        let mut head = None;
        let mut entries = 0;
        if let Some(through) = old {
            head = Some(cut(&transaction, &through, before, now)?);
            entries = AT_ONCE;
        }
        transaction.commit()?;
        self.ends_with(head);
        Ok(entries >= AT_ONCE || requests >= AT_ONCE)
    }
}

/// The last of the entries that can go. They are all older than `before`, and than the one with the number `noted`.
fn old(transaction: &Transaction<'_>, before: Timestamp, noted: i64) -> Result<Option<Head>, AuditError> {
    let mut statement =
        transaction.prepare_cached("SELECT seq, hash, at FROM log WHERE seq < ?1 ORDER BY seq LIMIT ?2")?;
    let rows = statement
        .query_map([noted, AT_ONCE], |row| Ok(Head { seq: row.get(0)?, hash: row.get(1)?, at: row.get(2)? }))?;
    let mut last = None;
    for row in rows {
        let row = row?;
        // What cannot be read is not known to be old.
        if !row.at.parse::<Timestamp>().is_ok_and(|at| at < before) {
            break;
        }
        last = Some(row);
    }
    Ok(last)
}

fn cut(transaction: &Transaction<'_>, through: &Head, before: Timestamp, now: Timestamp) -> Result<Head, AuditError> {
    let confirmed: Option<(i64, String)> = transaction
        .query_row(
            "SELECT seq, entry FROM log WHERE substr(entry, 1, 26) = '{\"kind\":\"policy_confirmed\"'
             ORDER BY seq DESC LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    let entry = json!({
        "kind": "log_pruned", "through": through.seq, "hash": through.hash, "written_before": before.to_string(),
    });
    let mut head = chain::append(transaction, now, &entry)?;
    if let Some((_, entry)) = confirmed.filter(|(seq, _)| *seq <= through.seq) {
        head = chain::append(transaction, now, &serde_json::from_str(&entry)?)?;
    }
    transaction.execute(
        "INSERT INTO log_start (one, seq, hash) VALUES (1, ?1, ?2)
         ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash",
        params![through.seq, through.hash],
    )?;
    transaction.execute("DELETE FROM log WHERE seq <= ?1", [through.seq])?;
    Ok(head)
}

/// Forgets requests and questions that are over. Gives how many requests.
fn forget_requests(transaction: &Transaction<'_>, before: Timestamp) -> Result<i64, AuditError> {
    let first = first_id(before).to_string();
    let mut gone = 0;
    for table in ["question", "request"] {
        gone = transaction.execute(
            &format!(
                "DELETE FROM {table} WHERE id IN
                     (SELECT id FROM {table} WHERE id < ?1 AND status != 'pending' ORDER BY id LIMIT ?2)"
            ),
            params![first, AT_ONCE],
        )?;
    }
    Ok(i64::try_from(gone).unwrap_or(i64::MAX))
}

/// The smallest id that is given at `time`: its first 48 bits are milliseconds since 1970 (RFC 9562, 5.7).
fn first_id(time: Timestamp) -> RequestId {
    let milliseconds = u128::try_from(time.as_millisecond()).unwrap_or_default();
    RequestId(Uuid::from_u128(milliseconds << 80))
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::super::chain::verify;
    use super::super::start::start;
    use super::super::{AuditFinding, Verification, check_audit_log};
    use super::*;

    const DAY: SignedDuration = SignedDuration::from_hours(24);

    fn day(number: i32) -> Timestamp {
        Timestamp::UNIX_EPOCH + DAY * (20_000 + number)
    }

    /// A log of some days, with an entry a day and its end noted.
    fn of_days(path: &std::path::Path, days: i32) -> Audit {
        let (mut audit, _) = Audit::open(path, day(0)).unwrap();
        audit.note(&json!({ "kind": "policy_confirmed", "sha256": "the policy" }), day(0)).unwrap();
        for number in 1..days {
            audit.note(&json!({ "kind": "test", "number": number }), day(number)).unwrap();
        }
        audit.seal(day(days)).unwrap();
        audit
    }

    #[test]
    fn what_is_old_goes_and_the_chain_holds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.sqlite3");
        let mut audit = of_days(&path, 10);
        let hash_of_third: String =
            audit.connection.query_row("SELECT hash FROM log WHERE seq = 3", [], |row| row.get(0)).unwrap();
        audit.prune(day(6), day(10)).unwrap();
        // Entries 1 to 6 are of the days 0 to 5.
        assert_eq!(start(&audit.connection).unwrap().0, 6);
        assert_eq!(audit.confirmed_policy().unwrap().as_deref(), Some("the policy"), "it is not forgotten");
        assert!(matches!(verify(&audit.connection).unwrap(), Verification::Whole(12)));
        // Nothing more is old, and nothing more is written about it.
        assert!(!audit.prune(day(6), day(10)).unwrap());
        assert_eq!(chain::head(&audit.connection).unwrap().unwrap().seq, 12);
        audit.prune(day(8), day(11)).unwrap();
        assert_eq!(start(&audit.connection).unwrap().0, 8);
        audit.seal(day(11)).unwrap();

        let report = check_audit_log(&path, None).unwrap();
        assert!(report.whole, "{report:?}");
        assert_eq!(report.pruned, Some(8));
        let known = check_audit_log(&path, Some((3, hash_of_third))).unwrap();
        assert_eq!(known.findings, [AuditFinding::Pruned { entry: 3, place: "by you" }]);

        drop(audit);
        let (audit, damage) = Audit::open(&path, day(11)).unwrap();
        assert_eq!(damage, None);
        assert_eq!(audit.confirmed_policy().unwrap().as_deref(), Some("the policy"));
    }

    #[test]
    fn what_was_noted_outside_of_the_log_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.sqlite3");
        let mut audit = of_days(&path, 5);
        audit.prune(day(100), day(100)).unwrap();
        assert_eq!(start(&audit.connection).unwrap().0, 4, "the noted end is entry 5");
        drop(audit);
        assert_eq!(Audit::open(&path, day(100)).unwrap().1, None);
        assert!(check_audit_log(&path, None).unwrap().whole);
    }

    #[test]
    fn entries_that_somebody_else_takes_away_are_missed() {
        for (cut, what) in [
            ("DELETE FROM log WHERE seq <= 3", "append-only"),
            ("DELETE FROM log_start", "append-only"),
            ("UPDATE log_start SET seq = 1", "append-only"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let mut audit = of_days(&folder.path().join("audit.sqlite3"), 10);
            audit.prune(day(2), day(10)).unwrap();
            let refused = audit.connection.execute(cut, []).unwrap_err().to_string();
            assert!(refused.contains(what), "{cut}: {refused}");
        }
        // With another start, as of entries that were pruned, but of which no entry of the chain tells.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.sqlite3");
        let audit = of_days(&path, 10);
        audit
            .connection
            .execute_batch(
                "INSERT INTO log_start (one, seq, hash) SELECT 1, seq, hash FROM log WHERE seq = 4;
                 DELETE FROM log WHERE seq <= 4;",
            )
            .unwrap();
        assert_eq!(verify(&audit.connection).unwrap(), Verification::BrokenAt(5));
        let report = check_audit_log(&path, None).unwrap();
        assert_eq!(report.findings, [AuditFinding::Missing { from: 1, to: 4 }]);
    }

    #[test]
    fn a_long_log_goes_piece_by_piece() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.sqlite3");
        let mut audit = of_days(&path, 2);
        let transaction = audit.connection.transaction().unwrap();
        for number in 0..AT_ONCE {
            chain::append(&transaction, day(2), &json!({ "kind": "test", "number": number })).unwrap();
        }
        let head = chain::append(&transaction, day(9), &json!({ "kind": "test" })).unwrap();
        transaction.commit().unwrap();
        audit.ends_with(Some(head));
        audit.seal(day(9)).unwrap();
        assert!(audit.prune(day(5), day(9)).unwrap());
        while audit.prune(day(5), day(9)).unwrap() {}
        assert_eq!(start(&audit.connection).unwrap().0, AT_ONCE + 2);
        assert!(check_audit_log(&path, None).unwrap().whole);
    }
}
