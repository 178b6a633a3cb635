//! Calls that run at the same time in one project: what one of them hides, the other keeps nevertheless.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use crate::later::{begin, begin_by, put_on_small_disk, take_small_disk_away};
use crate::scene::{Mode, Programs, Scene, ordinary};

/// What says where hooks come from, how a call hides that, and from which place they come.
type Hidden = (fn(&Scene), &'static str, &'static str);

const HIDDEN: &[Hidden] = &[
    (
        |scene| {
            fs::remove_dir_all(scene.project.join(".git/hooks")).unwrap();
            symlink("../tools/hooks", scene.project.join(".git/hooks")).unwrap();
        },
        "rm .git/hooks; mkdir .git/hooks",
        "tools/hooks/pre-commit",
    ),
    (settings, "echo ../nothing > .git/commondir", "tools/hooks/pre-commit"),
    (settings, "printf '[core]\\n' > .git/config", "tools/hooks/pre-commit"),
    (|scene| symlink("tools/envrc", scene.project.join(".envrc")).unwrap(), "rm .envrc; echo > .envrc", "tools/envrc"),
];

fn settings(scene: &Scene) {
    fs::write(scene.project.join(".git/config"), "[core]\n\thooksPath = tools/hooks\n").unwrap();
}

#[test]
fn where_hooks_come_from_is_hidden_from_no_call_that_starts_meanwhile() {
    let _programs = Programs::install();
    for mode in [Mode::Namespaces, Mode::Abi(7)] {
        for (prepare, hide, place) in HIDDEN {
            let scene = Scene::new();
            fs::create_dir_all(scene.project.join("tools/hooks")).unwrap();
            fs::write(scene.project.join("tools/envrc"), "mine").unwrap();
            prepare(&scene);
            scene.give_away();
            let mut first = begin(&scene, mode, hide);
            let line = format!("{{ echo ready; read x; echo evil > {place}; }} 2>/dev/null");
            let mut second = begin_by(ordinary(scene.walls(mode).args(["-c", &line])));
            for child in [&mut first, &mut second] {
                drop(child.stdin.take());
                child.wait().unwrap();
            }
            let left = fs::read_to_string(scene.project.join(place)).unwrap_or_default();
            assert!(!left.contains("evil"), "{mode:?}: {hide}");
        }
    }
}

#[test]
fn calls_that_end_at_one_moment_put_everything_back_and_leave_nothing() {
    let _programs = Programs::install();
    for mode in [Mode::Namespaces, Mode::Abi(7)] {
        let scene = Scene::new();
        let line = "rm -rf .git/hooks; mkdir -p .claude; for i in 1 2 3 4 5 6 7 8; do echo x > .claude/$i; done";
        for round in 0..10 {
            let mut children: Vec<_> = (0..3).map(|_| begin(&scene, mode, line)).collect();
            for child in &mut children {
                drop(child.stdin.take());
            }
            for child in children {
                let ended = child.wait_with_output().unwrap();
                // As `read` ends where there is nothing more to read.
                assert_eq!(ended.status.code(), Some(1), "{mode:?}, round {round}");
            }
        }
        for folder in [scene.project.clone(), scene.project.join(".git"), scene.project.join(".git/hooks")] {
            let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
            let left: Vec<_> = names.filter(|name| name.to_string_lossy().contains("handraise")).collect();
            assert!(left.is_empty(), "{mode:?}: {left:?}");
        }
    }
}

/// A place that one call has closed is no reason for the next not to start.
#[test]
fn what_a_running_call_has_closed_holds_up_no_other() {
    let _programs = Programs::install();
    for mode in [Mode::Namespaces, Mode::Abi(7)] {
        let scene = Scene::new();
        let mut first = begin(&scene, mode, "mkdir .claude; chmod 0 .claude");
        let (code, said) = scene.line(mode, "true");
        assert_eq!(code, Some(0), "{mode:?}: {said}");
        drop(first.stdin.take());
        first.wait().unwrap();
        assert!(!scene.project.join(".claude").exists());
    }
}

/// Its supervisor is killed, and the disk is full: what was there is not lost, also when other calls have started since.
#[test]
fn what_nobody_could_put_back_stays_for_a_person() {
    if !crate::scene::is_root() {
        eprintln!("not tried here: only root can make a small disk");
        return;
    }
    let _programs = Programs::install();
    let scene = Scene::new();
    let settings = "[core]\n# of nobody else\n".repeat(2000);
    put_on_small_disk(&scene, &settings);
    let mut call = begin(&scene, Mode::Abi(7), ": > .git/config; cat /dev/zero > full");
    call.kill().unwrap();
    call.wait().unwrap();
    let notes = || {
        let user = crate::scene::user();
        let entries = fs::read_dir(format!("/tmp/handraise-confine-{user}")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let ours = paths.filter(|path| fs::read_to_string(path).is_ok_and(|text| text.contains("# of nobody else")));
        ours.filter(|path| path.to_string_lossy().contains("not-put-back")).collect::<Vec<_>>()
    };
    let is_back = || fs::read_to_string(scene.project.join(".git/config")).is_ok_and(|text| text == settings);
    let since = Instant::now();
    while notes().is_empty() && !is_back() && since.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = fs::remove_file(scene.project.join("full"));
    scene.line(Mode::Abi(7), "true");
    let left = is_back();
    let notes = notes();
    take_small_disk_away(&scene);
    assert!(left || !notes.is_empty(), "it is lost");
    notes.iter().for_each(|note| fs::remove_file(note).unwrap());
}
