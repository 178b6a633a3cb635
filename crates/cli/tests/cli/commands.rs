//! What a person looks up and takes back at a terminal, against a server that really runs.

use std::process::Output;

use serde_json::Value;

use crate::common::{TestFolders, run, stderr, stdout};
use crate::serve::{Server, ask};

/// A server, and an approver's token for it.
struct World {
    place: TestFolders,
    server: Server,
}

impl World {
    fn new() -> Self {
        let place = TestFolders::new();
        let server = Server::start(&place);
        Self { place, server }
    }

    fn output(&self, arguments: &[&str]) -> Output {
        let token = self.place.path("approver.token");
        let token = token.to_str().unwrap();
        run(self.place.command(&[arguments, &["--token-file", token]].concat()), b"")
    }

    /// What it prints, when it succeeds.
    fn says(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        stdout(&output)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.says(&[arguments, &["--json"]].concat())).unwrap()
    }

    /// Why it fails with this exit code.
    fn fails(&self, arguments: &[&str], code: i32) -> String {
        let output = self.output(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        stderr(&output)
    }

    fn ask(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        ask(&self.place, &[arguments, &["--no-wait"]].concat())
    }
}

#[test]
fn calls_of_the_past_are_listed_and_shown_by_the_beginning_of_their_id() {
    let world = World::new();
    assert_eq!(world.says(&["history"]), "No call fits.\n");
    let (_, look) = world.ask(&["--tool", "look", "--risk", "read-only"]);
    let (_, make) = world.ask(&["--tool", "Bash", "--command", "make all && git push"]);
    world.ask(&["--tool", "drop", "--risk", "destructive"]);

    let listed = world.says(&["history"]);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 3, "{listed}");
    assert!(lines[0].contains("denied by rule") && lines[1].contains("waits for you"), "{listed}");
    assert!(lines[2].contains("allowed by rule"), "{listed}");
    assert_eq!(world.says(&["history", "--status", "denied", "--limit", "1"]).lines().count(), 1);
    let found = world.json(&["history", "--search", "git push"]);
    assert_eq!((found.as_array().unwrap().len(), &found[0]["id"]), (1, &make["id"]));
    assert_eq!(world.json(&["history", "--search", "git push&status=denied"]), serde_json::json!([]));
    assert_eq!(world.json(&["history", "--since", "2020-01-01"]).as_array().unwrap().len(), 3);
    assert_eq!(world.json(&["history", "--since", "2100-01-01T00:00:00Z"]), serde_json::json!([]));

    // What a list prints is enough to name a call.
    let id = lines[1].split(' ').next().unwrap();
    assert!(make["id"].as_str().unwrap().starts_with(id), "{listed}");
    let shown = world.says(&["show", id]);
    for words in ["waits for you", "make all && git push", "Its parts, and what your rules say", "ask      2  git push"]
    {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(world.json(&["show", look["id"].as_str().unwrap()])["result"]["status"], "approved");
    // All of them were asked in this century: their ids begin alike.
    let ambiguous = world.fails(&["show", "0"], 1);
    assert!(ambiguous.contains("may mean more than one call") && ambiguous.contains(id), "{ambiguous}");
    assert!(world.fails(&["show", "ffff"], 1).contains("`handraise history` lists the latest"));
    assert_eq!(world.server.stop(), Some(0));
}

