//! What is put back, and what is refused.

use std::os::unix::fs::{PermissionsExt, symlink};

use handraise_undo::{Expected, FileOutcome, FileState, Limits, Store, Target, Undoable};

use crate::support::{NOW, World, leftovers, refused, target};

#[test]
fn an_edit_is_put_back_with_its_bytes_and_its_mode() {
    let mut world = World::new();
    std::fs::write(world.path("run.sh"), b"one\0\xff\r\n").unwrap();
    std::fs::set_permissions(world.path("run.sh"), PermissionsExt::from_mode(0o755)).unwrap();
    let id = world.keep(&["run.sh"]).call.id.clone();
    std::fs::remove_file(world.path("run.sh")).unwrap();
    world.write("run.sh", "two");
    world.store.observe(&id).unwrap();
    assert_eq!(world.outcome(&id), FileOutcome::Restored);
    assert_eq!(std::fs::read(world.path("run.sh")).unwrap(), b"one\0\xff\r\n");
    assert_eq!(world.path("run.sh").metadata().unwrap().permissions().mode() & 0o7777, 0o755);
    assert_eq!(leftovers(&world.project), Vec::<std::path::PathBuf>::new());
    assert_eq!(world.outcome(&id), FileOutcome::Unchanged);
}

#[test]
fn what_was_not_there_goes_and_what_is_gone_comes_back() {
    let mut world = World::new();
    world.write("old", "old");
    symlink("old", world.path("link")).unwrap();
    let id = world.keep(&["old", "link", "new/deep/file"]).call.id.clone();
    std::fs::remove_file(world.path("old")).unwrap();
    std::fs::remove_file(world.path("link")).unwrap();
    std::fs::create_dir_all(world.path("new/deep")).unwrap();
    world.write("new/deep/file", "made");
    world.store.observe(&id).unwrap();
    let outcomes = world.restore(&[&id]);
    assert!(outcomes.iter().all(|file| file.outcome == FileOutcome::Restored), "{outcomes:?}");
    assert_eq!(world.read("old"), "old");
    assert_eq!(std::fs::read_link(world.path("link")).unwrap().to_str(), Some("old"));
    assert!(!world.path("new").exists());
}

