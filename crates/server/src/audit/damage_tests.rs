//! Real databases that are damaged in many ways: each time the server can start, nothing of a damaged log counts, and
//! nothing of it is lost.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};

use handraise_gate::{Input, Limits, Mode};
use handraise_policy::{Grant, GrantEffect, GrantId, Matcher, Policy, RequestId, Scope, SessionKey};
use uuid::Uuid;

use super::sync::with_suffix;
use super::*;

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn redactor() -> RequestRedactor {
    RequestRedactor::new([0; 32])
}

fn grant() -> Grant {
    Grant {
        id: GrantId(Uuid::from_u128(7)),
        session: SessionKey { requester: "default".into(), agent: None, id: "s".into() },
        effect: GrantEffect::Approve,
        matcher: Matcher::Tool(handraise_policy::ToolMatcher { tool: "edit".into(), server: None }),
        scope: Scope::Session,
        title: "edit".into(),
        created_at: NOW,
        expires_at: None,
        decided_in: RequestId(Uuid::from_u128(8)),
        tasks: Vec::new(),
    }
}

fn has_grant(audit: &Audit) -> bool {
    audit.live_grants().unwrap().contains(&grant())
}

/// A log with `count` entries and a grant, closed.
fn log(count: usize) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.sqlite3");
    let (mut audit, aside) = Audit::open(&path, NOW).unwrap();
    assert_eq!(aside, None);
    write_modes(&mut audit, count - 1);
    let gate = Gate::new(Policy::default(), Limits::default());
    audit
        .write(
            &[Effect::Record(Record::GrantAdded(grant()))],
            &gate,
            None,
            &redactor(),
            &mut RedactedResults::default(),
            NOW,
        )
        .unwrap();
    assert!(has_grant(&audit));
    audit.seal(NOW).unwrap();
    (folder, path)
}

fn write_modes(audit: &mut Audit, count: usize) {
    let mut gate = Gate::new(Policy::default(), Limits::default());
    let one = |_| gate.handle(Input::SetMode(Mode::AskEverything), NOW).effects;
    let effects: Vec<Effect> = (0..count).flat_map(one).collect();
    // In one go: each waits for the disk.
    audit.write(&effects, &gate, None, &redactor(), &mut RedactedResults::default(), NOW).unwrap();
}

/// Opens what was damaged. Gives where it was set aside.
fn open_damaged(path: &PathBuf, what: &str) -> PathBuf {
    let before = std::fs::read(path).ok();
    let (mut audit, aside) = Audit::open(path, NOW).unwrap_or_else(|error| panic!("{what}: {error}"));
    let aside = aside.unwrap_or_else(|| panic!("{what}: not noticed"));
    assert!(!has_grant(&audit), "{what}: a grant of the lost log counts");
    // It can be used, and says what came before it.
    write_modes(&mut audit, 1);
    assert_eq!(chain::verify(&audit.connection).unwrap(), Verification::Whole(2), "{what}");
    let first: String = audit.connection.query_row("SELECT entry FROM log", [], |row| row.get(0)).unwrap();
    assert!(first.contains("log_begun_anew"), "{what}: {first}");
    drop(audit);
    let Some(aside) = aside.path else { return PathBuf::new() };
    let name = aside.file_name().unwrap().to_str().unwrap();
    assert!(first.contains(name) && first.contains("sha256"), "{what}: {first}");
    // An empty file is a new database to SQLite.
    let is_kept = before.as_ref().is_some_and(Vec::is_empty) || std::fs::read(&aside).ok() == before;
    assert!(is_kept, "{what}: something of it was lost");
    let report = check_audit_log(path, None).unwrap();
    assert!(report.whole, "{what}: {:?}", report.findings);
    assert_eq!(report.set_aside, [name]);
    aside
}

fn overwrite(path: &PathBuf, offset: u64, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(offset)).unwrap();
    file.write_all(bytes).unwrap();
}

/// Changes the database behind the log's back, as a program of the same user can.
fn tamper(path: &PathBuf, sql: &str) {
    let other = Connection::open(path).unwrap();
    other.execute_batch("DROP TRIGGER IF EXISTS log_is_not_changed; DROP TRIGGER IF EXISTS log_is_not_cut;").unwrap();
    other.execute_batch(sql).unwrap();
}

