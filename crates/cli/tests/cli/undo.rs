//! `handraise undo`, against a server that really runs.

use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

use crate::common::{TestFolders, run, stderr, stdout};
use crate::serve::{Server, ask};

/// A server with the preset `workspace`, and a project.
struct World {
    place: TestFolders,
    project: PathBuf,
    _server: Server,
}

impl World {
    fn new() -> Self {
        let place = TestFolders::new();
        std::fs::write(place.folders.policy_file(), "version = 1\npreset = \"workspace\"\n").unwrap();
        let server = Server::start(&place);
        let project = place.path("project").canonicalize().unwrap_or_else(|_| {
            std::fs::create_dir_all(place.path("project/.git")).unwrap();
            place.path("project").canonicalize().unwrap()
        });
        Self { place, project, _server: server }
    }

    /// An agent edits: it asks, which passes, and writes.
    fn edit(&self, name: &str, content: &str) {
        let file = self.project.join(name);
        let arguments = serde_json::json!({ "file_path": file, "content": content }).to_string();
        let cwd = self.project.to_str().unwrap();
        let asked = ["--tool", "Write", "--arguments", &arguments, "--cwd", cwd, "--session", "s"];
        // As a program of its own: what an agent starts could not put anything back.
        let (code, result) = ask(&self.place, &asked);
        assert_eq!(code, Some(0), "{result}");
        std::fs::write(file, content).unwrap();
    }

    fn undo(&self, arguments: &[&str]) -> Output {
        let token = self.place.path("approver.token");
        let mut whole = vec!["undo"];
        whole.extend(arguments);
        whole.extend(["--token-file", token.to_str().unwrap()]);
        run(self.place.command(&whole), b"")
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.project.join(name)).unwrap()
    }
}

#[test]
fn it_lists_shows_and_puts_back() {
    let world = World::new();
    assert_eq!(stdout(&world.undo(&[])), "No call has changed anything that is kept.\n");
    std::fs::write(world.project.join("a.txt"), "one\ntwo\n").unwrap();
    world.edit("a.txt", "one\n2\n");
    world.edit("new.txt", "made\n");

    let listed = stdout(&world.undo(&[]));
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 4, "{listed}");
    assert!(lines[0].contains("Write ") && lines[0].contains("new.txt"), "{listed}");
    assert_eq!((lines[1], lines[3]), ("  created   new.txt", "  changed   a.txt"), "{listed}");
    let id = lines[2].split(' ').next().unwrap();
    let shown = stdout(&world.undo(&[id, "--diff"]));
    assert!(shown.contains("    - two\n    + 2\n"), "{shown}");

    let dry = world.undo(&[id, "--dry-run"]);
    assert_eq!(stdout(&dry), format!("would put back {}\n", world.project.join("a.txt").display()));
    assert_eq!(world.read("a.txt"), "one\n2\n");
    let done = world.undo(&[id]);
    assert!(done.status.success() && stdout(&done).starts_with("put back "), "{done:?}");
    assert_eq!(world.read("a.txt"), "one\ntwo\n");
    // It says how to take it back, and that works.
    let text = stdout(&done);
    let again = text.lines().last().unwrap().strip_prefix("To take this back: handraise undo ").unwrap().to_owned();
    assert!(world.undo(&[&again]).status.success());
    assert_eq!(world.read("a.txt"), "one\n2\n");
}

#[test]
fn a_session_goes_back_as_a_whole() {
    let world = World::new();
    for content in ["1", "2", "3"] {
        world.edit("a.txt", content);
    }
    let other = world.undo(&["--session", "other"]);
    assert!(other.status.success(), "{other:?}");
    assert_eq!(world.read("a.txt"), "3");
    let done = world.undo(&["--session", "s", "--json"]);
    assert!(done.status.success(), "{done:?}");
    let answer: Value = serde_json::from_str(&stdout(&done)).unwrap();
    assert_eq!(answer["files"][0]["outcome"], "restored");
    assert!(!world.project.join("a.txt").exists());
    world.edit("b.txt", "b");
    assert!(world.undo(&["--since", "1h"]).status.success());
    assert!(!world.project.join("b.txt").exists());
}

#[test]
fn what_a_person_wrote_stays_unless_forced() {
    let world = World::new();
    std::fs::write(world.project.join("a.txt"), "before").unwrap();
    world.edit("a.txt", "agent");
    std::fs::write(world.project.join("a.txt"), "person").unwrap();
    let left = world.undo(&["--session", "s"]);
    assert_eq!(left.status.code(), Some(1), "{left:?}");
    assert!(stdout(&left).starts_with("left as it is") && stdout(&left).contains("--force"), "{left:?}");
    assert_eq!(world.read("a.txt"), "person");
    assert!(world.undo(&["--session", "s", "--force"]).status.success());
    assert_eq!(world.read("a.txt"), "before");
}

#[test]
fn it_says_what_is_wrong() {
    let world = World::new();
    for (arguments, code, wrong) in [
        (&["--force"][..], 2, "say what to undo"),
        (&["ffff"], 1, "`ffff`; `handraise undo` lists them"),
        (&["01234567-0000-7000-8000-000000000000"], 1, "Nothing is kept of the call"),
    ] {
        let output = world.undo(arguments);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(stderr(&output).contains(wrong), "{output:?}");
    }
    assert_eq!(world.undo(&["--since", "yesterday"]).status.code(), Some(2));
    // Without a person's right, nothing.
    let output = run(world.place.command(&["undo"]), b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}
