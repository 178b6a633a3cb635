//! Calls told to a receiver of OpenTelemetry: a real HTTP server that reads them with the official types.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::support::{Running, TestServer, start};

/// What the receiver answers, `None` never, and where it hands on what it got: path and body.
#[derive(Clone)]
struct Receiver {
    status: Arc<Mutex<Option<StatusCode>>>,
    got: mpsc::UnboundedSender<(String, Bytes)>,
}

async fn take(State(receiver): State<Receiver>, uri: Uri, body: Bytes) -> Response {
    receiver.got.send((uri.path().to_owned(), body)).unwrap();
    let status = *receiver.status.lock().unwrap();
    match status {
        Some(status) => {
            let body = ExportTraceServiceResponse::default().encode_to_vec();
            (status, [(CONTENT_TYPE, "application/x-protobuf")], body).into_response()
        }
        None => std::future::pending().await,
    }
}

async fn telling(
    root: &std::path::Path,
    status: Option<StatusCode>,
) -> (TestServer, Arc<Mutex<Option<StatusCode>>>, mpsc::UnboundedReceiver<(String, Bytes)>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (got, messages) = mpsc::unbounded_channel();
    let status = Arc::new(Mutex::new(status));
    let router = Router::new().fallback(take).with_state(Receiver { status: status.clone(), got });
    tokio::spawn(async move { axum::serve(listener, router).await });
    (telling_to(root, address).await, status, messages)
}

/// A server that tells whoever listens at `address`.
async fn telling_to(root: &std::path::Path, address: std::net::SocketAddr) -> TestServer {
    let policy = format!(
        "version = 1\nrule = [{{ pattern = \"t\", action = \"allow\" }}, {{ pattern = \"never\", action = \"deny\" }}]\n\
         [opentelemetry]\nurl = \"http://{address}\"\n"
    );
    std::fs::create_dir_all(root.join("config")).unwrap();
    std::fs::write(root.join("config/policy.toml"), policy).unwrap();
    let server = start(root).await;
    if let Some(etag) = server.get("/v1/policy").await["etag"].as_str() {
        server.server.engine().confirm_policy(etag.to_owned(), "tests".to_owned()).await.ok();
    }
    server
}

fn text(attributes: &[KeyValue], key: &str) -> Option<String> {
    let value = attributes.iter().find(|attribute| attribute.key == key)?.value.clone()?.value?;
    match value {
        any_value::Value::StringValue(text) => Some(text),
        any_value::Value::IntValue(number) => Some(number.to_string()),
        other => Some(format!("{other:?}")),
    }
}

fn dropped(message: &ExportTraceServiceRequest) -> String {
    let scope = message.resource_spans[0].scope_spans[0].scope.clone().unwrap();
    assert_eq!(scope.name, "handraise");
    text(&scope.attributes, "handraise.dropped_spans").unwrap()
}

/// The next `count` spans.
async fn spans(messages: &mut mpsc::UnboundedReceiver<(String, Bytes)>, count: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    while spans.len() < count {
        let (path, body) = messages.recv().await.unwrap();
        assert_eq!(path, "/v1/traces");
        let message = ExportTraceServiceRequest::decode(body).unwrap();
        spans.extend(message.resource_spans.into_iter().flat_map(|one| one.scope_spans).flat_map(|one| one.spans));
    }
    spans
}

async fn ask(server: &TestServer, tool: &str) -> Value {
    let call = json!({
        "tool": tool, "server": "mail", "agent": "claimed", "session": "s", "risk": "write",
        "arguments": { "to": "somebody@example.com", "token": "ghp_0123456789abcdefghijABCDEFGHIJ012345" },
        "trace_id": "0af7651916cd43dd8448eb211c80319c",
    });
    server.ask("/v1/approvals?wait=0", call).await.body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_is_told_how_calls_ended_and_nothing_of_their_arguments() {
    let root = tempfile::tempdir().unwrap();
    let (server, _, mut messages) = telling(root.path(), Some(StatusCode::OK)).await;
    assert_eq!(ask(&server, "never").await["status"], "denied");
    let id = ask(&server, "other").await["id"].as_str().unwrap().to_owned();
    server.decide(&id, json!({ "decision": "approve" })).await;

    let spans = spans(&mut messages, 2).await;
    let of = |span: &Span, key: &str| text(&span.attributes, key);
    let (denied, approved) = (&spans[0], &spans[1]);
    assert_eq!(denied.name, "execute_tool never");
    for (key, value) in [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "never"),
        ("gen_ai.conversation.id", "s"),
        ("handraise.agent.claimed", "claimed"),
        ("handraise.status", "denied"),
        ("handraise.decided_by", "policy"),
        ("handraise.policy.action", "deny"),
        ("handraise.risk", "write"),
        ("error.type", "denied"),
    ] {
        assert_eq!(of(denied, key).as_deref(), Some(value), "{key}");
    }
    assert_eq!(of(denied, "gen_ai.agent.name"), None, "nobody has proved it");
    assert_eq!(hex::encode(&denied.trace_id), "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(of(approved, "handraise.status").as_deref(), Some("approved"));
    assert_eq!(of(approved, "handraise.decided_by").as_deref(), Some("person"));
    assert_eq!(of(approved, "gen_ai.tool.call.id").unwrap(), id);
    assert_eq!(of(approved, "error.type"), None);
    assert!(approved.end_time_unix_nano >= approved.start_time_unix_nano && approved.start_time_unix_nano > 0);
    assert_ne!(approved.span_id, denied.span_id);
    let all = format!("{spans:?}");
    assert!(!all.contains("somebody@example.com") && !all.contains("ghp_"), "{all}");
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_told_is_counted_and_holds_nobody_up() {
    let root = tempfile::tempdir().unwrap();
    let (server, status, mut messages) = telling(root.path(), Some(StatusCode::SERVICE_UNAVAILABLE)).await;
    assert_eq!(ask(&server, "never").await["status"], "denied");
    let (_, body) = messages.recv().await.unwrap();
    assert_eq!(dropped(&ExportTraceServiceRequest::decode(body).unwrap()), "0");

    // From now on it takes messages, and never says so.
    *status.lock().unwrap() = None;
    assert_eq!(ask(&server, "never").await["status"], "denied");
    let (_, body) = messages.recv().await.unwrap();
    assert_eq!(dropped(&ExportTraceServiceRequest::decode(body).unwrap()), "1");
    for _ in 0..20 {
        assert_eq!(ask(&server, "never").await["status"], "denied");
    }
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes Rotel: make test-services"]
async fn a_real_program_takes_what_it_is_told() {
    let (root, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (http, grpc) = (free(), free());
    let log = place.path().join("rotel.log");
    let mut command = std::process::Command::new(std::env::var_os("HANDRAISE_TEST_ROTEL").unwrap());
    command.args(["start", "--exporter", "blackhole", "--debug-log", "traces"]);
    command.args(["--otlp-http-endpoint", &http.to_string(), "--otlp-grpc-endpoint", &grpc.to_string()]);
    let _running = Running(command.stdout(std::fs::File::create(&log).unwrap()).spawn().unwrap());
    while tokio::net::TcpStream::connect(http).await.is_err() {
        tokio::task::yield_now().await;
    }
    let server = telling_to(root.path(), http).await;
    assert_eq!(ask(&server, "never").await["status"], "denied");
    while !std::fs::read_to_string(&log).unwrap().contains("Received traces") {
        tokio::task::yield_now().await;
    }
    server.server.stop().await;
}
