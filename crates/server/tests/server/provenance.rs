//! Where a request comes from, from the connection to the audit log.

use serde_json::{Value, json};

use crate::support::start;

#[tokio::test(flavor = "multi_thread")]
async fn who_asked_a_person_is_shown_and_stands_in_the_log() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let asked = server.ask("/v1/approvals?wait=0", json!({ "tool": "edit", "arguments": {} })).await;
    assert_eq!(asked.status, 202, "{asked:?}");
    let shown = server.get("/v1/approvals").await;
    let program = &shown["approvals"][0]["origin"]["programs"][0];
    assert_eq!(program["pid"], std::process::id(), "this process has asked: {shown:#}");
    assert_eq!(program["executable"], json!(std::env::current_exe().unwrap()));
    assert_eq!(program["is_agent"], true);

    let log = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let entry: String = log
        .query_row("SELECT entry FROM log WHERE entry LIKE '{\"kind\":\"requested\"%'", [], |row| row.get(0))
        .unwrap();
    let entry: Value = serde_json::from_str(&entry).unwrap();
    assert_eq!(entry["origin"]["programs"][0]["pid"], std::process::id(), "{entry:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_policy_answers_is_not_held_up_for_it() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let call = json!({ "tool": "Bash", "arguments": { "command": "ls -la" } });
    let answered = server.ask("/v1/approvals?wait=0", call).await;
    assert_eq!((answered.status, &answered.body["status"]), (200, &json!("approved")), "{answered:?}");
    let log = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let looked: u32 =
        log.query_row("SELECT count(*) FROM log WHERE entry LIKE '%\"programs\"%'", [], |row| row.get(0)).unwrap();
    assert_eq!(looked, 0);
}