#[test]
fn a_whole_log_is_opened_again_and_again() {
    let (_folder, path) = log(50);
    for _ in 0..3 {
        let (audit, aside) = Audit::open(&path, NOW).unwrap();
        assert_eq!(aside, None);
        assert!(has_grant(&audit));
    }
    let report = check_audit_log(&path, None).unwrap();
    assert!(report.whole && report.entries == 50, "{report:?}");
    assert_eq!(report.noted.map(|noted| noted.head), report.end);
}

#[test]
fn a_truncated_log_is_noticed_wherever_it_was_cut() {
    let (_folder, path) = log(200);
    let whole = std::fs::read(&path).unwrap();
    let end = std::fs::read(anchor::path_of(&path)).unwrap();
    // Each takes a database of its own.
    let cuts = [0, 1, 100, 4096, whole.len() / 2, whole.len() - 4096, whole.len() - 1];
    for cut in cuts {
        std::fs::write(&path, &whole[..cut]).unwrap();
        std::fs::write(anchor::path_of(&path), &end).unwrap();
        let aside = open_damaged(&path, &format!("cut at {cut} of {}", whole.len()));
        std::fs::remove_file(aside).unwrap();
    }
}

#[test]
fn a_page_of_zeros_is_noticed() {
    let (_folder, path) = log(200);
    let whole = std::fs::read(&path).unwrap();
    let end = std::fs::read(anchor::path_of(&path)).unwrap();
    let mut log_pages = 0;
    for page in [0, 1, 2, 3, 5, 7, 11, 13, 17] {
        std::fs::write(&path, &whole).unwrap();
        std::fs::write(anchor::path_of(&path), &end).unwrap();
        overwrite(&path, page as u64 * 4096, &[0; 4096]);
        let (audit, aside) = Audit::open(&path, NOW).unwrap_or_else(|error| panic!("page {page}: {error}"));
        match aside {
            Some(aside) => {
                assert!(!has_grant(&audit), "page {page}");
                std::fs::remove_file(aside.path.unwrap()).unwrap();
                log_pages += 1;
            }
            // Only what holds nothing can be empty.
            None => assert_eq!(whole[page * 4096..(page + 1) * 4096], [0; 4096], "page {page} was not noticed"),
        }
    }
    assert!(log_pages > 4, "{log_pages} pages");
}

#[test]
fn a_flipped_byte_in_any_entry_is_noticed() {
    let (_folder, path) = log(100);
    let whole = std::fs::read(&path).unwrap();
    let end = std::fs::read(anchor::path_of(&path)).unwrap();
    let needle = b"mode_changed";
    let places: Vec<usize> = (0..whole.len() - needle.len()).filter(|at| whole[*at..].starts_with(needle)).collect();
    assert!(places.len() >= 99, "{} entries found", places.len());
    let mut noticed = 0;
    for at in places.into_iter().step_by(11) {
        std::fs::write(&path, &whole).unwrap();
        std::fs::write(anchor::path_of(&path), &end).unwrap();
        overwrite(&path, at as u64, b"X");
        let report = check_audit_log(&path, None).unwrap();
        if report.whole {
            // A page holds copies of what has moved to another one; they are part of nothing.
            assert_eq!(report.entries, 100);
            continue;
        }
        noticed += 1;
        let aside = open_damaged(&path, &format!("byte {at}"));
        std::fs::remove_file(aside).unwrap();
    }
    assert!(noticed > 4, "{noticed}");
}

