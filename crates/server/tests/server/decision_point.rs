//! Calls put before an external decision point: a real HTTP server that answers as it is told.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{Reply, Running, TestServer, read, start};

/// What a decision point does with what it is asked.
#[derive(Clone)]
enum Says {
    /// With the status 200.
    Answer(String),
    Other(StatusCode, String),
    /// The same answer at another address.
    Elsewhere(String),
    Nothing,
}

#[derive(Clone)]
struct DecisionPoint {
    address: SocketAddr,
    says: Arc<Mutex<Says>>,
    /// Paths and bodies, in order.
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl DecisionPoint {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let says = Arc::new(Mutex::new(Says::Answer(json!({ "decision": true }).to_string())));
        let point = Self { address, says, asked: Arc::default() };
        let router = Router::new().fallback(answer).with_state(point.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        point
    }

    fn says(&self, says: Says) {
        *self.says.lock().unwrap() = says;
    }

    fn answers(&self, answer: &Value) {
        self.says(Says::Answer(answer.to_string()));
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

async fn answer(State(point): State<DecisionPoint>, uri: Uri, body: Bytes) -> Response {
    let question = serde_json::from_slice(&body).unwrap_or(Value::Null);
    point.asked.lock().unwrap().push((uri.path().to_owned(), question));
    let says = point.says.lock().unwrap().clone();
    let is_json = [(CONTENT_TYPE, "application/json")];
    match says {
        Says::Answer(body) => (is_json, body).into_response(),
        Says::Other(status, body) => (status, is_json, body).into_response(),
        Says::Elsewhere(url) => (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, url)]).into_response(),
        Says::Nothing => std::future::pending().await,
    }
}

/// A server whose rules allow `t` and deny `never`, and ask about the rest; `url` is asked as well.
async fn asking(root: &std::path::Path, url: &str) -> TestServer {
    asking_within(root, url, "20s").await
}

async fn asking_within(root: &std::path::Path, url: &str, timeout: &str) -> TestServer {
    let rules = "rule = [{ pattern = \"t\", action = \"allow\" }, { pattern = \"never\", action = \"deny\" }]";
    let policy = format!("version = 1\n{rules}\n[authzen]\nurl = \"{url}\"\ntimeout = \"{timeout}\"\n");
    std::fs::create_dir_all(root.join("config")).unwrap();
    std::fs::write(root.join("config/policy.toml"), policy).unwrap();
    let server = start(root).await;
    if let Some(etag) = server.get("/v1/policy").await["etag"].as_str() {
        // A file that was there before the first start is confirmed, or waits to be.
        server.server.engine().confirm_policy(etag.to_owned(), "tests".to_owned()).await.ok();
    }
    server
}

async fn ask(server: &TestServer, tool: &str) -> Reply {
    let call = json!({ "tool": tool, "arguments": { "to": "ann" }, "session": "s", "risk": "write" });
    server.ask("/v1/approvals?wait=0", call).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_point_denies_in_its_own_words_and_allows_nothing() {
    let (root, point) = (tempfile::tempdir().unwrap(), DecisionPoint::start().await);
    let server = asking(root.path(), &point.url()).await;

    assert_eq!(ask(&server, "t").await.body["status"], "approved");
    let (path, question) = point.asked.lock().unwrap()[0].clone();
    assert_eq!(path, "/access/v1/evaluation");
    assert_eq!(question["subject"]["type"], "agent");
    assert_eq!(question["action"]["name"], "call");
    assert_eq!(question["resource"]["id"], "t");
    assert_eq!(question["resource"]["properties"]["arguments"], json!({ "to": "ann" }));
    assert_eq!(question["resource"]["properties"]["risk"], "write");
    assert_eq!(question["context"]["rules_say"], "allow");

    // It has nothing against these, and that allows none of them.
    assert_eq!(ask(&server, "other").await.body["status"], "pending");
    let before = point.count();
    assert_eq!(ask(&server, "never").await.body["status"], "denied");
    assert_eq!(point.count(), before, "what is denied already is told to nobody");

    let words =
        json!({ "decision": false, "context": { "reason_user": { "de": "nein", "en-403": "mail is\nfor people" } } });
    point.answers(&words);
    for tool in ["t", "other"] {
        let denied = ask(&server, tool).await.body;
        assert_eq!(denied["status"], "denied", "{denied}");
        assert_eq!(denied["decided_by"], "policy");
        let reason = denied["reason"].as_str().unwrap();
        assert!(reason.contains("decision point at 127.0.0.1") && reason.contains("for people"), "{reason}");
        assert!(!reason.contains('\n'), "{reason}");
    }
    let log = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let noted = "SELECT count(*) FROM log WHERE json_extract(entry, '$.outside.answer') = 'denies'";
    assert_eq!(log.query_row(noted, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_answer_asks_a_person() {
    let (root, point) = (tempfile::tempdir().unwrap(), DecisionPoint::start().await);
    let elsewhere = DecisionPoint::start().await;
    let server = asking(root.path(), &point.url()).await;
    let yes = json!({ "decision": true }).to_string();
    let long = json!({ "decision": true, "context": "x".repeat(100_000) }).to_string();
    let no_answers = [
        Says::Other(StatusCode::INTERNAL_SERVER_ERROR, yes.clone()),
        Says::Other(StatusCode::BAD_REQUEST, yes.clone()),
        Says::Other(StatusCode::CREATED, yes),
        Says::Elsewhere(format!("{}/access/v1/evaluation", elsewhere.url())),
        Says::Answer(long),
        Says::Answer("{\"decision\":false,\"decision\":true}".to_owned()),
        Says::Answer("{\"decision\":\"true\"}".to_owned()),
        Says::Answer("{\"decision\":1}".to_owned()),
        Says::Answer("{\"Decision\":true}".to_owned()),
        Says::Answer("{}".to_owned()),
        Says::Answer("[true]".to_owned()),
        Says::Answer("true".to_owned()),
        Says::Answer("{\"decision\":true".to_owned()),
        Says::Answer(String::new()),
    ];
    for (index, says) in no_answers.into_iter().enumerate() {
        point.says(says);
        assert_eq!(ask(&server, "t").await.body["status"], "pending", "{index}");
    }
    assert_eq!(elsewhere.count(), 0, "no redirect is followed");
    let shown = &server.server.engine().pending().await.unwrap()[0];
    assert!(shown.explanation.contains("status 500"), "{}", shown.explanation);
    // A person decides, and nothing is remembered of what was put before nobody else.
    let (id, once) = (shown.id.to_string(), json!({ "decision": "approve" }));
    let lasting = server.decide(&id, json!({ "decision": "approve", "scope": "session" })).await;
    assert_ne!(lasting.status, 200, "{lasting:?}");
    assert_eq!(server.decide(&id, once).await.body["result"]["status"], "approved");
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_there_and_nobody_trusted_ask_a_person() {
    let root = tempfile::tempdir().unwrap();
    // A port that is taken, and where nobody listens.
    let taken = tokio::net::TcpSocket::new_v4().unwrap();
    taken.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let nobody = taken.local_addr().unwrap();
    let server = asking(root.path(), &format!("http://{nobody}")).await;
    let asked = ask(&server, "t").await.body;
    assert_eq!(asked["status"], "pending", "{asked}");
    server.server.stop().await;

    let (root, point) = (tempfile::tempdir().unwrap(), DecisionPoint::start().await);
    let server = asking(root.path(), &point.url().replace("http://", "https://")).await;
    assert_eq!(ask(&server, "t").await.body["status"], "pending");
    assert_eq!(point.count(), 0);
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_remembered_answer_is_none_while_the_decision_point_is_silent() {
    let (root, point) = (tempfile::tempdir().unwrap(), DecisionPoint::start().await);
    let server = asking(root.path(), &point.url()).await;
    let first = ask(&server, "other").await.body;
    let id = first["id"].as_str().unwrap();
    let session = json!({ "decision": "approve", "scope": "session", "breadth": "exact" });
    assert_eq!(server.decide(id, session).await.status, 200);
    assert_eq!(ask(&server, "other").await.body["decided_by"], "grant");

    point.says(Says::Other(StatusCode::SERVICE_UNAVAILABLE, String::new()));
    assert_eq!(ask(&server, "other").await.body["status"], "pending");
    point.answers(&json!({ "decision": false }));
    assert_eq!(ask(&server, "other").await.body["status"], "denied");
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_reaches_the_decision_point() {
    let (root, point) = (tempfile::tempdir().unwrap(), DecisionPoint::start().await);
    let server = asking(root.path(), &point.url()).await;
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let call = json!({ "tool": "t", "arguments": { "note": format!("use {secret}"), "password": "hunter2-hunter2" } });
    assert_eq!(server.ask("/v1/approvals?wait=0", call).await.body["status"], "approved");
    let said = point.asked.lock().unwrap()[0].1.to_string();
    assert!(said.contains("redacted"), "{said}");
    assert!(!said.contains(secret) && !said.contains("hunter2"), "{said}");

    // Its words are shown, and hold none either.
    point.answers(&json!({ "decision": false, "context": { "reason": format!("not with {secret}") } }));
    let denied = ask(&server, "t").await.body.to_string();
    assert!(denied.contains("not with") && !denied.contains(secret), "{denied}");
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_waits_for_a_decision_point_that_never_answers() {
    let (root, point) = (tempfile::tempdir().unwrap(), DecisionPoint::start().await);
    let server = asking_within(root.path(), &point.url(), "2s").await;
    point.says(Says::Nothing);
    let call = json!({ "tool": "t", "arguments": {} });
    let mut waiting = Vec::new();
    for _ in 0..6 {
        waiting.push(server.open("POST", "/v1/approvals?wait=0", &server.requester, Some(call.clone())).await);
    }
    // What needs no decision point is answered meanwhile, also to the same requester.
    assert_eq!(ask(&server, "never").await.body["status"], "denied");
    for stream in &mut waiting {
        let reply = read(stream).await;
        assert_eq!(reply.body["status"], "pending", "{reply:?}");
    }
    let shown = server.server.engine().pending().await.unwrap();
    // Those that found no place say that instead.
    assert!(shown.iter().any(|one| one.explanation.contains("did not answer within 2 s")), "{shown:?}");
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_point_that_nobody_has_confirmed_is_told_nothing() {
    let (root, point) = (tempfile::tempdir().unwrap(), DecisionPoint::start().await);
    let server = asking(root.path(), &point.url()).await;
    let (file, other) = (server.folders.policy_file(), DecisionPoint::start().await);
    let text = std::fs::read_to_string(&file).unwrap().replace(&point.url(), &other.url());
    std::fs::write(&file, text).unwrap();
    loop {
        if server.get("/v1/policy").await["pending"].is_object() {
            break;
        }
        tokio::task::yield_now().await;
    }
    let asked = ask(&server, "t").await.body;
    assert_eq!(asked["status"], "pending", "{asked}");
    assert_eq!(other.count(), 0);
    server.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_arguments_are_put_before_it_as_well() {
    let (root, point) = (tempfile::tempdir().unwrap(), DecisionPoint::start().await);
    let server = asking(root.path(), &point.url()).await;
    let id = ask(&server, "other").await.body["id"].as_str().unwrap().to_owned();
    point.answers(&json!({ "decision": false }));
    let edited = json!({ "decision": "approve", "arguments": { "to": "everybody" } });
    let refused = server.decide(&id, edited.clone()).await;
    assert_ne!(refused.status, 200, "{refused:?}");
    assert_eq!(point.asked.lock().unwrap().last().unwrap().1["resource"]["properties"]["arguments"]["to"], "everybody");
    point.answers(&json!({ "decision": true }));
    assert_eq!(server.decide(&id, edited).await.body["result"]["status"], "approved");
    server.server.stop().await;
}

/// The part of `document` that is marked as `language`, the first of its kind.
fn shown<'a>(document: &'a str, language: &str) -> &'a str {
    document.split(&format!("```{language}\n")).nth(1).unwrap().split("\n```").next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes Cerbos: make test-services"]
async fn a_real_program_decides_as_its_policy_says() {
    let (root, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = place.path().display();
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (http, grpc) = (free(), free());
    std::fs::create_dir(place.path().join("policies")).unwrap();
    let policy = shown(include_str!("../../../../docs/authzen.md"), "yaml");
    std::fs::write(place.path().join("policies/tool.yaml"), policy).unwrap();
    let config = format!(
        "server:\n  httpListenAddr: \"{http}\"\n  grpcListenAddr: \"{grpc}\"\n\
         storage:\n  driver: disk\n  disk:\n    directory: {folder}/policies\ntelemetry:\n  disabled: true\n"
    );
    std::fs::write(place.path().join("cerbos.yaml"), config).unwrap();
    let program = std::env::var_os("HANDRAISE_TEST_CERBOS").unwrap();
    let config = place.path().join("cerbos.yaml");
    let mut command = std::process::Command::new(program);
    let _running = Running(command.arg("server").arg("--config").arg(config).spawn().unwrap());
    while tokio::net::TcpStream::connect(http).await.is_err() {
        tokio::task::yield_now().await;
    }

    let server = asking(root.path(), &format!("http://{http}")).await;
    assert_eq!(ask(&server, "t").await.body["status"], "approved");
    let destructive = json!({ "tool": "t", "arguments": {}, "risk": "destructive" });
    let denied = server.ask("/v1/approvals?wait=0", destructive).await.body;
    assert_eq!(denied["status"], "denied", "{denied}");
    assert!(denied["reason"].as_str().unwrap().contains("decision point"), "{denied}");
    server.server.stop().await;
}
