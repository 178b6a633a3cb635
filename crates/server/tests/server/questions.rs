//! Asking a person, and answering.

use std::time::Duration;

use crate::support::{Shown, TestServer, read, start, start_again};
use handraise_protocol::QuestionId;
use handraise_server::Verification;
use serde_json::{Value, json};

fn root() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn database() -> Value {
    json!({
        "question": "Which database?", "header": "Storage", "session": "s", "trace_id": "t1",
        "choices": [{ "label": "PostgreSQL", "description": "The one in production." }, { "label": "SQLite" }],
    })
}

/// Asks without waiting and gives the id.
async fn asked(server: &TestServer, question: Value) -> String {
    let reply = server.ask("/v1/questions?wait=0", question).await;
    assert_eq!((reply.status, &reply.body["status"]), (202, &json!("pending")), "{:?}", reply.body);
    reply.body["id"].as_str().unwrap().to_owned()
}

async fn answer(server: &TestServer, id: &str, answer: Value) -> crate::support::Reply {
    server.post(&format!("/v1/questions/{id}/answer"), answer).await
}

async fn open(server: &TestServer) -> String {
    loop {
        if let Some(question) = server.server.engine().questions().await.unwrap().first() {
            return question.id.to_string();
        }
        tokio::task::yield_now().await;
    }
}

/// Everything in the audit log.
fn logged(server: &TestServer) -> Vec<Value> {
    let connection = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let mut statement = connection.prepare("SELECT entry FROM log ORDER BY seq").unwrap();
    let entries = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    entries.map(|entry| serde_json::from_str(&entry.unwrap()).unwrap()).collect()
}

