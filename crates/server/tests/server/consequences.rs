//! What a call would do to what is there: told to who decides, and to nobody else.

use std::path::Path;

use handraise_protocol::{Approval, DiffLine, DiffSign, Event, Piece, RiskLevel, SubjectView};
use serde_json::{Value, json};

use crate::support::{TestServer, start};

fn shell(line: &str, cwd: &Path) -> Value {
    json!({ "tool": "Bash", "arguments": { "command": line }, "cwd": cwd, "session": "s" })
}

/// The only open request, once it says what it would do.
async fn told(server: &TestServer) -> Approval {
    loop {
        let pending = server.server.engine().pending().await.unwrap();
        if let [only] = pending.as_slice()
            && !only.consequences.is_empty()
        {
            return (**only).clone();
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_call_would_do_is_told_to_who_decides_only() {
    let (root, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(project.path().join("dist")).unwrap();
    std::fs::write(project.path().join("dist/app.js"), "0123456789").unwrap();
    let server = start(root.path()).await;
    let asked = server.ask("/v1/approvals?wait=0", shell("rm -rf dist", project.path())).await;
    assert_eq!(asked.body["status"], "pending");
    assert!(!asked.body.to_string().contains("app.js"), "{:?}", asked.body);
    let approval = told(&server).await;
    assert_eq!(approval.consequences[0].sentence, "Deletes 1 file in 1 folder, 10 bytes: dist/app.js.");
    let listed = server.call("GET", "/v1/approvals", &server.approver, None).await.body;
    assert!(
        listed["approvals"][0]["consequences"][0]["sentence"].as_str().unwrap().contains("dist/app.js"),
        "{listed}"
    );
}

/// Whether it is there at first or comes later depends on the machine: in the end it is there, and it is told once.
#[tokio::test(flavor = "multi_thread")]
async fn what_takes_long_comes_later() {
    let (root, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in 0..60 {
        let folder = project.path().join(format!("many/{folder}"));
        std::fs::create_dir_all(&folder).unwrap();
        for file in 0..100 {
            std::fs::write(folder.join(file.to_string()), "").unwrap();
        }
    }
    let server = start(root.path()).await;
    let mut events = server.server.engine().subscribe().await.unwrap();
    server.ask("/v1/approvals?wait=0", shell("rm -rf many", project.path())).await;
    let approval = told(&server).await;
    assert!(approval.consequences[0].sentence.starts_with("Deletes 6,000 files in 61 folders"), "{approval:?}");
    let mut heard = 0;
    while heard == 0 {
        match events.recv().await.unwrap().event().as_deref() {
            Some(Event::ApprovalRequested(asked)) => heard += usize::from(!asked.approval.consequences.is_empty()),
            Some(Event::ApprovalChanged(changed)) => heard += changed.approval.consequences.len(),
            _ => {}
        }
    }
    assert_eq!(heard, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_arguments_are_judged_before_they_are_approved() {
    let (root, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(project.path().join("notes.md"), "notes").unwrap();
    let server = start(root.path()).await;
    let agent = std::fs::read_to_string(server.folders.token_file("claude-code")).unwrap();
    let message = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_use_id": "t1",
        "tool_input": { "command": "touch x" }, "cwd": project.path(),
    });
    let _waiting = server.open("POST", "/v1/hooks/claude-code", &agent, Some(message)).await;
    server.pending().await;
    let engine = server.server.engine();
    let shown = engine.pending().await.unwrap()[0].clone();
    let changed = |line: &str| json!({ "command": line }).as_object().cloned().unwrap();
    let judged = engine.preview_edit(shown.id.into(), changed("rm -rf notes.md")).await.unwrap();
    assert_eq!(judged.risk.level, RiskLevel::Destructive);
    assert_eq!(judged.consequences[0].sentence, "Deletes 1 file, 5 bytes: notes.md.");
    assert_ne!(judged.arguments_hash, shown.arguments_hash);
    assert_eq!(engine.preview_edit(shown.id.into(), changed("ls")).await.unwrap().risk.level, RiskLevel::ReadOnly);
    // Nothing has changed by that.
    assert_eq!(engine.pending().await.unwrap()[0].arguments_hash, shown.arguments_hash);
    let mark = changed("echo ‹redacted:github-token:40:1a2b3c4d›");
    assert!(engine.preview_edit(shown.id.into(), mark).await.is_err());
    server.decide(&shown.id.to_string(), json!({ "decision": "deny" })).await;
    assert!(engine.preview_edit(shown.id.into(), changed("ls")).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_edit_is_shown_as_the_difference_that_it_would_make() {
    let (root, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = project.path().join("rounding.ts");
    std::fs::write(&file, "return Math.round(amount);\n").unwrap();
    let server = start(root.path()).await;
    let agent = std::fs::read_to_string(server.folders.token_file("claude-code")).unwrap();
    let edit = |new: &str| json!({ "file_path": file, "old_string": "Math.round(amount)", "new_string": new });
    let message = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Edit", "tool_use_id": "t1",
        "tool_input": edit("amount"), "cwd": project.path(),
    });
    let _waiting = server.open("POST", "/v1/hooks/claude-code", &agent, Some(message)).await;
    server.pending().await;
    let engine = server.server.engine();
    let shown = engine.pending().await.unwrap()[0].clone();
    let changed = edit("amount.toFixed(2)").as_object().cloned().unwrap();
    let judged = engine.preview_edit(shown.id.into(), changed).await.unwrap();
    let diff = if let SubjectView::Edit(subject) = &judged.subject { subject.diff.as_slice() } else { &[] };
    let added: Vec<String> = diff.iter().filter(|line| line.sign == DiffSign::Add).map(text).collect();
    assert_eq!(added, ["amount.toFixed(2)"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "return Math.round(amount);\n");
}

fn text(line: &DiffLine) -> String {
    let drawn = |piece: &Piece| if let Piece::Text(piece) = piece { Some(piece.text.clone()) } else { None };
    line.text.iter().filter_map(drawn).collect()
}
