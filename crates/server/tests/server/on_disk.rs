//! A person who is asked about a file sees what is there already; who asks is not told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use handraise_protocol::Preset;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

use crate::support::{TestServer, start};

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// A server that asks about everything, and a project.
async fn world(root: &Path) -> (TestServer, PathBuf) {
    let server = start(root).await;
    server.server.engine().set_preset(Preset::Strict).await.unwrap();
    let project = root.canonicalize().unwrap().join("project");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    (server, project)
}

fn write(project: &Path, name: &str, content: &str) -> Value {
    let arguments = json!({ "file_path": project.join(name), "content": content });
    json!({ "tool": "Write", "arguments": arguments, "cwd": project, "session": "s" })
}

/// What a person is shown that `call` is about.
async fn subject(server: &TestServer, call: Value) -> Value {
    let asked = server.ask("/v1/approvals?wait=0", call).await.body;
    assert_eq!(asked["status"], "pending", "{asked}");
    let id = asked["id"].as_str().unwrap();
    let open = server.get("/v1/approvals").await;
    let shown = open["approvals"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap();
    shown["subject"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_overwritten_file_loses_is_shown_without_its_secrets() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path()).await;
    std::fs::write(project.join("notes.md"), format!("one\ntwo\ntoken = {SECRET}\n")).unwrap();

    let shown = subject(&server, write(&project, "notes.md", "one\n2\n")).await;
    let hunk = &shown["replaces"]["hunks"][0];
    assert_eq!((&shown["replaces"]["kind"], &hunk["before"], &hunk["after"]), (&json!("text"), &json!(1), &json!(1)));
    let signs: Vec<&str> =
        hunk["lines"].as_array().unwrap().iter().map(|line| line["sign"].as_str().unwrap()).collect();
    assert_eq!(signs, ["keep", "remove", "remove", "add"]);
    assert!(!shown.to_string().contains(SECRET) && shown.to_string().contains("redacted:"), "{shown}");

    let new = subject(&server, write(&project, "new.md", "one\n")).await;
    assert_eq!(new["replaces"], Value::Null, "nothing is there");
    let arguments = json!({ "file_path": project.join("notes.md"), "old_string": "two", "new_string": "2" });
    let edit = json!({ "tool": "Edit", "arguments": arguments, "cwd": project, "session": "s" });
    assert_eq!(subject(&server, edit).await["first_line"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_or_must_not_be_shown_of_a_file_is_said() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path()).await;
    std::fs::write(project.join("image"), b"\x89PNG\0\0").unwrap();
    std::fs::write(project.join("huge"), "line\n".repeat(100_000)).unwrap();
    std::fs::write(project.join(".env"), "PLAIN=words\n").unwrap();

    let image = subject(&server, write(&project, "image", "text\n")).await;
    assert_eq!(image["replaces"], json!({ "kind": "binary", "bytes": 6 }));
    let huge = subject(&server, write(&project, "huge", "text\n")).await;
    assert!(huge["replaces"]["why"].as_str().unwrap().contains("too large"), "{huge}");
    let credentials = subject(&server, write(&project, ".env", "KEY=2\n")).await;
    assert_eq!(credentials["replaces"]["kind"], "unseen", "{credentials}");
    assert!(!credentials.to_string().contains("words"), "{credentials}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path()).await;
    nix::unistd::mkfifo(&project.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let pipe = subject(&server, write(&project, "pipe", "text\n")).await;
    assert_eq!(pipe["replaces"]["kind"], "unseen", "{pipe}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_to_write_a_file_does_not_learn_what_is_in_it() {
    let root = tempfile::tempdir().unwrap();
    let (server, project) = world(root.path()).await;
    std::fs::write(project.join("notes.md"), "what nobody told the agent\n").unwrap();

    let mut streams = Vec::new();
    for token in [&server.requester, &server.approver] {
        let mut stream = server.open("GET", "/v1/events", token, None).await;
        // The head comes once the stream is open.
        let mut head = [0; 12];
        stream.read_exact(&mut head).await.unwrap();
        assert_eq!(&head, b"HTTP/1.1 200");
        streams.push(stream);
    }
    subject(&server, write(&project, "notes.md", "one\n")).await;

    let mut told = Vec::new();
    for mut stream in streams {
        let mut text = String::new();
        // The event is whole with the empty line behind it.
        while !text.split_once("event: approval_requested").is_some_and(|(_, event)| event.contains("\n\n")) {
            let mut part = [0; 4096];
            let read = stream.read(&mut part);
            let length = tokio::time::timeout(Duration::from_secs(60), read).await.expect("no event came").unwrap();
            assert_ne!(length, 0, "{text}");
            text.push_str(&String::from_utf8_lossy(&part[..length]));
        }
        told.push(text);
    }
    assert!(told[1].contains("what nobody told the agent"), "a person's program is told: {}", told[1]);
    assert!(!told[0].contains("what nobody told the agent"), "{}", told[0]);
}