#[test]
fn a_folder_that_was_removed_comes_back_with_all_that_was_in_it() {
    let mut world = World::new();
    std::fs::create_dir_all(world.path("src/deep")).unwrap();
    std::fs::set_permissions(world.path("src/deep"), PermissionsExt::from_mode(0o700)).unwrap();
    world.write("src/a", "a");
    world.write("src/deep/b", "b");
    symlink("/nowhere", world.path("src/l")).unwrap();
    let id = world.keep(&["src"]).call.id.clone();
    std::fs::remove_dir_all(world.path("src")).unwrap();
    world.store.observe(&id).unwrap();
    let outcomes = world.restore(&[&id]);
    assert!(outcomes.iter().all(|file| file.outcome == FileOutcome::Restored), "{outcomes:?}");
    assert_eq!((world.read("src/a"), world.read("src/deep/b")), ("a".into(), "b".into()));
    assert_eq!(world.path("src/deep").metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(std::fs::read_link(world.path("src/l")).unwrap().to_str(), Some("/nowhere"));
}

#[test]
fn a_folder_that_a_call_made_stays_when_something_else_is_in_it() {
    let mut world = World::new();
    let id = world.keep(&["new/file"]).call.id.clone();
    std::fs::create_dir(world.path("new")).unwrap();
    world.write("new/file", "made");
    world.store.observe(&id).unwrap();
    world.write("new/mine", "a person's");
    let outcomes = world.restore(&[&id]);
    assert_eq!(outcomes[0].outcome, FileOutcome::Stays);
    assert_eq!(outcomes[1].outcome, FileOutcome::Restored);
    assert_eq!(world.read("new/mine"), "a person's");
    assert!(!world.path("new/file").exists());
}

#[test]
fn what_a_person_changed_since_stays_and_is_kept_when_forced() {
    let mut world = World::new();
    world.write("a", "before");
    let id = world.edit("a", "agent");
    world.write("a", "person");
    assert_eq!(refused(&world.outcome(&id)), ("it was changed since", true));
    assert_eq!(world.read("a"), "person");
    assert_eq!(world.restore_with(&[&id], true, true)[0].outcome, FileOutcome::Restored);
    assert_eq!(world.read("a"), "person", "only said what it would do");
    assert_eq!(world.restore_with(&[&id], true, false)[0].outcome, FileOutcome::Restored);
    assert_eq!(world.read("a"), "before");
    // What was overwritten is a call of its own, and can be put back in turn.
    let undo = world.store.calls().pop().unwrap();
    assert!(undo.call.is_undo);
    assert_eq!(world.outcome(&undo.call.id), FileOutcome::Restored);
    assert_eq!(world.read("a"), "person");
}

#[test]
fn a_changed_mode_is_a_change() {
    let mut world = World::new();
    world.write("a", "before");
    let id = world.edit("a", "agent");
    std::fs::set_permissions(world.path("a"), PermissionsExt::from_mode(0o600)).unwrap();
    assert_eq!(refused(&world.outcome(&id)).0, "it was changed since");
}

#[test]
fn a_session_goes_back_to_where_its_first_call_began() {
    let mut world = World::new();
    world.write("a", "0");
    let ids = [world.edit("a", "1"), world.edit("a", "2"), world.edit("a", "3")];
    // One in the middle: a later call stands on it.
    let (why, force_helps) = (world.outcome(&ids[1]), true);
    assert_eq!(refused(&why), (format!("a later call changed it too: {}", ids[2]).as_str(), force_helps));
    assert_eq!(world.outcome(&ids[2]), FileOutcome::Restored);
    assert_eq!(world.read("a"), "2");
    let all: Vec<&str> = ids.iter().map(String::as_str).collect();
    assert_eq!(world.restore(&all)[0].outcome, FileOutcome::Restored);
    assert_eq!(world.read("a"), "0");
}

#[test]
fn a_person_between_two_calls_is_not_passed_over() {
    let mut world = World::new();
    world.write("a", "0");
    let first = world.edit("a", "1");
    world.write("a", "person");
    let second = world.edit("a", "2");
    assert_eq!(refused(&world.restore(&[&first, &second])[0].outcome).0, "it was changed since");
    assert_eq!(world.outcome(&second), FileOutcome::Restored);
    assert_eq!(world.read("a"), "person");
}

#[test]
fn what_nobody_saw_takes_a_person_unless_the_call_says_what_it_writes() {
    let mut world = World::new();
    world.write("a", "one two one");
    let unseen = world.keep(&["a"]).call.id.clone();
    world.write("a", "agent");
    assert!(refused(&world.outcome(&unseen)).0.starts_with("nobody saw what the call left"));

    let whole = Target { expected: Expected::Whole("all of it".into()), ..target("b") };
    let id = world.keep_targets(&[whole]).call.id.clone();
    world.write("b", "all of it");
    assert_eq!(world.outcome(&id), FileOutcome::Restored);

    for result in ["1 two one", "1 two 1"] {
        world.write("a", "one two one");
        let piece = Expected::Replaced { before: "one".into(), after: "1".into() };
        let id = world.keep_targets(&[Target { expected: piece, ..target("a") }]).call.id.clone();
        world.write("a", result);
        assert_eq!(world.outcome(&id), FileOutcome::Restored);
        let piece = Expected::Replaced { before: "one".into(), after: "1".into() };
        let id = world.keep_targets(&[Target { expected: piece, ..target("a") }]).call.id.clone();
        world.write("a", "1 two one, and a person's");
        assert!(matches!(world.outcome(&id), FileOutcome::Refused { .. }));
    }
}

#[test]
fn a_call_that_changed_nothing_is_forgotten() {
    let mut world = World::new();
    world.write("a", "same");
    let id = world.keep(&["a", "b"]).call.id.clone();
    world.store.observe(&id).unwrap();
    assert_eq!(world.store.call(&id), None);
    assert_eq!(std::fs::read_dir(world.root.path().join("kept/contents")).unwrap().count(), 0);
    assert_eq!(std::fs::read_dir(world.root.path().join("kept/calls")).unwrap().count(), 0);
}

#[test]
fn the_first_look_at_what_a_call_left_counts() {
    let mut world = World::new();
    world.write("a", "before");
    let id = world.edit("a", "agent");
    world.write("a", "person");
    // An agent may say twice that a call is over.
    world.store.observe(&id).unwrap();
    assert_eq!(refused(&world.outcome(&id)).0, "it was changed since");
}

#[test]
fn it_is_all_there_when_the_store_is_opened_again() {
    let mut world = World::new();
    world.write("a", "before");
    let id = world.edit("a", "agent");
    let known = world.store.calls();
    let mut world = world.reopened();
    assert_eq!(world.store.calls(), known);
    let undo = world.call();
    let other = handraise_undo::NewCall { id: "ffff".into(), ..undo };
    let restore = handraise_undo::Restore { ids: [id].into(), force: false, dry_run: false, undo: other };
    assert_eq!(world.store.restore(restore).unwrap()[0].outcome, FileOutcome::Restored);
    assert_eq!(world.read("a"), "before");
}

#[test]
fn the_oldest_goes_first_when_there_is_too_much() {
    let limits = Limits { store_bytes: 250, ..Limits::default() };
    let mut world = World::with(limits);
    let mut ids = Vec::new();
    for round in 0..4 {
        world.write("a", &format!("{round:0100}"));
        ids.push(world.keep(&["a"]).call.id.clone());
    }
    let left: Vec<String> = world.store.calls().into_iter().map(|kept| kept.call.id.clone()).collect();
    assert_eq!(left, ids[2..]);
    assert_eq!(std::fs::read_dir(world.root.path().join("kept/contents")).unwrap().count(), 2);
    // More than there is room for at all is not kept, and says so.
    world.write("a", &"x".repeat(300));
    let (call, look) = (world.call(), world.store.look(&world.project, &[target("a")]).unwrap());
    assert!(world.store.keep(call, look).is_err());
}

#[test]
fn what_is_old_goes() {
    let mut world = World::new();
    world.write("a", "before");
    let id = world.edit("a", "agent");
    let age = world.store.limits().age;
    world.store.prune(NOW + age);
    assert!(world.store.call(&id).is_some());
    world.store.prune(NOW + age + jiff::SignedDuration::from_secs(1));
    assert_eq!(world.store.call(&id), None);
}

#[test]
fn a_record_that_cannot_be_read_takes_no_content_away() {
    let mut world = World::new();
    world.write("a", "before");
    let id = world.edit("a", "agent");
    let record = world.root.path().join(format!("kept/calls/{id}.json"));
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, "{").unwrap();
    let store = Store::open(&world.root.path().join("kept"), Limits::default(), NOW).unwrap();
    assert!(store.calls().is_empty());
    std::fs::write(&record, text).unwrap();
    let store = Store::open(&world.root.path().join("kept"), Limits::default(), NOW).unwrap();
    let FileState::File { hash, .. } = store.calls()[0].files[0].before.clone() else { panic!() };
    assert_eq!(store.content(hash).unwrap(), b"before");
}

