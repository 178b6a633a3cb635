//! Files that an agent has prepared.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use handraise_undo::{FileOutcome, FileState, Limits};

use crate::support::{World, leftovers, refused, target, why};

#[test]
fn no_link_is_followed_on_the_way() {
    let mut world = World::new();
    let outside = world.root.path().canonicalize().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret"), "secret").unwrap();
    symlink(&outside, world.path("way")).unwrap();
    let kept = world.keep(&["way/secret"]);
    assert_eq!(why(&kept.files[0].before), "a link or a file is on the way to it");
    // A link itself is kept as one, and what it leads to is not looked at.
    let kept = world.keep(&["way"]);
    assert!(matches!(kept.files[0].before, FileState::Link { .. }), "{kept:?}");
    assert_eq!(kept.files.len(), 1);
}

#[test]
fn a_folder_that_became_a_link_leads_nowhere_else() {
    let mut world = World::new();
    let outside = world.root.path().canonicalize().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::create_dir(world.path("src")).unwrap();
    world.write("src/a", "before");
    let id = world.edit("src/a", "agent");
    std::fs::rename(world.path("src"), world.path("moved")).unwrap();
    std::fs::write(outside.join("a"), "agent").unwrap();
    symlink(&outside, world.path("src")).unwrap();
    let outcome = world.restore_with(&[&id], true, false);
    assert!(refused(&outcome[0].outcome).0.contains("a link or a file is on the way"), "{outcome:?}");
    assert_eq!(std::fs::read_to_string(outside.join("a")).unwrap(), "agent");
    assert_eq!(std::fs::read_dir(outside).unwrap().count(), 1);
}

#[test]
fn a_file_that_became_a_link_is_put_back_as_the_file() {
    let mut world = World::new();
    let outside = world.root.path().canonicalize().unwrap().join("outside");
    std::fs::write(&outside, "not to be touched").unwrap();
    world.write("a", "before");
    let id = world.keep(&["a"]).call.id.clone();
    std::fs::remove_file(world.path("a")).unwrap();
    symlink(&outside, world.path("a")).unwrap();
    world.store.observe(&id).unwrap();
    assert_eq!(world.outcome(&id), FileOutcome::Restored);
    assert!(world.path("a").symlink_metadata().unwrap().is_file());
    assert_eq!(world.read("a"), "before");
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "not to be touched");
}

#[test]
fn nothing_outside_and_nothing_of_git_is_kept() {
    let mut world = World::new();
    std::fs::create_dir_all(world.path(".git/hooks")).unwrap();
    std::fs::create_dir_all(world.path("sub/.GIT")).unwrap();
    world.write(".git/config", "x");
    world.write("sub/.GIT/config", "x");
    world.write("sub/a", "x");
    for name in ["../a", "/etc/passwd", "a/../../b", "", "."] {
        let kept = world.keep_targets(&[target(name)]);
        assert!(why(&kept.files[0].before).len() > 10, "{name}: {kept:?}");
    }
    for name in [".git", ".git/config", ".git/hooks/new", "sub/.GIT/config"] {
        assert_eq!(why(&world.keep(&[name]).files[0].before), "it belongs to git", "{name}");
    }
    let kept = world.keep(&["sub"]);
    let names: Vec<&Path> = kept.files.iter().map(|file| file.path.as_path()).collect();
    assert_eq!(names, [Path::new("sub"), Path::new("sub/a"), Path::new("sub/.GIT")]);
    assert_eq!(std::fs::read_dir(world.path(".git")).unwrap().count(), 2, "nothing was put there");
}

fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_pipe_and_a_socket_are_not_waited_for() {
    let mut world = World::new();
    make_pipe(&world.path("pipe"));
    let _socket = std::os::unix::net::UnixListener::bind(world.path("socket")).unwrap();
    for name in ["pipe", "socket"] {
        assert_eq!(why(&world.keep(&[name]).files[0].before), "it is a device, a pipe or a socket");
    }
    // One in the place of a kept file stays, even when forced: it cannot be kept.
    world.write("a", "before");
    let id = world.edit("a", "agent");
    std::fs::remove_file(world.path("a")).unwrap();
    make_pipe(&world.path("a"));
    let outcome = world.restore_with(&[&id], true, false);
    assert!(refused(&outcome[0].outcome).0.contains("could not be kept"), "{outcome:?}");
}

#[test]
fn other_names_of_a_file_are_not_parted_from_it() {
    let mut world = World::new();
    world.write("a", "before");
    std::fs::hard_link(world.path("a"), world.path("other")).unwrap();
    assert!(why(&world.keep(&["a"]).files[0].before).contains("other names"));
    std::fs::remove_file(world.path("other")).unwrap();
    let id = world.edit("a", "agent");
    std::fs::hard_link(world.path("a"), world.path("other")).unwrap();
    let outcome = world.restore_with(&[&id], true, false);
    assert!(refused(&outcome[0].outcome).0.contains("other names"), "{outcome:?}");
    assert_eq!(world.read("a"), "agent");
}

#[test]
fn a_huge_file_with_nothing_in_it_is_not_read() {
    let mut world = World::new();
    std::fs::File::create(world.path("huge")).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(why(&world.keep(&["huge"]).files[0].before), "it is larger than 8 MiB");
    // A small file that became one stays: what is there cannot be kept.
    world.write("a", "before");
    let id = world.edit("a", "agent");
    std::fs::File::options().write(true).open(world.path("a")).unwrap().set_len(1 << 40).unwrap();
    let outcome = world.restore_with(&[&id], true, false);
    assert!(refused(&outcome[0].outcome).0.contains("larger than 8 MiB"), "{outcome:?}");
}

