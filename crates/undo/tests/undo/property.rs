//! Edits by agents and a person in any order: a restore gives exactly the earlier bytes, mode and links, or refuses,
//! and nothing that a person wrote is lost.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use handraise_undo::{Expected, FileOutcome, FileState, KeptPath, Target};
use proptest::prelude::*;

use crate::support::{World, leftovers, target};

const NAMES: [&str; 4] = ["a", "b", "dir/c", "dir/d"];

/// What happens to one file.
#[derive(Clone, Copy, Debug)]
enum Change {
    Write,
    Remove,
    Link,
    Mode(u32),
    Nothing,
}

#[derive(Clone, Debug)]
enum Step {
    /// A call of an agent, and whether it is seen to be over, and whether its arguments say what it leaves.
    Agent {
        file: usize,
        change: Change,
        seen: bool,
        says: bool,
    },
    Person {
        file: usize,
        change: Change,
    },
    /// Of the calls so far, those whose bit is set.
    Restore {
        calls: u32,
        force: bool,
    },
    Reopen,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => Just(Change::Write),
        1 => Just(Change::Remove),
        1 => Just(Change::Link),
        1 => prop_oneof![Just(0o600), Just(0o755), Just(0o444)].prop_map(Change::Mode),
        1 => Just(Change::Nothing),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let file = 0..NAMES.len();
    prop_oneof![
        5 => (file.clone(), change(), any::<bool>(), any::<bool>())
            .prop_map(|(file, change, seen, says)| Step::Agent { file, change, seen, says }),
        2 => (file, change()).prop_map(|(file, change)| Step::Person { file, change }),
        3 => (any::<u32>(), any::<bool>()).prop_map(|(calls, force)| Step::Restore { calls, force }),
        1 => Just(Step::Reopen),
    ]
}

/// All that matters about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Real {
    Absent,
    File(Vec<u8>, u32),
    Link(std::path::PathBuf),
}

fn real(path: &Path) -> Real {
    match path.symlink_metadata() {
        Err(_) => Real::Absent,
        Ok(found) if found.is_symlink() => Real::Link(std::fs::read_link(path).unwrap()),
        Ok(found) => {
            // As root a file of mode 0 can be read; as others only what is tried here.
            Real::File(std::fs::read(path).unwrap(), found.mode() & 0o7777)
        }
    }
}

/// No two are alike, so that bytes say who wrote them.
fn apply(path: &Path, change: Change, number: usize) {
    match change {
        Change::Write => {
            std::fs::remove_file(path).ok();
            std::fs::write(path, format!("content {number}")).unwrap();
        }
        Change::Remove => drop(std::fs::remove_file(path)),
        Change::Link => {
            std::fs::remove_file(path).ok();
            symlink(format!("target {number}"), path).unwrap();
        }
        Change::Mode(mode) => {
            if path.symlink_metadata().is_ok_and(|found| found.is_file()) {
                std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
            }
        }
        Change::Nothing => {}
    }
}

/// What the test itself knows about a call.
struct Known {
    id: String,
    file: usize,
    before: Real,
    left: Real,
    /// What it left was seen, or could be told from its arguments.
    is_known: bool,
    is_seen: bool,
    is_undo: bool,
}

/// Whether every change of `file` from the first of the `selected` calls on was one of theirs or of an undo.
fn is_theirs(calls: &[Known], selected: &[String], file: usize, present: &Real) -> bool {
    let of_file = calls.iter().filter(|call| call.file == file);
    let since: Vec<&Known> = of_file.skip_while(|call| !selected.contains(&call.id)).collect();
    since.iter().enumerate().all(|(index, call)| {
        let next = since.get(index + 1).map_or(present, |next| &next.before);
        let did_nothing = *next == call.before;
        let meant = call.is_undo || selected.contains(&call.id);
        let is_left = match (&call.left, next) {
            // Nobody saw the mode of the file that it made, and all that it holds is the agent's.
            (Real::File(left, _), Real::File(next, _)) if !call.is_seen && call.before == Real::Absent => left == next,
            (left, next) => left == next,
        };
        did_nothing || (meant && call.is_known && is_left)
    })
}