fn kinds(server: &TestServer) -> Vec<String> {
    let logged = logged(server);
    let kinds = logged.iter().map(|entry| entry["kind"].as_str().unwrap().to_owned());
    kinds.filter(|kind| kind.starts_with("question") || kind == "approver_refused").collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_waits_until_a_person_answers() {
    let root = root();
    let server = start(root.path()).await;
    let mut waiting = server.open("POST", "/v1/questions", &server.requester, Some(database())).await;
    let id = open(&server).await;

    let listed = server.get("/v1/questions").await;
    let shown = &listed["questions"][0];
    assert_eq!((&shown["id"], &shown["title"]), (&json!(id), &json!("Which database?")));
    assert_eq!(shown["choices"][0]["line"], "PostgreSQL");

    let answered = answer(&server, &id, json!({ "selected": ["SQLite"], "custom": " keep it small " })).await;
    assert_eq!((answered.status, &answered.body["status"]), (200, &json!("answered")));
    let reply = read(&mut waiting).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.body["selected"], json!(["SQLite"]));
    assert_eq!(reply.body["custom"], "keep it small");
    assert_eq!(reply.body["answer"], "SQLite\nkeep it small");
    assert_eq!(reply.body["trace_id"], "t1");

    let again = answer(&server, &id, json!({ "decline": true })).await;
    assert_eq!((again.status, &again.body["code"]), (409, &json!("already_over")));
    assert_eq!(again.body["question"]["answer"], "SQLite\nkeep it small");
    let id = QuestionId(id.parse().unwrap());
    let shown = server.surface.0.lock().unwrap().clone();
    assert_eq!(shown, [Shown::PresentQuestion(id), Shown::WithdrawQuestion(id)]);
    assert_eq!(kinds(&server), ["question_asked", "question_answered"]);
    assert!(matches!(server.server.engine().verify_audit().await.unwrap(), Verification::Whole(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_less_comes_back_for_the_answer() {
    let root = root();
    let server = start(root.path()).await;
    let id = asked(&server, database()).await;
    let path = format!("/v1/questions/{id}");
    assert_eq!(server.call("GET", &path, &server.requester, None).await.status, 202);
    assert_eq!(server.call("GET", &format!("{path}?wait=1"), &server.requester, None).await.status, 202);
    let mut waiting = server.open("GET", &format!("{path}?wait=60"), &server.requester, None).await;
    let declined = answer(&server, &id, json!({ "decline": true, "reason": "decide yourself" })).await;
    assert_eq!((declined.status, &declined.body["status"]), (200, &json!("declined")));
    let reply = read(&mut waiting).await;
    assert_eq!((&reply.body["status"], &reply.body["reason"]), (&json!("declined"), &json!("decide yourself")));
    assert_eq!(reply.body["answer"], Value::Null);
    assert_eq!(kinds(&server), ["question_asked", "question_declined"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_requester_neither_answers_nor_lists_nor_sees_what_others_ask() {
    let root = root();
    let server = start(root.path()).await;
    let id = asked(&server, database()).await;
    let path = format!("/v1/questions/{id}");
    let other = std::fs::read_to_string(server.folders.token_file("claude-code")).unwrap();
    for (method, path, body) in [
        ("POST", format!("{path}/answer"), Some(json!({ "selected": ["SQLite"] }))),
        ("GET", "/v1/questions".to_owned(), None),
    ] {
        let reply = server.call(method, &path, &server.requester, body).await;
        assert_eq!((reply.status, &reply.body["code"]), (403, &json!("not_an_approver")), "{path}");
    }
    assert_eq!(server.call("GET", &path, &other, None).await.status, 404);
    assert_eq!(server.call("GET", &format!("{path}?wait=1"), &other, None).await.status, 404);
    assert_eq!(server.call("DELETE", &path, &other, None).await.status, 404);
    let approver = server.call("POST", "/v1/questions", &server.approver, Some(database())).await;
    assert_eq!((approver.status, &approver.body["code"]), (403, &json!("not_a_requester")));

    let cancelled = server.call("DELETE", &path, &server.requester, None).await;
    assert_eq!((cancelled.status, &cancelled.body["status"]), (200, &json!("cancelled")));
    assert_eq!(server.call("DELETE", &path, &server.requester, None).await.status, 409);
    assert_eq!(kinds(&server), ["question_asked", "question_cancelled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_must_fit_the_question() {
    let root = root();
    let server = start(root.path()).await;
    let strict = json!({ "question": "Which?", "custom": false, "choices": [{ "label": "a" }, { "label": "b" }] });
    let id = asked(&server, strict).await;
    for (wrong, words) in [
        (json!({}), "empty"),
        (json!({ "custom": "  " }), "empty"),
        (json!({ "selected": ["c"] }), "no such choice"),
        (json!({ "selected": ["a", "b"] }), "only one"),
        (json!({ "selected": ["a"], "custom": "x" }), "no free text"),
        (json!({ "selected": ["a"], "decline": true }), "either"),
        (json!({ "selected": ["a"], "reason": "x" }), "either"),
        (json!({ "chosen": ["a"] }), "chosen"),
    ] {
        let reply = answer(&server, &id, wrong.clone()).await;
        assert_eq!((reply.status, &reply.body["code"]), (422, &json!("invalid_request")), "{wrong}");
        let detail = reply.body["detail"].as_str().unwrap().to_lowercase();
        assert!(detail.contains(words), "{wrong}: {detail}");
    }
    assert_eq!(answer(&server, &id, json!({ "selected": ["b"] })).await.body["answer"], "b");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_cannot_be_asked_is_refused_with_what_is_wrong() {
    let root = root();
    let server = start(root.path()).await;
    let labels = |count: usize| (0..count).map(|label| json!({ "label": format!("l{label}") })).collect::<Vec<_>>();
    for (wrong, words) in [
        (json!({}), "question"),
        (json!({ "question": " " }), "question"),
        (json!({ "question": "x".repeat(4_001) }), "4000"),
        (json!({ "question": "x", "choises": [] }), "choises"),
        (json!({ "question": "x", "custom": false }), "custom"),
        (json!({ "question": "x", "choices": [{ "label": "a" }, { "label": "a " }] }), "label"),
        (json!({ "question": "x", "choices": [{ "label": "" }] }), "label"),
        (json!({ "question": "x", "choices": [{ "label": "a", "value": 1 }] }), "value"),
        (json!({ "question": "x", "choices": labels(26) }), "25"),
        (json!({ "question": "x", "timeout_seconds": 0 }), "timeout_seconds"),
        (json!({ "question": "x", "timeout_seconds": 86_401 }), "timeout_seconds"),
    ] {
        let reply = server.ask("/v1/questions?wait=0", wrong.clone()).await;
        assert_eq!((reply.status, &reply.body["code"]), (422, &json!("invalid_request")), "{wrong}");
        assert!(reply.body["detail"].as_str().unwrap().contains(words), "{wrong}: {:?}", reply.body);
    }
    asked(&server, json!({ "question": "x".repeat(4_000), "choices": labels(25) })).await;
    assert!(kinds(&server).iter().all(|kind| kind == "question_asked"));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_goes_away_takes_its_question_along_unless_it_can_come_back() {
    let root = root();
    let server = start(root.path()).await;
    let waiting = server.open("POST", "/v1/questions", &server.requester, Some(database())).await;
    let id = open(&server).await;
    drop(waiting);
    while !server.server.engine().questions().await.unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let gone = server.call("GET", &format!("/v1/questions/{id}"), &server.requester, None).await;
    assert_eq!((gone.status, &gone.body["status"]), (200, &json!("cancelled")));

    let mut keyed = database();
    keyed["idempotency_key"] = json!("k1");
    let waiting = server.open("POST", "/v1/questions", &server.requester, Some(keyed.clone())).await;
    let id = open(&server).await;
    drop(waiting);
    let mut again = server.open("POST", "/v1/questions", &server.requester, Some(keyed.clone())).await;
    assert_eq!(answer(&server, &id, json!({ "selected": ["SQLite"] })).await.status, 200);
    assert_eq!(read(&mut again).await.body["id"], json!(id));
    keyed["question"] = json!("Something else?");
    let reused = server.ask("/v1/questions", keyed).await;
    assert_eq!((reused.status, &reused.body["code"]), (409, &json!("key_reused")));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_answers_in_time() {
    let root = root();
    let server = start(root.path()).await;
    let mut question = database();
    question["timeout_seconds"] = json!(1);
    let reply = server.ask("/v1/questions", question).await;
    assert_eq!((reply.status, &reply.body["status"]), (200, &json!("timeout")));
    assert!(reply.body["reason"].as_str().unwrap().contains("not a refusal"));
    assert_eq!(kinds(&server), ["question_asked", "question_timeout"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_requester_has_at_most_32_open_questions() {
    let root = root();
    let server = start(root.path()).await;
    for _ in 0..32 {
        asked(&server, database()).await;
    }
    let refused = server.ask("/v1/questions?wait=0", database()).await;
    assert_eq!((refused.status, &refused.body["code"]), (429, &json!("too_many_requests")));
    let listed = server.get("/v1/questions").await;
    let ids: Vec<&str> =
        listed["questions"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 32);
    assert!(ids.is_sorted(), "oldest first");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_an_open_question_is_over_and_an_answered_one_stays_answered() {
    let root = root();
    let server = start(root.path()).await;
    let open = asked(&server, database()).await;
    let answered = asked(&server, database()).await;
    answer(&server, &answered, json!({ "selected": ["SQLite"] })).await;
    drop(server);

    let server = start_again(root.path()).await;
    assert_eq!(server.get("/v1/questions").await["questions"], json!([]));
    let look = async |id: &str| server.call("GET", &format!("/v1/questions/{id}"), &server.requester, None).await.body;
    let over = look(&open).await;
    assert_eq!(over["status"], "cancelled");
    assert!(over["reason"].as_str().unwrap().contains("stopped"), "{over}");
    assert_eq!(look(&answered).await["answer"], "SQLite");
    assert_eq!(kinds(&server).last().unwrap(), "question_cancelled");
    assert!(matches!(server.server.engine().verify_audit().await.unwrap(), Verification::Whole(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_open_questions_and_tells_who_waits() {
    let root = root();
    let server = start(root.path()).await;
    let mut waiting = server.open("POST", "/v1/questions", &server.requester, Some(database())).await;
    open(&server).await;
    server.server.stop().await;
    let reply = read(&mut waiting).await;
    assert_eq!((reply.status, &reply.body["status"]), (200, &json!("cancelled")));
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_masked_for_everybody_but_the_requester() {
    let root = root();
    let server = start(root.path()).await;
    let secret =
        "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOp-AAAAAA";
    let label = format!("Use {secret}");
    let question = json!({ "question": format!("May I use {secret}?"), "choices": [{ "label": label }] });
    let mut waiting = server.open("POST", "/v1/questions", &server.requester, Some(question)).await;
    let id = open(&server).await;
    let shown = server.get("/v1/questions").await;
    assert!(!shown.to_string().contains(secret), "{shown}");
    let named = shown["questions"][0]["choices"][0]["label"].clone();
    let answered = answer(&server, &id, json!({ "selected": [named] })).await;
    assert_eq!(answered.status, 200, "{:?}", answered.body);
    assert!(!answered.body.to_string().contains(secret));
    assert_eq!(read(&mut waiting).await.body["selected"], json!([label]));
    assert!(!json!(logged(&server)).to_string().contains(secret));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_event_stream_tells_of_questions() {
    let root = root();
    let server = start(root.path()).await;
    let mut events = server.server.engine().subscribe().await.unwrap();
    let id = asked(&server, database()).await;
    answer(&server, &id, json!({ "custom": "neither" })).await;
    let mut next = async || {
        let published = tokio::time::timeout(Duration::from_secs(20), events.recv()).await.unwrap().unwrap();
        (published.owner.clone(), serde_json::to_value(&*published.event().unwrap()).unwrap())
    };
    let (owner, told) = next().await;
    assert_eq!((owner.as_deref(), &told["type"]), (Some("default"), &json!("question_asked")));
    assert_eq!(told["question"]["id"], json!(id));
    let (owner, told) = next().await;
    assert_eq!((owner.as_deref(), &told["type"]), (Some("default"), &json!("question_resolved")));
    assert_eq!((&told["id"], &told["result"]["answer"]), (&json!(id), &json!("neither")));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_session_ends_its_questions() {
    let root = root();
    let server = start(root.path()).await;
    let mut question = database();
    let id = asked(&server, question.clone()).await;
    question["session"] = json!("other");
    let other = asked(&server, question).await;
    let key = handraise_policy::SessionKey { requester: "default".into(), agent: None, id: "s".into() };
    server.server.engine().end_session(key).await.unwrap();
    let look = async |id: &str| server.call("GET", &format!("/v1/questions/{id}"), &server.requester, None).await;
    assert_eq!(look(&id).await.body["status"], "cancelled");
    assert_eq!(look(&other).await.body["status"], "pending");
}
