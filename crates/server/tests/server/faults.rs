//! What breaks while the server runs or while it is down, and what a requester cannot do to the others.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use handraise_protocol::{NewCredentialRequest, Role};
use handraise_server::{Clock, SystemClock, Verification};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{TestServer, read, start, start_again, start_with_clock};

fn root() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Locks the database as another program can, until it is dropped.
fn locked(server: &TestServer) -> Connection {
    let other = Connection::open(server.folders.audit_database()).unwrap();
    other.busy_timeout(Duration::from_secs(20)).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    other
}

fn edit(number: u32, key: Option<&str>) -> Value {
    let mut call = json!({ "tool": "edit", "arguments": { "n": number }, "session": "s" });
    if let Some(key) = key {
        call["idempotency_key"] = json!(key);
    }
    call
}

async fn health(server: &TestServer) -> Value {
    server.call("GET", "/v1/health", "", None).await.body
}

async fn health_when(server: &TestServer, status: &str) -> Value {
    let begin = Instant::now();
    loop {
        let health = health(server).await;
        if health["status"] == status {
            return health;
        }
        assert!(begin.elapsed().as_secs() < 30, "{health}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_handed_out_once_under_its_key() {
    let root = root();
    let server = start(root.path()).await;
    let mut waiting = server.open("POST", "/v1/approvals", &server.requester, Some(edit(1, Some("k")))).await;
    let id = server.pending().await;
    server.decide(&id, json!({ "decision": "approve" })).await;
    assert_eq!(read(&mut waiting).await.body["status"], "approved");
    // Whoever waited has it. Neither the key nor the id gives it again.
    let again = server.ask("/v1/approvals", edit(1, Some("k"))).await;
    assert_eq!((again.status, &again.body["code"]), (409, &json!("not_redeemable")));
    let redeemed = server.ask(&format!("/v1/approvals/{id}/redeem"), edit(1, None)).await;
    assert_eq!((redeemed.status, &redeemed.body["code"]), (409, &json!("not_redeemable")));

    // Of two that wait for one call, only the later one may act.
    let mut first = server.open("POST", "/v1/approvals", &server.requester, Some(edit(2, Some("l")))).await;
    let id = server.pending().await;
    let mut second = server.open("POST", "/v1/approvals", &server.requester, Some(edit(2, Some("l")))).await;
    let displaced = read(&mut first).await;
    assert_eq!(displaced.body["status"], "cancelled", "{displaced:?}");
    server.decide(&id, json!({ "decision": "approve" })).await;
    assert_eq!(read(&mut second).await.body["status"], "approved");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_went_away_and_comes_back_gets_the_approval_once() {
    let root = root();
    let server = start(root.path()).await;
    let waiting = server.open("POST", "/v1/approvals", &server.requester, Some(edit(1, Some("k")))).await;
    let id = server.pending().await;
    drop(waiting);
    server.decide(&id, json!({ "decision": "approve" })).await;
    let back = server.ask("/v1/approvals", edit(1, Some("k"))).await;
    assert_eq!((back.status, &back.body["status"], &back.body["id"]), (200, &json!("approved"), &json!(id)));
    for path in ["/v1/approvals".to_owned(), format!("/v1/approvals/{id}/redeem")] {
        assert_eq!(server.ask(&path, edit(1, Some("k"))).await.status, 409, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_that_nobody_collects_is_worth_nothing_after_a_minute() {
    let root = root();
    let clock = Arc::new(TestClock::default());
    let server = start_with_clock(root.path(), clock.clone()).await;
    let waiting = server.open("POST", "/v1/approvals", &server.requester, Some(edit(1, Some("k")))).await;
    let id = server.pending().await;
    drop(waiting);
    server.decide(&id, json!({ "decision": "approve" })).await;
    clock.pass(61);
    let late = server.ask("/v1/approvals", edit(1, Some("k"))).await;
    assert_eq!((late.status, &late.body["code"]), (409, &json!("not_redeemable")));
    assert_eq!(server.ask(&format!("/v1/approvals/{id}/redeem"), edit(1, None)).await.status, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_that_is_not_recorded_writes_no_rule() {
    let root = root();
    let server = start(root.path()).await;
    let make = json!({ "tool": "Bash", "arguments": { "command": "make build" }, "session": "s" });
    let asked = server.ask("/v1/approvals?wait=0", make.clone()).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    let before = std::fs::read_to_string(server.folders.policy_file()).unwrap();
    let other = locked(&server);
    let always = json!({ "decision": "approve", "scope": "always" });
    let decided = server.decide(&id, always).await;
    assert_eq!((decided.status, &decided.body["code"]), (503, &json!("audit_unavailable")));
    drop(other);
    assert_eq!(std::fs::read_to_string(server.folders.policy_file()).unwrap(), before, "a rule of a voided decision");
    let again = server.ask("/v1/approvals?wait=0", make).await;
    assert_eq!(again.body["status"], "pending", "{again:?}");
    // The same answer, recorded, does write it.
    let id = again.body["id"].as_str().unwrap().to_owned();
    let decided = server.decide(&id, json!({ "decision": "approve", "scope": "always" })).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    assert_ne!(std::fs::read_to_string(server.folders.policy_file()).unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_is_answered_when_neither_the_end_nor_the_question_can_be_recorded() {
    let root = root();
    let clock = Arc::new(TestClock::default());
    let server = start_with_clock(root.path(), clock.clone()).await;
    let mut expires = edit(1, None);
    expires["timeout_seconds"] = json!(60);
    let mut waiting = server.open("POST", "/v1/approvals", &server.requester, Some(expires)).await;
    server.pending().await;
    let other = locked(&server);
    clock.pass(61);
    // What comes next finds that the first one is over, and that nothing of it can be recorded.
    let next = server.ask("/v1/approvals", edit(2, None)).await;
    assert_eq!((next.status, &next.body["code"]), (503, &json!("audit_unavailable")));
    let folder = server.folders.audit_database().parent().unwrap().display().to_string();
    assert!(next.body["detail"].as_str().unwrap().contains(&folder), "it names the folder: {:?}", next.body);
    let ended = tokio::time::timeout(Duration::from_secs(20), read(&mut waiting)).await.expect("it hangs");
    assert_eq!(ended.body["status"], "timeout", "{ended:?}");
    assert!(server.server.engine().pending().await.unwrap().is_empty(), "a person is asked for nobody");
    drop(other);
    health_when(&server, "ok").await;
    let logged = server.get("/v1/approvals?status=all").await;
    assert_eq!(logged["approvals"][0]["result"]["status"], "timeout", "{logged}");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_the_notice_say_that_nothing_can_be_recorded_and_when_it_can_again() {
    let root = root();
    let server = start(root.path()).await;
    assert_eq!(health(&server).await["status"], "ok");
    let other = locked(&server);
    let looks = json!({ "tool": "look", "arguments": {}, "risk": "read_only" });
    assert_eq!(server.ask("/v1/approvals", looks.clone()).await.status, 503);
    let told = health(&server).await;
    assert_eq!(
        (&told["status"], &told["problem"]),
        (&json!("cannot_record"), &json!("Another program holds the log locked."))
    );
    let notices = server.server.engine().notices().await.unwrap();
    let notice = notices.iter().find(|notice| notice.title == "The audit log cannot be written").unwrap();
    assert!(notice.detail.contains(&root.path().display().to_string()), "{}", notice.detail);
    drop(other);
    health_when(&server, "ok").await;
    assert!(server.server.engine().notices().await.unwrap().is_empty());
    assert_eq!(server.ask("/v1/approvals", looks).await.body["status"], "approved");
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_requests_that_cannot_be_read_are_ended_and_the_server_starts() {
    let root = root();
    let server = start(root.path()).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        let asked = server.ask("/v1/approvals?wait=0", edit(number, Some(&format!("k{number}")))).await;
        ids.push(asked.body["id"].as_str().unwrap().to_owned());
    }
    let database = server.folders.audit_database();
    drop(server);
    let other = Connection::open(&database).unwrap();
    // A field of a later version, text that is no JSON, a value that is none, bytes that are no text.
    for (id, sql) in ids.iter().zip([
        "UPDATE request SET submission = json_set(submission, '$.request.only_if', 'x') WHERE id = ?1",
        "UPDATE request SET submission = '{' WHERE id = ?1",
        "UPDATE request SET result = '{}' WHERE id = ?1",
        "UPDATE request SET submission = CAST(x'ff00' AS TEXT) WHERE id = ?1",
    ]) {
        assert_eq!(other.execute(sql, [id]).unwrap(), 1);
    }
    drop(other);
    let server = start_again(root.path()).await;
    let open: Vec<String> =
        server.server.engine().pending().await.unwrap().iter().map(|approval| approval.id.to_string()).collect();
    assert_eq!(open, ids[4..], "what can be read is still open, and nothing else");
    let notices = server.server.engine().notices().await.unwrap();
    assert!(notices.iter().any(|notice| notice.detail.contains("4 of them cannot be read")), "{notices:?}");
    let looked = server.call("GET", &format!("/v1/approvals/{}", ids[0]), &server.requester, None).await;
    assert_eq!(looked.body["status"], "cancelled", "{looked:?}");
    // A later version's history can still be looked through.
    let listed = server.get("/v1/approvals?status=cancelled").await;
    assert_eq!(listed["approvals"].as_array().unwrap().len(), 1, "{listed}");
    assert!(matches!(server.server.engine().verify_audit().await.unwrap(), Verification::Whole(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn how_a_question_ended_is_stored_once_that_is_possible_again() {
    let root = root();
    let server = start(root.path()).await;
    let question = json!({ "question": "Which one?", "custom": true });
    let asked = server.ask("/v1/questions?wait=0", question).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    let other = locked(&server);
    let answered = server.post(&format!("/v1/questions/{id}/answer"), json!({ "custom": "this one" })).await;
    assert_eq!(answered.status, 503, "{answered:?}");
    drop(other);
    health_when(&server, "ok").await;
    let stored = Connection::open(server.folders.audit_database()).unwrap();
    let status: String =
        stored.query_row("SELECT status FROM question WHERE id = ?1", [&id], |row| row.get(0)).unwrap();
    assert_eq!(status, "cancelled");
    assert!(matches!(server.server.engine().verify_audit().await.unwrap(), Verification::Whole(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_log_is_set_aside_and_its_grants_do_not_count() {
    let root = root();
    let server = start(root.path()).await;
    let asked = server.ask("/v1/approvals?wait=0", edit(1, None)).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    server.decide(&id, json!({ "decision": "approve", "scope": "session" })).await;
    assert_eq!(server.ask("/v1/approvals?wait=0", edit(1, None)).await.body["status"], "approved");
    let folders = server.folders.clone();
    server.server.stop().await;
    let other = Connection::open(folders.audit_database()).unwrap();
    other.execute_batch("DROP TRIGGER log_is_not_changed; UPDATE log SET entry = '{}' WHERE seq = 2").unwrap();
    drop(other);

    let server = start_again(root.path()).await;
    assert_eq!(server.ask("/v1/approvals?wait=0", edit(1, None)).await.body["status"], "pending");
    let titles: Vec<String> =
        server.server.engine().notices().await.unwrap().into_iter().map(|notice| notice.title).collect();
    assert!(titles.contains(&"The audit log was damaged".to_owned()), "{titles:?}");
    assert!(titles.contains(&"Some remembered approvals were dropped".to_owned()), "{titles:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_with_too_many_values_is_refused_with_the_limit() {
    let root = root();
    let server = start(root.path()).await;
    for arguments in [
        json!({ "list": vec![1; 20_000] }),
        Value::Object((0..20_000).map(|number| (number.to_string(), json!(1))).collect()),
        json!({ "deep": vec![vec![vec![1; 10]; 10]; 30] }),
    ] {
        let reply = server.ask("/v1/approvals?wait=0", json!({ "tool": "edit", "arguments": arguments })).await;
        assert_eq!((reply.status, &reply.body["code"]), (422, &json!("invalid_request")));
        assert!(reply.body["detail"].as_str().unwrap().contains("more than 2000 values"), "{:?}", reply.body);
    }
    let fits = json!({ "tool": "edit", "arguments": { "list": vec![1; 1_900] } });
    assert_eq!(server.ask("/v1/approvals?wait=0", fits).await.status, 202);
    // To an agent the refusal is a denial in its own words.
    let hook = json!({
        "session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "mcp__x__y", "cwd": "/tmp",
        "tool_input": { "list": vec![1; 20_000] },
    });
    let token = std::fs::read_to_string(server.folders.token_file("claude-code")).unwrap();
    let denied = server.call("POST", "/v1/hooks/claude-code", &token, Some(hook)).await;
    assert_eq!(denied.status, 200);
    assert!(denied.body.to_string().contains("more than 2000 values"), "{denied:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_a_flood_of_one_requester_another_one_is_answered() {
    let root = root();
    let server = Arc::new(start(root.path()).await);
    let flooding = Arc::new(AtomicI64::new(0));
    let stop = tokio_util::sync::CancellationToken::new();
    let values = vec!["some/path/that/is/a/text"; 300];
    let mut floods = Vec::new();
    for _ in 0..3 {
        let (server, stop, values, flooding) = (server.clone(), stop.clone(), values.clone(), flooding.clone());
        floods.push(tokio::spawn(async move {
            let mut answers = Vec::new();
            while !stop.is_cancelled() {
                let call = json!({ "tool": "edit", "arguments": { "list": values } });
                answers.push(server.ask("/v1/approvals?wait=0", call).await.status);
                flooding.fetch_add(1, Ordering::Relaxed);
            }
            answers
        }));
    }
    let request = NewCredentialRequest { name: "quiet".to_owned(), role: Role::Requester };
    let quiet = server.server.engine().create_credential(request).await.unwrap().token;
    let looks = json!({ "tool": "look", "arguments": {}, "risk": "read_only", "session": "q" });
    let asks = json!({ "tool": "edit", "arguments": {}, "session": "q" });
    while flooding.load(Ordering::Relaxed) < 10 {
        tokio::task::yield_now().await;
    }
    for number in 0..5 {
        let reply = server.call("POST", "/v1/approvals", &quiet, Some(looks.clone())).await;
        assert_eq!((reply.status, &reply.body["status"]), (200, &json!("approved")), "call {number}: {reply:?}");
    }
    let reply = server.call("POST", "/v1/approvals?wait=0", &quiet, Some(asks)).await;
    assert_eq!((reply.status, &reply.body["status"]), (202, &json!("pending")), "{reply:?}");
    stop.cancel();
    for flood in floods {
        for status in flood.await.unwrap() {
            assert!([202, 429].contains(&status), "{status}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_much_is_refused_with_the_time_to_wait() {
    let root = root();
    let server = start(root.path()).await;
    let mut refused = None;
    for number in 0..60 {
        let mut call = edit(number, None);
        call["session"] = json!("one");
        let reply = server.ask("/v1/approvals?wait=0", call).await;
        if reply.status != 202 {
            refused = Some((number, reply));
            break;
        }
    }
    let (number, reply) = refused.unwrap();
    assert_eq!((number, reply.status, &reply.body["code"]), (50, 429, &json!("too_many_requests")));
    assert!(reply.head.to_lowercase().contains("retry-after: "), "{}", reply.head);
    assert_eq!(server.ask("/v1/approvals?wait=0", json!({ "tool": "edit", "session": "other" })).await.status, 202);

    let all = json!({ "agent": "default", "reason": "not now" });
    let denied = server.post("/v1/approvals/deny-all", all.clone()).await;
    assert_eq!((denied.status, &denied.body["denied"]), (200, &json!(51)));
    assert!(server.server.engine().pending().await.unwrap().is_empty());
    let requester = server.ask("/v1/approvals/deny-all", all).await;
    assert_eq!(requester.status, 403, "{requester:?}");
}

/// The system's clock, moved on as tests like, and a wall clock that can be set.
#[derive(Debug, Default)]
struct TestClock {
    passed: AtomicI64,
    set: Mutex<SignedDuration>,
}

impl TestClock {
    fn pass(&self, seconds: i64) {
        self.passed.fetch_add(seconds, Ordering::SeqCst);
    }

    fn set(&self, by: SignedDuration) {
        *self.set.lock().unwrap() += by;
    }

    fn passed(&self) -> SignedDuration {
        SignedDuration::from_secs(self.passed.load(Ordering::SeqCst))
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        SystemClock.now() + self.passed() + *self.set.lock().unwrap()
    }

    fn elapsed(&self) -> Duration {
        SystemClock.elapsed() + Duration::try_from(self.passed()).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_back_lengthens_neither_a_grant_nor_a_time_out() {
    let root = root();
    let clock = Arc::new(TestClock::default());
    let server = start_with_clock(root.path(), clock.clone()).await;
    let asked = server.ask("/v1/approvals?wait=0", edit(1, None)).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    server.decide(&id, json!({ "decision": "approve", "scope": "minutes" })).await;
    let mut waits = edit(2, Some("k"));
    waits["timeout_seconds"] = json!(600);
    assert_eq!(server.ask("/v1/approvals?wait=0", waits.clone()).await.status, 202);
    clock.pass(300);
    clock.set(SignedDuration::from_hours(-5));
    // Ten minutes are left of the fifteen.
    assert_eq!(server.ask("/v1/approvals?wait=0", edit(1, None)).await.body["status"], "approved");
    clock.pass(301);
    let over = server.ask("/v1/approvals?wait=0", waits).await;
    assert_eq!(over.body["status"], "timeout", "the time-out is not lengthened: {over:?}");
    clock.pass(300);
    assert_eq!(server.ask("/v1/approvals?wait=0", edit(1, None)).await.body["status"], "pending", "nor the grant");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_is_due_by_the_clock_as_it_was_set() {
    let root = root();
    let clock = Arc::new(TestClock::default());
    let server = start_with_clock(root.path(), clock.clone()).await;
    server.ask("/v1/approvals?wait=0", edit(1, None)).await;
    server.ask("/v1/questions?wait=0", json!({ "question": "Which one?" })).await;
    let engine = server.server.engine();
    let due = async || {
        let (approvals, questions) = (engine.pending().await.unwrap(), engine.questions().await.unwrap());
        (approvals[0].expires_at, questions[0].expires_at)
    };
    let before = due().await;
    clock.set(SignedDuration::from_hours(-5));
    // The clock is looked at between two messages.
    engine.mode().await.unwrap();
    let after = due().await;
    let moved = |before: Timestamp, after: Timestamp| {
        let beside = before.duration_since(after) - SignedDuration::from_hours(5);
        beside.abs() < SignedDuration::from_mins(1)
    };
    assert!(moved(before.0, after.0) && moved(before.1, after.1), "{before:?}, {after:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_back_while_the_server_is_down_lengthens_no_grant() {
    let root = root();
    let clock = Arc::new(TestClock::default());
    let server = start_with_clock(root.path(), clock.clone()).await;
    let asked = server.ask("/v1/approvals?wait=0", edit(1, None)).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    server.decide(&id, json!({ "decision": "approve", "scope": "minutes" })).await;
    clock.pass(300);
    server.server.stop().await;
    clock.set(SignedDuration::from_hours(-5));
    let server = start_with_clock(root.path(), clock.clone()).await;
    assert_eq!(server.ask("/v1/approvals?wait=0", edit(1, None)).await.body["status"], "approved");
    clock.pass(601);
    assert_eq!(server.ask("/v1/approvals?wait=0", edit(1, None)).await.body["status"], "pending");
}