#[test]
fn a_folder_with_too_much_in_it_is_not_kept_at_all() {
    let limits = Limits { call_files: 10, call_bytes: 1024 * 1024, ..Limits::default() };
    let mut world = World::with(limits);
    std::fs::create_dir_all(world.path("many/deep")).unwrap();
    for number in 0..12 {
        world.write(&format!("many/deep/{number}"), "x");
    }
    let kept = world.keep(&["many"]);
    assert_eq!((kept.files.len(), why(&kept.files[0].before)), (1, "it is a folder with more than 10 files"));
    std::fs::create_dir(world.path("large")).unwrap();
    world.write("large/a", &"x".repeat(600_000));
    world.write("large/b", &"y".repeat(600_000));
    assert!(why(&world.keep(&["large"]).files[0].before).contains("more than 1 MiB"));
    let names: Vec<String> = (0..12).map(|number| format!("many/deep/{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let kept = world.keep(&names);
    assert_eq!(kept.files.iter().filter(|file| file.before.is_known()).count(), 10);
    assert!(kept.obstacle().unwrap().1.contains("more than 10 files"));
}

#[test]
fn a_folder_in_the_place_of_a_file_stays() {
    let mut world = World::new();
    world.write("a", "before");
    let id = world.keep(&["a"]).call.id.clone();
    std::fs::remove_file(world.path("a")).unwrap();
    std::fs::create_dir(world.path("a")).unwrap();
    world.write("a/mine", "a person's");
    world.store.observe(&id).unwrap();
    let outcome = world.restore_with(&[&id], true, false);
    assert_eq!(refused(&outcome[0].outcome), ("a folder is there now; move it away first", false));
    assert_eq!(world.read("a/mine"), "a person's");
    assert_eq!(leftovers(&world.project), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_name_may_be_anything() {
    let mut world = World::new();
    let names: [&[u8]; 4] = [b"two\nlines", b"\xff\xfe", b"-rf", b" "];
    for name in names {
        let name = Path::new(OsStr::from_bytes(name));
        std::fs::write(world.project.join(name), "before").unwrap();
        let id = world.keep_targets(&[target(name)]).call.id.clone();
        std::fs::write(world.project.join(name), "agent").unwrap();
        world.store.observe(&id).unwrap();
        world = world.reopened();
        assert_eq!(world.outcome(&id), FileOutcome::Restored, "{name:?}");
        assert_eq!(std::fs::read(world.project.join(name)).unwrap(), b"before");
    }
}

#[test]
fn files_of_the_system_are_harmless() {
    let mut world = World::new();
    // They have no length, and some wait or never end.
    for name in ["proc/self/mem", "proc/kmsg", "dev/zero", "dev/tty", "proc/self/cwd/x", "sys/kernel"] {
        let targets = [target(name)];
        let call = world.call();
        let look = world.store.look(Path::new("/"), &targets).unwrap();
        for file in look.files() {
            assert!(!matches!(file.before, FileState::File { .. }), "{name}: {file:?}");
        }
        drop((call, look));
    }
}

#[test]
fn an_id_names_no_other_file() {
    let mut world = World::new();
    world.write("a", "x");
    for id in ["", "../a", "a/b", "x", "A B", &"a".repeat(65)] {
        let call = handraise_undo::NewCall { id: id.into(), ..world.call() };
        let look = world.store.look(&world.project, &[target("a")]).unwrap();
        assert!(world.store.keep(call, look).is_err(), "{id}");
    }
    assert_eq!(std::fs::read_dir(world.root.path().join("kept/contents")).unwrap().count(), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_person_who_saves_at_the_very_moment_loses_nothing() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    const SAVES: usize = 11;
    let mut world = World::new();
    world.write("a", "before");
    let id = world.edit("a", "agent");
    let (file, beside) = (world.path("a"), world.root.path().join("saving"));
    let (is_over, saves) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut beside_it = Vec::new();
    let (saved, own) = std::thread::scope(|scope| {
        let person = scope.spawn(|| {
            // Saves by exchanging, to see what it takes the place of.
            let (mut saved, mut own) = (Vec::new(), Vec::new());
            while !is_over.load(Ordering::Relaxed) {
                let content = format!("person {}", saved.len());
                std::fs::write(&beside, &content).unwrap();
                if renameat_with(CWD, &beside, CWD, &file, RenameFlags::EXCHANGE).is_ok() {
                    own.push(std::fs::read_to_string(&beside).unwrap());
                    saved.push(content);
                    saves.store(saved.len(), Ordering::Relaxed);
                }
            }
            (saved, own)
        });
        let mut restored = 0;
        // The person may have no processor for a while.
        while restored < 150 || saves.load(Ordering::Relaxed) < SAVES {
            restored += 1;
            for outcome in world.restore_with(&[&id], true, false) {
                // Two saves within one exchange: the person is told where the other one lies.
                if let FileOutcome::Refused { why, .. } = &outcome.outcome
                    && let Some(name) = why.split(' ').find(|word| word.starts_with(".handraise"))
                {
                    beside_it.push(world.path(name));
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
        person.join().unwrap()
    });
    assert!(saved.len() >= SAVES);
    let present = world.read("a");
    let told: Vec<String> = beside_it.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let kept: std::collections::HashSet<String> = std::fs::read_dir(world.root.path().join("kept/contents"))
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    for content in saved {
        let is_there =
            present == content || kept.contains(&content) || own.contains(&content) || told.contains(&content);
        assert!(is_there, "`{content}` is lost");
    }
    assert_eq!(leftovers(&world.project).len(), beside_it.len());
}