#[test]
fn what_is_remembered_is_listed_and_taken_back() {
    let world = World::new();
    assert_eq!(world.says(&["grants"]), "Nothing is remembered.\n");
    assert_eq!(world.says(&["sessions"]), "No agent has asked yet.\n");
    let call = ["--tool", "edit", "--session", "s"];
    let approve = || {
        let (code, asked) = world.ask(&call);
        assert_eq!(code, Some(3), "{asked}");
        let (id, hash) = (asked["id"].as_str().unwrap(), asked["arguments_hash"].as_str().unwrap());
        world.says(&["approve", id, "--hash", hash, "--scope", "session"]);
        assert_eq!(world.ask(&call).0, Some(0), "it is not remembered");
    };
    approve();
    let grants = world.says(&["grants"]);
    assert!(grants.contains("allows") && grants.contains("edit") && grants.contains("for its session"), "{grants}");
    let sessions = world.says(&["sessions"]);
    assert!(sessions.contains("1 remembered answer") && sessions.contains("2 calls"), "{sessions}");
    let revoked = world.says(&["revoke", grants.split(' ').next().unwrap()]);
    assert!(revoked.starts_with("Revoked: allows"), "{revoked}");
    assert_eq!(world.says(&["grants"]), "Nothing is remembered.\n");

    approve();
    let listed = world.says(&["sessions"]);
    let session = listed.split(' ').next().unwrap();
    assert_eq!(world.json(&["grants", "--session", session]).as_array().unwrap().len(), 1);
    let ended = world.says(&["revoke", "--session", session]);
    assert!(ended.contains("over: 1"), "{ended}");
    assert_eq!(world.ask(&call).0, Some(3));
    assert!(world.fails(&["revoke", "ffff"], 1).contains("`handraise grants` lists them"));
    // Who asks takes nothing back.
    let requester = world.place.folders.token_file("default");
    let arguments = ["revoke", "ffff", "--token-file", requester.to_str().unwrap()];
    assert_eq!(run(world.place.command(&arguments), b"").status.code(), Some(1));
    assert_eq!(world.server.stop(), Some(0));
}

#[test]
fn a_rule_of_the_persons_own_is_written_as_it_stands() {
    let world = World::new();
    let (_, asked) = world.ask(&["--tool", "Bash", "--command", "touch notes"]);
    let (id, hash) = (asked["id"].as_str().unwrap(), asked["arguments_hash"].as_str().unwrap());
    let approve = |rule| [&["approve", id, "--hash", hash, "--scope", "always", "--rule"][..], &[rule]].concat();
    let rule = "[[rule]]\naction = \"allow\"\ncommand = \"touch notes\"\nrisk = [\"read_only\", \"write\"] # from a terminal\n";
    let wrong = rule.replace("touch notes", "touch other");
    let refused = world.fails(&approve(&wrong), 1);
    assert!(refused.contains("The rule does not cover `touch notes`"), "{refused}");
    world.says(&approve(rule));
    let policy = std::fs::read_to_string(world.place.folders.policy_file()).unwrap();
    assert!(policy.contains(rule), "{policy}");
    assert_eq!(world.ask(&["--tool", "Bash", "--command", "touch notes"]).0, Some(0));
    assert_eq!(world.server.stop(), Some(0));
}

#[test]
fn of_a_line_only_the_commands_that_are_named_are_remembered() {
    let world = World::new();
    let line = "cargo test -q && make lint && git push origin main";
    let ask = |line: &str| world.ask(&["--tool", "Bash", "--session", "s", "--command", line]);
    let (code, asked) = ask(line);
    assert_eq!(code, Some(3), "{asked}");
    let (id, hash) = (asked["id"].as_str().unwrap(), asked["arguments_hash"].as_str().unwrap());
    let shown = world.says(&["show", id]);
    for row in ["1  cargo test -q", "2  make lint", "3  git push origin main"] {
        assert!(shown.contains(row), "{row}: {shown}");
    }
    let approve = |numbers| {
        let scope = ["--scope", "session", "--covers", "prefix", "--commands", numbers];
        [&["approve", id, "--hash", hash][..], &scope].concat()
    };
    let refused = world.fails(&approve("2,3"), 1);
    assert!(refused.contains("Command 3 cannot be remembered by itself; what can is 1, 2"), "{refused}");
    world.says(&approve("1"));
    assert_eq!(ask("cargo test --doc").0, Some(0), "it is not remembered");
    assert_eq!(ask("make lint").0, Some(3), "it was not named");
    assert_eq!(world.server.stop(), Some(0));
}

