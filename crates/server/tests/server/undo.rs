//! What passes without a person is kept first, and can be put back.

use std::path::{Path, PathBuf};

use handraise_protocol::{Preset, UndoSettings};
use serde_json::{Value, json};

use crate::support::{Reply, TestServer, start};

/// A server with a preset, and a project.
async fn world(root: &Path, preset: Preset) -> (TestServer, PathBuf) {
    let server = start(root).await;
    server.server.engine().set_preset(preset).await.unwrap();
    let project = root.canonicalize().unwrap().join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::create_dir_all(project.join("src")).unwrap();
    (server, project)
}

fn write(project: &Path, name: &str, content: &str) -> Value {
    let arguments = json!({ "file_path": project.join(name), "content": content });
    json!({ "tool": "Write", "arguments": arguments, "cwd": project, "session": "s" })
}

fn shell(project: &Path, line: &str) -> Value {
    json!({ "tool": "Bash", "arguments": { "command": line }, "cwd": project, "session": "s" })
}

/// Asks, which has to pass without a person; gives the id.
async fn passes(server: &TestServer, call: Value) -> String {
    let reply = server.ask("/v1/approvals?wait=0", call).await.body;
    assert_eq!((&reply["status"], &reply["decided_by"]), (&json!("approved"), &json!("policy")), "{reply}");
    reply["id"].as_str().unwrap().to_owned()
}

async fn kept(server: &TestServer) -> Vec<Value> {
    server.get("/v1/kept?diff=true").await["calls"].as_array().unwrap().clone()
}

async fn put_back(server: &TestServer, ids: &[&str], force: bool) -> Reply {
    server.post("/v1/kept/restore", json!({ "ids": ids, "force": force })).await
}

