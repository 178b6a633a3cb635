//! `kill -9` at any point: the store opens, every file is whole, and nothing that a person wrote is lost.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use handraise_undo::{ContentHash, FileOutcome, FileState, KeptPath, Limits, NewCall, Restore, Store};

use crate::support::{NOW, leftovers, target};

const FOLDER: &str = "HANDRAISE_UNDO_CRASH_FOLDER";
const FIRST: &str = "HANDRAISE_UNDO_CRASH_FIRST";

fn call(id: String, project: &Path) -> NewCall {
    NewCall {
        id,
        at: NOW,
        requester: "r".into(),
        agent: None,
        session: None,
        tool: "t".into(),
        title: "t".into(),
        root: KeptPath::from(project),
        names_all: true,
        is_undo: false,
    }
}

/// As editors save: whole or not at all.
fn save(path: &Path, content: &str) {
    let beside = path.with_extension("saving");
    std::fs::write(&beside, content).unwrap();
    std::fs::rename(beside, path).unwrap();
}

fn content(who: &str, round: usize) -> String {
    format!("{who} {round} {}", "x".repeat(20_000))
}

/// An agent edits, a person edits over it, and all is put back by force, over and over. Says each thing that a person
/// has written.
fn work(folder: &Path, first: usize) {
    let project = folder.join("project");
    let file = project.join("a");
    let store = Store::open(&folder.join("kept"), Limits::default(), NOW).unwrap();
    let mut out = std::io::stdout();
    for round in first.. {
        let kept = call(format!("{:08x}", round * 2), &project);
        let id = kept.id.clone();
        let look = store.look(&project, &[target("a"), target("new")]).unwrap();
        store.keep(kept, look).unwrap().unwrap();
        save(&file, &content("agent", round));
        save(&project.join("new"), &content("agent", round));
        store.observe(&id).unwrap();
        save(&file, &content("person", round));
        writeln!(out, "{round}").unwrap();
        out.flush().unwrap();
        let undo = call(format!("{:08x}", round * 2 + 1), &project);
        store.restore(Restore { ids: [id].into(), force: true, dry_run: false, undo }).unwrap();
    }
}

#[test]
fn nothing_is_lost_and_everything_opens_after_a_kill() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        work(Path::new(&folder), std::env::var(FIRST).unwrap().parse().unwrap());
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().canonicalize().unwrap();
    let project = folder.join("project");
    std::fs::create_dir(&project).unwrap();
    save(&project.join("a"), &content("first", 0));
    let mut first = 1;
    let mut written = Vec::new();
    // Each is killed at another point: after so many rounds, and a little later each time.
    for kill in 0..40_u32 {
        run_and_kill(&folder, first, kill, &mut written);
        let last = written.last().copied().unwrap_or(first);
        first = check(&folder, &project, &written).max(last) + 1;
    }
}

/// Adds the numbers of what a person is known to have `written`.
fn run_and_kill(folder: &Path, first: usize, kill: u32, written: &mut Vec<usize>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "crash::nothing_is_lost_and_everything_opens_after_a_kill",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(FOLDER, folder)
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let number = |line: String| line.rsplit(' ').next().and_then(|word| word.parse::<usize>().ok());
    // Not after a time but after some work, in the middle of more: a few hundred steps of this process further on.
    for line in lines.by_ref() {
        written.extend(number(line.unwrap()));
        if written.last().is_some_and(|round| *round >= first + 2) {
            break;
        }
    }
    for _ in 0..kill * 7 {
        std::thread::yield_now();
        std::hint::black_box(ContentHash::of(&[0; 4096]));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    written.extend(lines.map_while(Result::ok).filter_map(number));
    assert!(written.last().is_some_and(|round| *round >= first), "it got nowhere");
}

/// Gives the highest number that is known here.
fn check(folder: &Path, project: &Path, written: &[usize]) -> usize {
    let store = Store::open(&folder.join("kept"), Limits::default(), NOW).unwrap();
    let calls = store.calls();
    let mut held = Vec::new();
    for file in calls.iter().flat_map(|kept| &kept.files) {
        if let FileState::File { hash, .. } = file.before {
            store.content(hash).unwrap_or_else(|error| panic!("what a record names is there: {error}"));
            held.push(hash);
        }
    }
    // What lies in the folder is what records need.
    for entry in std::fs::read_dir(folder.join("kept/contents")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(held.iter().any(|hash| hash.to_string() == name), "{name} is needed by nothing");
    }
    let present = std::fs::read_to_string(project.join("a")).unwrap();
    let round = present.split(' ').nth(1).unwrap().parse::<usize>().unwrap();
    let who = present.split(' ').next().unwrap();
    assert_eq!(present, content(who, round), "whole");
    for round in written {
        let written = content("person", *round);
        let hash = ContentHash::of(written.as_bytes());
        let beside =
            || leftovers(project).iter().any(|path| std::fs::read_to_string(path).is_ok_and(|text| text == written));
        assert!(present == written || held.contains(&hash) || beside(), "what a person wrote in round {round} is lost");
    }
    // Everything back to the beginning: exactly what was there, and nothing is left beside it.
    let ids =
        calls.iter().map(|kept| kept.call.id.clone()).filter(|id| usize::from_str_radix(id, 16).unwrap() % 2 == 0);
    let next = calls.iter().map(|kept| usize::from_str_radix(&kept.call.id, 16).unwrap()).max().unwrap_or(0) / 2 + 1;
    let undo = call(format!("{:08x}", next * 2 + 1), project);
    let files = store.restore(Restore { ids: ids.collect(), force: true, dry_run: false, undo }).unwrap();
    for file in &files {
        assert!(matches!(file.outcome, FileOutcome::Restored | FileOutcome::Unchanged), "{file:?}");
    }
    assert_eq!(std::fs::read_to_string(project.join("a")).unwrap(), content("first", 0));
    assert!(!project.join("new").exists());
    assert_eq!(leftovers(project), Vec::<PathBuf>::new());
    next
}