#[test]
fn a_damaged_content_is_not_put_back() {
    let mut world = World::new();
    world.write("a", "before");
    let id = world.edit("a", "agent");
    let content = std::fs::read_dir(world.root.path().join("kept/contents")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(content, "beforf").unwrap();
    let (outcome, _) = (world.restore_with(&[&id], true, false), ());
    assert!(refused(&outcome[0].outcome).0.contains("damaged"), "{outcome:?}");
    assert_eq!(world.read("a"), "agent");
}

#[test]
fn the_store_is_for_this_user_alone() {
    let mut world = World::new();
    world.write("secret", "s");
    std::fs::set_permissions(world.path("secret"), PermissionsExt::from_mode(0o666)).unwrap();
    world.edit("secret", "t");
    let mut folders = vec![world.root.path().join("kept")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700, "{}", folder.display());
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files += 1;
                assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{}", path.display());
            }
        }
    }
    assert_eq!(files, 2);
}

#[test]
fn it_says_how_much_can_be_undone() {
    let limits = Limits { file_bytes: 1024 * 1024, ..Limits::default() };
    let mut world = World::with(limits);
    world.write("small", "x");
    world.write("large", &"x".repeat(1024 * 1024 + 1));
    assert_eq!(world.keep(&["small"]).undoable(), Undoable::Whole);
    assert_eq!(world.keep(&["small", "large"]).undoable(), Undoable::InPart);
    let large = world.keep(&["large"]);
    assert_eq!(large.undoable(), Undoable::Nothing);
    assert_eq!(large.obstacle().unwrap().1, "it is larger than 1 MiB");
    let outcome = world.outcome(&large.call.id);
    assert_eq!(refused(&outcome), ("it was not kept: it is larger than 1 MiB", false));
}