fn run(steps: Vec<Step>) {
    let mut world = World::new();
    std::fs::create_dir(world.path("dir")).unwrap();
    for (number, name) in NAMES.iter().enumerate().take(3) {
        apply(&world.path(name), Change::Write, 1_000 + number);
    }
    let mut calls: Vec<Known> = Vec::new();
    for (number, step) in steps.into_iter().enumerate() {
        match step {
            Step::Agent { file, change, seen, says } => {
                let path = world.path(NAMES[file]);
                let before = real(&path);
                let says = says && matches!(change, Change::Write);
                let expected = if says { Expected::Whole(format!("content {number}")) } else { Expected::Unknown };
                let id = world.keep_targets(&[Target { expected, ..target(NAMES[file]) }]).call.id.clone();
                apply(&path, change, number);
                if seen {
                    world.store.observe(&id).unwrap();
                }
                let left = real(&path);
                if world.store.call(&id).is_some() {
                    // An edit that gives a file another mode is not what its arguments say.
                    let same_mode = match (&before, &left) {
                        (Real::File(_, mode), Real::File(_, now)) => mode == now,
                        // What is written to a link goes elsewhere.
                        (Real::Link(_), _) => false,
                        _ => true,
                    };
                    let is_known = seen || (says && same_mode);
                    calls.push(Known { id, file, before, left, is_known, is_seen: seen, is_undo: false });
                } else {
                    assert_eq!(before, left, "only what changed nothing is forgotten");
                }
            }
            Step::Person { file, change } => apply(&world.path(NAMES[file]), change, number),
            Step::Reopen => world = world.reopened(),
            Step::Restore { calls: bits, force } => {
                let chosen = calls.iter().enumerate().filter(|(index, _)| bits & (1 << (index % 32)) != 0);
                let selected: Vec<String> = chosen.map(|(_, call)| call.id.clone()).collect();
                check_restore(&mut world, &mut calls, &selected, force);
            }
        }
    }
}

fn check_restore(world: &mut World, calls: &mut Vec<Known>, selected: &[String], force: bool) {
    let present: Vec<Real> = NAMES.iter().map(|name| real(&world.path(name))).collect();
    let ids: Vec<&str> = selected.iter().map(String::as_str).collect();
    let dry = world.restore_with(&ids, force, true);
    let unchanged: Vec<Real> = NAMES.iter().map(|name| real(&world.path(name))).collect();
    assert_eq!(present, unchanged, "a dry run changes nothing");
    let files = world.restore_with(&ids, force, false);
    let outcomes = |files: &[handraise_undo::RestoredFile]| -> Vec<(std::path::PathBuf, FileOutcome)> {
        files.iter().map(|file| (file.path.clone(), file.outcome.clone())).collect()
    };
    assert_eq!(outcomes(&dry), outcomes(&files), "a dry run says what is done");
    let undo = world.store.calls().pop().filter(|kept| kept.call.is_undo);
    for (file, name) in NAMES.iter().enumerate() {
        let now = real(&world.path(name));
        let restored = files.iter().find(|restored| restored.path == world.path(name));
        let first = calls.iter().find(|call| call.file == file && selected.contains(&call.id));
        assert_eq!(restored.is_some(), first.is_some());
        let (Some(restored), Some(first)) = (restored, first) else {
            assert_eq!(now, present[file], "{name} was not meant");
            continue;
        };
        let theirs = is_theirs(calls, selected, file, &present[file]);
        match &restored.outcome {
            FileOutcome::Restored => {
                assert!(force || theirs, "{name}: something of a person would be lost");
                assert_eq!(now, first.before, "{name}: exactly what was there");
                let undo = undo.as_ref().expect("what was overwritten is kept");
                let path = KeptPath::from(world.path(name).strip_prefix("/").unwrap());
                let kept = undo.files.iter().find(|kept| kept.path == path).unwrap();
                let before = match (&kept.before, &present[file]) {
                    (FileState::Absent, _) => Real::Absent,
                    (FileState::File { hash, mode, .. }, _) => Real::File(world.store.content(*hash).unwrap(), *mode),
                    (FileState::Link { target }, _) => Real::Link(target.0.clone()),
                    other => panic!("{other:?}"),
                };
                assert_eq!(before, present[file], "{name}: and can be had again");
                calls.push(Known {
                    id: undo.call.id.clone(),
                    file,
                    before,
                    left: now,
                    is_known: true,
                    is_seen: true,
                    is_undo: true,
                });
            }
            FileOutcome::Unchanged => {
                assert_eq!(now, first.before);
                assert_eq!(now, present[file]);
            }
            FileOutcome::Refused { why, .. } => {
                assert!(!force && !theirs, "{name}: refused though it is all theirs: {why}");
                assert_eq!(now, present[file], "{name}: left as it is");
            }
            FileOutcome::Stays => panic!("no folder was made"),
        }
    }
    assert_eq!(leftovers(&world.project), Vec::<std::path::PathBuf>::new());
    assert_eq!(leftovers(&world.path("dir")), Vec::<std::path::PathBuf>::new());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_restore_gives_exactly_the_earlier_file_or_refuses(steps in prop::collection::vec(step(), 1..40)) {
        run(steps);
    }
}