fn outcome(reply: &Reply) -> &str {
    let files = reply.body["files"].as_array().unwrap();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0]["outcome"].as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_that_the_preset_lets_pass_is_kept_changed_and_undone() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Workspace).await;
    let file = project.join("src/main.rs");
    std::fs::write(&file, "one\ntwo\n").unwrap();
    let id = passes(&server, write(&project, "src/main.rs", "one\n2\n")).await;
    // The answer is there, and so is what it was: in the store, not yet changed.
    std::fs::write(&file, "one\n2\n").unwrap();

    let calls = kept(&server).await;
    assert_eq!(calls.len(), 1, "{calls:?}");
    let call = &calls[0];
    assert_eq!((call["id"].as_str(), &call["undoable"]), (Some(id.as_str()), &json!("whole")));
    assert_eq!(call["title"], json!(format!("Write {}", file.display())));
    let changed = &call["files"][0];
    assert_eq!((&changed["path"], &changed["change"]), (&json!("src/main.rs"), &json!("changed")));
    assert_eq!(changed["outcome"], "restored");
    let signs: Vec<&str> =
        changed["diff"].as_array().unwrap().iter().map(|line| line["sign"].as_str().unwrap()).collect();
    assert_eq!(signs, ["keep", "remove", "add"]);

    let reply = put_back(&server, &[&id], false).await;
    assert_eq!(outcome(&reply), "restored");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\ntwo\n");
    // And the undo can be undone.
    let undo = reply.body["undo"].as_str().unwrap();
    let calls = kept(&server).await;
    let listed = calls.iter().find(|call| call["id"] == undo).unwrap();
    assert_eq!(listed["files"][0]["path"], json!(file.canonicalize().unwrap()), "{listed}");
    assert_eq!(outcome(&put_back(&server, &[undo], false).await), "restored");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one\n2\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_changed_in_between_is_refused_unless_forced() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Workspace).await;
    let file = project.join("a.txt");
    std::fs::write(&file, "before").unwrap();
    let id = passes(&server, write(&project, "a.txt", "agent")).await;
    std::fs::write(&file, "agent, and a person").unwrap();
    let reply = put_back(&server, &[&id], false).await;
    assert_eq!(outcome(&reply), "doubtful");
    assert_eq!(reply.body["undo"], Value::Null);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "agent, and a person");
    let reply = put_back(&server, &[&id], true).await;
    assert_eq!(outcome(&reply), "restored");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
    // Who did what stands in the log, before it was done.
    let log = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let entries: Vec<String> = log
        .prepare("SELECT entry FROM log WHERE entry LIKE '%put_back%'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(entries.len(), 2);
    assert!(entries[1].contains(&id) && entries[1].contains("\"force\":true"), "{entries:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_passes_because_it_can_be_undone_is_asked_about_when_it_cannot_be_kept() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Workspace).await;
    std::fs::write(project.join("large"), vec![b'x'; 9 * 1024 * 1024]).unwrap();
    std::fs::write(project.join("one"), "x").unwrap();
    std::fs::hard_link(project.join("one"), project.join("other")).unwrap();
    for (name, why) in [("large", "larger than 8 MiB"), ("one", "other names")] {
        let reply = server.ask("/v1/approvals?wait=0", write(&project, name, "y")).await.body;
        assert_eq!(reply["status"], "pending", "{reply}");
        let pending = server.server.engine().pending().await.unwrap();
        let shown = pending.iter().find(|shown| Some(shown.id.to_string().as_str()) == reply["id"].as_str()).unwrap();
        assert!(shown.explanation.contains("could not be undone"), "{}", shown.explanation);
        assert!(shown.explanation.contains(why), "{}", shown.explanation);
    }
    assert_eq!(kept(&server).await, Vec::<Value>::new());
    // The same in a batch.
    let calls = [write(&project, "large", "y"), write(&project, "fine", "y")];
    let reply = server.ask("/v1/approvals/batch?wait=0", json!({ "requests": calls })).await.body;
    let statuses: Vec<&Value> = reply["results"].as_array().unwrap().iter().map(|one| &one["status"]).collect();
    assert_eq!(statuses, ["pending", "approved"], "{reply}");
    assert_eq!(kept(&server).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_policy_lets_pass_by_itself_passes_and_says_that_it_cannot_be_undone() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Autonomous).await;
    std::fs::write(project.join("large"), vec![b'x'; 9 * 1024 * 1024]).unwrap();
    passes(&server, write(&project, "large", "y")).await;
    let calls = kept(&server).await;
    assert_eq!(calls[0]["undoable"], "nothing");
    assert!(calls[0]["files"][0]["why"].as_str().unwrap().contains("larger than 8 MiB"), "{calls:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_command_names_is_kept() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Autonomous).await;
    for (name, content) in [("src/a.rs", "a"), ("src/b.rs", "b"), ("old", "o"), ("text", "x")] {
        std::fs::write(project.join(name), content).unwrap();
    }
    let line = "rm src/*.rs && mv old new && sed -i s/x/y/ text && echo z > made";
    let id = passes(&server, shell(&project, line)).await;
    let run = std::process::Command::new("bash").args(["-c", line]).current_dir(&project).status().unwrap();
    assert!(run.success());
    // No agent said what it left, so a person has to say that it is meant.
    let reply = put_back(&server, &[&id], false).await;
    let outcomes: Vec<(&str, &str)> = reply.body["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|file| file["change"] != "none")
        .map(|file| (file["path"].as_str().unwrap().rsplit('/').next().unwrap(), file["outcome"].as_str().unwrap()))
        .collect();
    let doubtful = ["made", "new", "old", "a.rs", "b.rs", "text"].map(|name| (name, "doubtful"));
    assert_eq!(outcomes, doubtful);
    put_back(&server, &[&id], true).await;
    for (name, content) in [("src/a.rs", "a"), ("src/b.rs", "b"), ("old", "o"), ("text", "x")] {
        assert_eq!(std::fs::read_to_string(project.join(name)).unwrap(), content);
    }
    assert!(!project.join("made").exists() && !project.join("new").exists());
    // What only reads is not kept.
    let before = kept(&server).await.len();
    passes(&server, shell(&project, "cat src/a.rs")).await;
    assert_eq!(kept(&server).await.len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_passes_because_all_that_it_changes_can_be_undone() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Workspace).await;
    for (name, content) in [("text", "x"), ("src/c.rs", "c"), ("large", "")] {
        std::fs::write(project.join(name), content).unwrap();
    }
    let line = "sed -i s/x/y/ text && chmod +x text && cp text new && mv new src/c.rs";
    let id = passes(&server, shell(&project, line)).await;
    assert_eq!(kept(&server).await[0]["undoable"], "whole");
    let run = std::process::Command::new("bash").args(["-c", line]).current_dir(&project).status().unwrap();
    assert!(run.success());
    put_back(&server, &[&id], true).await;
    for (name, content) in [("text", "x"), ("src/c.rs", "c")] {
        assert_eq!(std::fs::read_to_string(project.join(name)).unwrap(), content);
    }
    assert!(!project.join("new").exists());

    let asks = async |line: &str| {
        let reply = server.ask("/v1/approvals?wait=0", shell(&project, line)).await.body;
        assert_eq!(reply["status"], "pending", "{line}: {reply}");
    };
    std::fs::write(project.join("large"), vec![b'x'; 9 * 1024 * 1024]).unwrap();
    std::fs::hard_link(project.join("text"), project.join("other")).unwrap();
    for line in ["sed -i s/x/y/ large", "sed -i s/x/y/ other", "rm src/c.rs", "cp src/c.rs ../out", "touch new; make"] {
        asks(line).await;
    }
    // Where nothing can be kept any more, nothing passes because of it.
    let store = server.folders.kept();
    assert!(store.is_dir());
    std::fs::remove_dir_all(&store).unwrap();
    std::fs::write(&store, "").unwrap();
    asks("sed -i s/c/d/ src/c.rs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_stays_kept_of_what_did_not_pass() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Practical).await;
    std::fs::write(project.join("a"), "x").unwrap();
    let reply = server.ask("/v1/approvals?wait=0", write(&project, "a", "y")).await.body;
    assert_eq!(reply["status"], "pending");
    assert_eq!(kept(&server).await, Vec::<Value>::new());
    server.decide(reply["id"].as_str().unwrap(), json!({ "decision": "deny" })).await;
    assert_eq!(kept(&server).await, Vec::<Value>::new());
    // What is over cannot be approved, and is not kept either.
    server.decide(reply["id"].as_str().unwrap(), json!({ "decision": "approve" })).await;
    assert_eq!(kept(&server).await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_approves_is_kept_as_the_prompt_says() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Practical).await;
    let file = project.join("a");
    std::fs::write(&file, "x").unwrap();
    let reply = server.ask("/v1/approvals?wait=0", write(&project, "a", "y")).await.body;
    let id = reply["id"].as_str().unwrap();
    let pending = server.server.engine().pending().await.unwrap();
    assert_eq!(pending[0].effect.sentence, "Changes files in project. Handraise can undo it.");
    // What is there at the moment of the answer counts, not what was there when it was asked.
    std::fs::write(&file, "later").unwrap();
    server.decide(id, json!({ "decision": "approve", "scope": "session" })).await;
    std::fs::write(&file, "y").unwrap();
    assert_eq!(kept(&server).await[0]["id"].as_str(), Some(id));
    assert_eq!(outcome(&put_back(&server, &[id], false).await), "restored");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "later");
    // What was remembered lets the next one pass, and that one is kept.
    let reply = server.ask("/v1/approvals?wait=0", write(&project, "a", "y")).await.body;
    assert_eq!(reply["decided_by"], "grant", "{reply}");
    assert_eq!(kept(&server).await[0]["id"], reply["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_prompt_promises_what_is_not_kept() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Practical).await;
    let off = UndoSettings { enabled: false, ..UndoSettings::default() };
    server.server.engine().set_undo(off).await.unwrap();
    server.ask("/v1/approvals?wait=0", write(&project, "a", "y")).await;
    // Neither what is too large, nor what has other names.
    server.server.engine().set_undo(UndoSettings::default()).await.unwrap();
    std::fs::write(project.join("large"), vec![b'x'; 9 * 1024 * 1024]).unwrap();
    std::fs::write(project.join("one"), "x").unwrap();
    std::fs::hard_link(project.join("one"), project.join("other")).unwrap();
    for name in ["large", "one", "src"] {
        server.ask("/v1/approvals?wait=0", write(&project, name, "y")).await;
    }
    let pending = server.server.engine().pending().await.unwrap();
    assert_eq!(pending.len(), 4);
    for shown in pending {
        assert_eq!(shown.effect.sentence, "Changes files in project. It cannot be undone.", "{}", shown.title);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_approver_sees_it_and_puts_it_back() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Autonomous).await;
    std::fs::write(project.join("a"), "before").unwrap();
    let id = passes(&server, write(&project, "a", "agent")).await;
    std::fs::write(project.join("a"), "agent").unwrap();
    assert_eq!(server.call("GET", "/v1/kept", &server.requester, None).await.status, 403);
    let body = json!({ "ids": [id], "force": true });
    assert_eq!(server.ask("/v1/kept/restore", body).await.status, 403);
    assert_eq!(std::fs::read_to_string(project.join("a")).unwrap(), "agent");
    let unknown = put_back(&server, &["019df000-0000-7000-8000-000000000000"], false).await;
    assert_eq!(unknown.status, 404, "{unknown:?}");
    assert_eq!(server.call("GET", "/v1/kept?limit=0", &server.approver, None).await.status, 422);
    // Nor does any call reach what is kept.
    let contents = server.folders.kept().join("contents");
    for line in [format!("cat {}/*", contents.display()), format!("cp -r {} .", contents.display())] {
        let reply = server.ask("/v1/evaluate", shell(&project, &line)).await.body;
        assert_eq!(reply["action"], "deny", "{line}: {reply}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_a_file_is_shown() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Autonomous).await;
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    for name in ["notes.md", ".env"] {
        std::fs::write(project.join(name), format!("token {secret}\nkept\n")).unwrap();
        let reply = server.ask("/v1/approvals?wait=0", write(&project, name, "gone\n")).await.body;
        if reply["status"] == "pending" {
            continue;
        }
        std::fs::write(project.join(name), "gone\n").unwrap();
    }
    let shown = server.get("/v1/kept?diff=true").await.to_string();
    assert!(shown.contains("notes.md") && shown.contains("redacted"), "{shown}");
    assert!(!shown.contains(secret), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_kept_when_a_person_wants_that() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Workspace).await;
    let engine = server.server.engine();
    engine.set_undo(UndoSettings { enabled: false, ..UndoSettings::default() }).await.unwrap();
    passes(&server, write(&project, "a", "x")).await;
    assert_eq!(kept(&server).await, Vec::<Value>::new());
    assert!(engine.set_undo(UndoSettings { days: 0, ..UndoSettings::default() }).await.is_err());
    engine.set_undo(UndoSettings::default()).await.unwrap();
    passes(&server, write(&project, "a", "x")).await;
    assert_eq!(kept(&server).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_command_left_is_seen_when_the_agent_says_that_it_is_over() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path(), Preset::Autonomous).await;
    let token = std::fs::read_to_string(server.folders.token_file("claude-code")).unwrap();
    let message = |event: &str| {
        json!({ "session_id": "s", "cwd": project, "hook_event_name": event, "tool_name": "Bash",
                "tool_input": { "command": "sed -i s/x/y/ text" }, "tool_use_id": "call_1" })
    };
    let text = project.join("text");
    std::fs::write(&text, "x").unwrap();
    let tell = |event| server.call("POST", "/v1/hooks/claude-code", &token, Some(message(event)));
    let answer = tell("PreToolUse").await.body;
    assert!(answer.to_string().contains("allow"), "{answer}");
    std::fs::write(&text, "y").unwrap();
    tell("PostToolUse").await;
    let calls = kept(&server).await;
    let id = calls[0]["id"].as_str().unwrap();
    let file = calls[0]["files"].as_array().unwrap().iter().find(|file| file["path"] == "text").unwrap();
    assert_eq!(file["outcome"], "restored", "{calls:?}");
    // A person's change after that is told apart from the agent's.
    std::fs::write(&text, "y, and a person").unwrap();
    let reply = put_back(&server, &[id], false).await;
    let of_text = reply.body["files"].as_array().unwrap().iter().find(|file| file["change"] == "changed").unwrap();
    assert_eq!((&of_text["outcome"], &of_text["why"]), (&json!("doubtful"), &json!("it was changed since")));
    std::fs::write(&text, "y").unwrap();
    put_back(&server, &[id], false).await;
    assert_eq!(std::fs::read_to_string(&text).unwrap(), "x");
}