#[test]
fn no_flipped_byte_keeps_the_server_from_starting_or_lets_a_changed_grant_count() {
    let (_folder, path) = log(40);
    let whole = std::fs::read(&path).unwrap();
    let end = std::fs::read(anchor::path_of(&path)).unwrap();
    // All of the header, then every so often, so that every page has many.
    let offsets = (16..72).step_by(3).chain([18, 19, 47]).chain((100..whole.len()).step_by(2_411));
    for offset in offsets {
        std::fs::write(&path, &whole).unwrap();
        std::fs::write(anchor::path_of(&path), &end).unwrap();
        overwrite(&path, offset as u64, &[whole[offset] ^ 0x41]);
        let (mut audit, aside) = Audit::open(&path, NOW).unwrap_or_else(|error| panic!("byte {offset}: {error}"));
        let known = audit.live_grants().unwrap_or_default();
        assert!(known.iter().all(|known| *known == Grant { title: known.title.clone(), ..grant() }), "byte {offset}");
        audit.open_requests().unwrap_or_else(|error| panic!("byte {offset}: {error}"));
        audit.end_open_questions(NOW).unwrap_or_else(|error| panic!("byte {offset}: {error}"));
        audit.confirmed_policy().unwrap_or_else(|error| panic!("byte {offset}: {error}"));
        drop(audit);
        if let Some(aside) = aside {
            std::fs::remove_file(aside.path.unwrap()).unwrap();
        }
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(with_suffix(&path, suffix));
        }
    }
}

#[test]
fn entries_that_were_taken_out_changed_or_written_anew_are_noticed() {
    for (what, sql) in [
        ("the newest is gone", "DELETE FROM log WHERE seq = 60"),
        ("the newest ten are gone", "DELETE FROM log WHERE seq > 50"),
        ("one in the middle is gone", "DELETE FROM log WHERE seq = 30"),
        ("the first is gone", "DELETE FROM log WHERE seq = 1"),
        ("all are gone", "DELETE FROM log"),
        ("one says something else", "UPDATE log SET entry = '{}' WHERE seq = 30"),
        ("one is of another time", "UPDATE log SET at = '2020-01-01T00:00:00Z' WHERE seq = 30"),
        (
            "two are swapped",
            "UPDATE log SET seq = -1 WHERE seq = 30; UPDATE log SET seq = 30 WHERE seq = 31;
                             UPDATE log SET seq = 31 WHERE seq = -1",
        ),
        ("the table is gone", "DROP TABLE log"),
        ("another table is gone", "DROP TABLE live_grant"),
        ("the format is a later one", "PRAGMA user_version = 99"),
        ("the format is none", "PRAGMA user_version = 0"),
    ] {
        let (_folder, path) = log(60);
        tamper(&path, sql);
        if !what.starts_with("another") && !what.starts_with("the format") {
            let report = check_audit_log(&path, None).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(!report.whole && !report.findings.is_empty(), "{what}");
        }
        open_damaged(&path, what);
    }
}

#[test]
fn a_grant_that_was_noted_beside_the_log_is_none() {
    let wider = Grant { session: SessionKey { id: "other".into(), ..grant().session }, ..grant() };
    let (_folder, path) = log(3);
    let (mut audit, _) = Audit::open(&path, NOW).unwrap();
    for forged in [wider, Grant { id: GrantId(Uuid::from_u128(9)), ..grant() }] {
        let transaction = audit.transaction(true).unwrap();
        grants::keep(&transaction, &forged).unwrap();
        transaction.commit().unwrap();
    }
    assert_eq!(audit.live_grants().unwrap(), []);

    // Nor is one that was taken back.
    let revoked = Effect::Record(Record::GrantRevoked(grant(), "revoked by a person"));
    audit
        .write(
            &[revoked],
            &Gate::new(Policy::default(), Limits::default()),
            None,
            &redactor(),
            &mut RedactedResults::default(),
            NOW,
        )
        .unwrap();
    let transaction = audit.transaction(true).unwrap();
    grants::keep(&transaction, &grant()).unwrap();
    transaction.commit().unwrap();
    assert!(!has_grant(&audit));
}

