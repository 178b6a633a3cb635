//! The audit log for other programs, and events in the envelope of CloudEvents.

use std::collections::BTreeSet;

use handraise_server::{ExportFormat, export_audit_log};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;

use crate::support::{TestServer, start};

const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// A server with two calls that a person has denied, and the path of its log.
async fn with_calls(root: &std::path::Path) -> (TestServer, std::path::PathBuf) {
    let server = start(root).await;
    let call = |tool: &str| json!({ "tool": tool, "arguments": { "token": SECRET }, "session": "s", "risk": "write" });
    for tool in ["=cmd", "mail \"x\", y"] {
        let asked = server.ask("/v1/approvals?wait=0", call(tool)).await.body;
        let decision = json!({ "decision": "deny", "reason": format!("not\n\"{SECRET}\"") });
        assert_eq!(server.decide(asked["id"].as_str().unwrap(), decision).await.status, 200);
    }
    let path = server.folders.audit_database();
    (server, path)
}

fn exported(path: &std::path::Path, format: ExportFormat) -> (String, bool) {
    let mut out = Vec::new();
    let report = export_audit_log(path, format, None, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(!text.contains(SECRET), "{text}");
    (text, report.whole)
}

/// As docs/audit.md says.
fn hash(seq: &str, at: &str, entry: &str, previous: &str) -> String {
    let parts = [seq, at, entry, previous].map(|part| format!("{}:{part}", part.len()));
    hex::encode(Sha256::digest(parts.concat()))
}

#[derive(serde::Deserialize)]
struct Line<'a> {
    seq: i64,
    at: String,
    #[serde(borrow)]
    entry: &'a RawValue,
    previous_hash: String,
    hash: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_the_lines_can_check_the_chain() {
    let root = tempfile::tempdir().unwrap();
    let (server, path) = with_calls(root.path()).await;
    let (text, whole) = exported(&path, ExportFormat::Jsonl);
    assert!(whole);
    let (entries, proof) = text.trim_end().rsplit_once('\n').unwrap();
    let mut previous = None;
    for line in entries.lines() {
        let Line { seq, at, entry, previous_hash, hash: own } = serde_json::from_str(line).unwrap();
        assert_eq!(hash(&seq.to_string(), &at, entry.get(), &previous_hash), own, "{line}");
        assert!(previous.is_none_or(|previous| previous == previous_hash), "{line}");
        previous = Some(own);
    }
    let proof: Value = serde_json::from_str(proof).unwrap();
    assert_eq!(proof["proof"]["whole"], true);
    assert_eq!(proof["proof"]["end"]["hash"], json!(previous.unwrap()));
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_and_cloud_events_hold_the_same_chain() {
    let root = tempfile::tempdir().unwrap();
    let (server, path) = with_calls(root.path()).await;
    let (table, _) = exported(&path, ExportFormat::Csv);
    assert!(table.starts_with("seq,at,kind,id,agent,tool,status,entry,previous_hash,hash\r\n"), "{table}");
    assert!(table.contains(",'=cmd,") && table.contains(",\"mail \"\"x\"\", y\","), "{table}");

    let (events, _) = exported(&path, ExportFormat::CloudEvents);
    let events: Vec<Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: BTreeSet<(String, String)> =
        events.iter().map(|event| (event["source"].to_string(), event["id"].to_string())).collect();
    assert_eq!(names.len(), events.len(), "source and id name one event");
    for event in &events {
        assert_eq!(event["specversion"], "1.0");
        assert!(event["type"].as_str().unwrap().starts_with("io.github.handraise.audit."), "{event}");
        let attributes = event.as_object().unwrap().keys();
        assert!(attributes.into_iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase())), "{event}");
    }
    let hashes = events.iter().filter_map(|event| event["entryhash"].as_str());
    for hash in hashes {
        assert!(table.contains(hash));
    }
    let decided = events.iter().find(|event| event["type"] == "io.github.handraise.audit.decided").unwrap();
    assert_eq!(decided["subject"], decided["data"]["id"]);
    assert_eq!(events.last().unwrap()["data"]["whole"], true);
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_the_log_are_spans() {
    let root = tempfile::tempdir().unwrap();
    let (server, path) = with_calls(root.path()).await;
    let (text, _) = exported(&path, ExportFormat::Otlp);
    let message: ExportTraceServiceRequest = serde_json::from_str(text.trim_end()).unwrap();
    let spans = &message.resource_spans[0].scope_spans[0].spans;
    assert_eq!(spans.len(), 2);
    assert_eq!(spans[0].name, "execute_tool =cmd");
    let attributes: Vec<&str> = spans[0].attributes.iter().map(|attribute| attribute.key.as_str()).collect();
    for key in ["gen_ai.tool.name", "handraise.status", "handraise.decided_by", "handraise.audit.entry"] {
        assert!(attributes.contains(&key), "{key}: {attributes:?}");
    }
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_log_is_exported_as_what_it_is() {
    let root = tempfile::tempdir().unwrap();
    let (server, path) = with_calls(root.path()).await;
    server.server.stop().await;
    let log = rusqlite::Connection::open(&path).unwrap();
    log.execute_batch("DROP TRIGGER log_is_not_changed; UPDATE log SET entry = 'no JSON' WHERE seq = 2;").unwrap();
    drop(log);
    for format in [ExportFormat::Jsonl, ExportFormat::Csv, ExportFormat::CloudEvents, ExportFormat::Otlp] {
        assert!(!exported(&path, format).1, "{format:?}");
    }
    assert!(exported(&path, ExportFormat::Jsonl).0.contains("\"entry\":\"no JSON\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn events_come_in_the_envelope_that_was_asked_for() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let accept = "Accept: text/event-stream, application/cloudevents+json\r\n";
    let mut stream = server.open_with("GET", "/v1/events", &server.approver, None, accept).await;
    let mut plain =
        server.open_with("GET", "/v1/events", &server.approver, None, "Accept: text/event-stream\r\n").await;
    // Both are subscribed when their heads have come.
    let mut texts = [Vec::new(), Vec::new()];
    for (stream, text) in [&mut stream, &mut plain].into_iter().zip(&mut texts) {
        read_until(stream, text, b"\r\n\r\n").await;
    }
    let asked = server.ask("/v1/approvals?wait=0", json!({ "tool": "t", "arguments": {}, "risk": "write" })).await.body;
    let id = asked["id"].as_str().unwrap();
    for (stream, text) in [&mut stream, &mut plain].into_iter().zip(&mut texts) {
        read_until(stream, text, b"\n\n").await;
    }
    let data = |text: &[u8]| -> Value {
        let text = String::from_utf8_lossy(text);
        let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        serde_json::from_str(data).unwrap()
    };
    let event = data(&texts[0]);
    assert_eq!(event["specversion"], "1.0", "{event}");
    assert_eq!(event["type"], "io.github.handraise.approval_requested");
    assert_eq!(event["subject"], id);
    assert!(event["time"].is_string() && event["source"].is_string() && event["id"].is_string(), "{event}");
    assert_eq!(event["data"]["approval"]["id"], id);
    assert_eq!(data(&texts[1]), event["data"], "without being asked for, there is no envelope");
    server.server.stop().await;
}

/// Reads on until `end` stands behind what `text` held before.
async fn read_until(stream: &mut tokio::net::TcpStream, text: &mut Vec<u8>, end: &[u8]) {
    let from = text.len();
    let mut bytes = [0; 4096];
    while !text[from..].windows(end.len()).any(|window| window == end) {
        let count = stream.read(&mut bytes).await.unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(text));
        text.extend_from_slice(&bytes[..count]);
    }
}
