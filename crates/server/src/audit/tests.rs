use handraise_gate::{Input, Limits, Mode};
use handraise_policy::Policy;

use super::*;

fn audit() -> (tempfile::TempDir, PathBuf, Audit) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.sqlite3");
    let (audit, aside) = Audit::open(&path, Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(aside, None);
    (folder, path, audit)
}

fn write_modes(audit: &mut Audit, count: usize) {
    let mut gate = Gate::new(Policy::default(), Limits::default());
    for _ in 0..count {
        let reaction = gate.handle(Input::SetMode(Mode::AskEverything), Timestamp::UNIX_EPOCH);
        audit
            .write(
                &reaction.effects,
                &gate,
                None,
                &RequestRedactor::new([0; 32]),
                &mut RedactedResults::default(),
                Timestamp::UNIX_EPOCH,
            )
            .unwrap();
    }
}

#[test]
fn a_changed_entry_and_a_missing_entry_show() {
    let (_folder, path, mut audit) = audit();
    write_modes(&mut audit, 5);
    assert_eq!(chain::verify(&audit.connection).unwrap(), Verification::Whole(5));

    let other = Connection::open(&path).unwrap();
    assert!(other.execute("UPDATE log SET entry = '{}' WHERE seq = 3", []).is_err());
    other.execute_batch("DROP TRIGGER log_is_not_changed; DROP TRIGGER log_is_not_cut;").unwrap();
    other.execute("UPDATE log SET entry = '{}' WHERE seq = 3", []).unwrap();
    assert_eq!(chain::verify(&audit.connection).unwrap(), Verification::BrokenAt(3));
    other.execute("DELETE FROM log WHERE seq = 3", []).unwrap();
    assert_eq!(chain::verify(&audit.connection).unwrap(), Verification::BrokenAt(4));
}

#[test]
fn a_damaged_log_is_set_aside_and_nothing_of_it_is_lost() {
    let (_folder, path, audit) = audit();
    drop(audit);
    std::fs::write(&path, b"this is no database, it only has its name and enough bytes to be read").unwrap();
    let (mut audit, aside) = Audit::open(&path, Timestamp::UNIX_EPOCH).unwrap();
    assert!(std::fs::read(aside.unwrap().path.unwrap()).unwrap().starts_with(b"this is no database"));
    write_modes(&mut audit, 1);
    assert_eq!(chain::verify(&audit.connection).unwrap(), Verification::Whole(2));
}