#[test]
fn a_grant_ends_when_the_log_says_whatever_is_noted_beside_it() {
    let (_folder, path) = log(3);
    let (mut audit, _) = Audit::open(&path, NOW).unwrap();
    let minutes = |minutes| Some(NOW + jiff::SignedDuration::from_mins(minutes));
    let brief = Grant { id: GrantId(Uuid::from_u128(9)), expires_at: minutes(15), ..grant() };
    let gate = Gate::new(Policy::default(), Limits::default());
    let hour = jiff::SignedDuration::from_hours(1);
    let written = [Record::GrantAdded(brief.clone()), Record::ClockMoved(hour)].map(Effect::Record);
    audit.write(&written, &gate, None, &redactor(), &mut RedactedResults::default(), NOW).unwrap();
    for (noted, counts) in [(minutes(75), minutes(75)), (minutes(20), minutes(20)), (minutes(60 * 24), minutes(75))] {
        let transaction = audit.transaction(true).unwrap();
        grants::keep(&transaction, &Grant { expires_at: noted, ..brief.clone() }).unwrap();
        transaction.commit().unwrap();
        assert_eq!(audit.live_grants().unwrap()[1].expires_at, counts);
    }
}

/// Writes the log anew from an entry on, with hashes that fit, as whoever knows the format can.
fn chained_anew(path: &PathBuf, from: i64, text: &str) {
    let mut connection = Connection::open(path).unwrap();
    tamper(path, "");
    let entries: Vec<(i64, String)> = {
        let mut statement = connection.prepare("SELECT seq, entry FROM log WHERE seq >= ?1 ORDER BY seq").unwrap();
        let rows = statement.query_map([from], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    let transaction = connection.transaction().unwrap();
    transaction.execute("DELETE FROM log WHERE seq >= ?1", [from]).unwrap();
    for (seq, entry) in entries {
        let entry = if seq == from { text.to_owned() } else { entry };
        chain::append(&transaction, NOW, &serde_json::from_str(&entry).unwrap()).unwrap();
    }
    transaction.commit().unwrap();
}

#[test]
fn a_log_that_was_chained_anew_is_noticed_by_its_noted_end() {
    let (_folder, path) = log(60);
    let known = check_audit_log(&path, None).unwrap().end.unwrap();
    chained_anew(&path, 30, r#"{"kind":"never_happened"}"#);
    let report = check_audit_log(&path, None).unwrap();
    let other = |place| AuditFinding::OtherEnd { entry: 60, place };
    assert_eq!(report.findings, [other("outside of the database")]);

    // Who can write one file can write the other: then only an end that was noted elsewhere shows it.
    std::fs::remove_file(anchor::path_of(&path)).unwrap();
    assert!(check_audit_log(&path, None).unwrap().whole, "the limit that docs/audit.md names");
    let report = check_audit_log(&path, Some((known.seq, known.hash))).unwrap();
    assert_eq!(report.findings, [other("by you")]);
}

#[test]
fn a_log_that_lost_what_was_written_last_is_noticed() {
    let (folder, path) = log(20);
    let (mut audit, _) = Audit::open(&path, NOW).unwrap();
    write_modes(&mut audit, 20);
    audit.seal(NOW).unwrap();
    // As after a crash: the newest entries are in the file beside it, and that is lost.
    let copy = folder.path().join("copy.sqlite3");
    std::fs::copy(&path, &copy).unwrap();
    std::fs::copy(anchor::path_of(&path), anchor::path_of(&copy)).unwrap();
    let report = check_audit_log(&copy, None).unwrap();
    assert_eq!(report.findings, [AuditFinding::Missing { from: 21, to: 40 }]);
    let aside = Audit::open(&copy, NOW).unwrap().1.unwrap();
    assert!(aside.why.contains("missing"), "{}", aside.why);

    // With it nothing is lost.
    let whole = folder.path().join("whole.sqlite3");
    for suffix in ["", "-wal"] {
        std::fs::copy(with_suffix(&path, suffix), with_suffix(&whole, suffix)).unwrap();
    }
    std::fs::copy(anchor::path_of(&path), anchor::path_of(&whole)).unwrap();
    assert_eq!(Audit::open(&whole, NOW).unwrap().1, None);
}

#[test]
fn a_log_that_is_gone_is_missed() {
    let (_folder, path) = log(20);
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(check_audit_log(&path, None), Err(AuditError::Missing(_))));
    let (audit, aside) = Audit::open(&path, NOW).unwrap();
    assert_eq!(aside, Some(SetAside { path: None, why: "it is gone".into() }));
    assert!(!has_grant(&audit));
}