#[test]
fn a_pause_lets_nothing_pass_until_it_is_ended() {
    let world = World::new();
    let look = ["--tool", "look", "--risk", "read-only"];
    let mode = |world: &World| world.server.get(&world.place, "/v1/mode");
    assert_eq!(world.ask(&look).0, Some(0));
    assert_eq!(world.says(&["pause"]), "Paused: Handraise asks about everything until you resume.\n");
    assert_eq!(world.ask(&look).0, Some(3));
    assert_eq!(mode(&world), serde_json::json!({ "mode": "ask_everything" }));

    assert_eq!(world.says(&["pause", "--deny"]), "Paused: Handraise denies everything until you resume.\n");
    let (code, denied) = world.ask(&look);
    assert_eq!((code, &denied["status"]), (Some(1), &"denied".into()));
    assert!(denied["reason"].as_str().unwrap().contains("paused"), "{denied}");

    // Nobody but an approver pauses or resumes.
    let requester = world.place.folders.token_file("default");
    let arguments = ["resume", "--token-file", requester.to_str().unwrap()];
    let refused = run(world.place.command(&arguments), b"");
    assert!(refused.status.code() == Some(1) && stderr(&refused).contains("it takes a person"), "{refused:?}");
    assert_eq!(world.ask(&look).0, Some(1));

    let told = world.says(&["pause", "--for", "2h"]);
    assert!(told.starts_with("Paused: Handraise asks about everything until ") && told.contains(':'), "{told}");
    let state = mode(&world);
    assert_eq!(state["mode"], "ask_everything");
    assert!(state["until"].is_string(), "{state}");
    assert_eq!(world.ask(&look).0, Some(3));
    assert_eq!(world.says(&["resume"]), "Not paused: the policy decides.\n");
    assert_eq!(world.ask(&look).0, Some(0));

    // One that ends by itself does: what is asked then is answered by the rules again.
    world.says(&["pause", "--deny", "--for", "1s"]);
    let deadline = std::time::Instant::now();
    while world.ask(&look).0 != Some(0) {
        assert!(deadline.elapsed().as_secs() < 60, "it does not end");
    }
    assert_eq!(mode(&world), serde_json::json!({ "mode": "normal" }));
    assert_eq!(world.server.stop(), Some(0));
}

#[test]
fn the_doctor_knows_what_a_person_is_asked_on_and_counts_what_is_fine() {
    let world = World::new();
    let doctor = |arguments: &[&str]| {
        let home = world.place.path("home");
        std::fs::create_dir_all(&home).unwrap();
        let flags = ["--agents-home", home.to_str().unwrap()];
        stdout(&run(world.place.command(&[&["doctor"], arguments, &flags].concat()), b""))
    };
    let told = doctor(&[]);
    assert!(told.contains("terminal") && told.contains("`handraise watch` asks them in a terminal"), "{told}");
    let fine: Vec<&str> = told.lines().filter(|line| line.starts_with("fine")).collect();
    assert!(fine.len() == 1 && fine[0].contains("server"), "{told}");
    assert!(doctor(&["--all"]).lines().filter(|line| line.starts_with("fine")).count() > 1);
    assert_eq!(world.server.stop(), Some(0));
}

#[test]
fn colour_is_what_was_asked_for() {
    let world = World::new();
    world.ask(&["--tool", "look", "--risk", "read-only"]);
    let escape = '\u{1b}';
    assert!(!world.says(&["history"]).contains(escape), "a pipe is no terminal");
    assert!(world.says(&["--color", "always", "history"]).contains(escape));
    assert!(world.says(&["history", "--color=always"]).contains(escape));
    assert!(!world.says(&["--color", "never", "history"]).contains(escape));
    assert!(world.says(&["--color", "always", "--help"]).contains(escape));
    assert!(!world.says(&["--color", "never", "--help"]).contains(escape));
    assert_eq!(world.server.stop(), Some(0));
}

#[test]
fn completions_and_manual_pages_are_made_from_the_commands() {
    let place = TestFolders::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&run(place.command(&["completions", shell]), b""));
        for words in ["history", "token-file", "ask-everything-not"] {
            assert_eq!(script.contains(words), words != "ask-everything-not", "{shell}: {words}");
        }
    }
    let folder = place.path("man");
    let made = run(place.command(&["manual", folder.to_str().unwrap()]), b"");
    assert!(made.status.success(), "{made:?}");
    let page = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
    assert!(page("handraise").contains("history") && page("handraise").starts_with(".ie"));
    assert!(page("handraise-policy-explain").contains(".SH OPTIONS"));
    assert!(!page("handraise").contains("manual\\-pages") && !folder.join("handraise-manual.1").exists());
}
