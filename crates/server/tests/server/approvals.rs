//! Asking and deciding.

use std::sync::Arc;

use crate::support::{Shown, read, start};
use handraise_protocol::Event;
use serde_json::json;

fn root() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_waits_until_an_approver_decides() {
    let root = root();
    let server = start(root.path()).await;
    let body = json!({ "tool": "edit", "arguments": { "path": "a" }, "session": "s", "trace_id": "t1" });
    let mut waiting = server.open("POST", "/v1/approvals", &server.requester, Some(body)).await;
    let id = server.pending().await;

    let listed = server.call("GET", "/v1/approvals", &server.approver, None).await;
    assert_eq!(listed.body["approvals"][0]["id"], json!(id));

    let decided = server.decide(&id, json!({ "decision": "approve", "reason": "fine" })).await;
    assert_eq!((decided.status, &decided.body["result"]["status"]), (200, &json!("approved")));
    let answer = read(&mut waiting).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body["status"], "approved");
    assert_eq!(answer.body["reason"], "fine");
    assert_eq!(answer.body["trace_id"], "t1");
    assert_eq!(server.surface.0.lock().unwrap().len(), 2);

    let again = server.decide(&id, json!({ "decision": "deny" })).await;
    assert_eq!((again.status, &again.body["code"]), (409, &json!("already_over")));
    assert_eq!(again.body["result"]["status"], "approved");
}

#[tokio::test(flavor = "multi_thread")]
async fn pending_then_resume_then_redeem_once() {
    let root = root();
    let server = start(root.path()).await;
    let call = json!({ "tool": "edit", "arguments": { "n": 1 }, "session": "s" });
    let first = server.ask("/v1/approvals?wait=0", call.clone()).await;
    assert_eq!((first.status, &first.body["status"]), (202, &json!("pending")));
    let id = first.body["id"].as_str().unwrap().to_owned();

    let path = format!("/v1/approvals/{id}");
    assert_eq!(server.call("GET", &path, &server.requester, None).await.status, 202);
    assert_eq!(server.call("GET", &format!("{path}?wait=1"), &server.requester, None).await.status, 202);
    server.decide(&id, json!({ "decision": "approve" })).await;
    let resumed = server.call("GET", &path, &server.requester, None).await;
    assert_eq!((resumed.status, &resumed.body["status"]), (200, &json!("approved")));

    let redeem = format!("{path}/redeem");
    let other = json!({ "tool": "edit", "arguments": { "n": 2 }, "session": "s" });
    assert_eq!(server.ask(&redeem, other).await.status, 409);
    assert_eq!(server.ask(&redeem, call.clone()).await.status, 200);
    assert_eq!(server.ask(&redeem, call).await.status, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_requester_that_goes_away_takes_its_request_along() {
    let root = root();
    let server = start(root.path()).await;
    let body = json!({ "tool": "edit", "arguments": {} });
    let waiting = server.open("POST", "/v1/approvals", &server.requester, Some(body)).await;
    let id = server.pending().await;
    let looked = server.call("GET", &format!("/v1/approvals/{id}"), &server.requester, None).await;
    assert_eq!((looked.status, &looked.body["status"]), (202, &json!("pending")));
    drop(waiting);
    while !server.server.engine().pending().await.unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let shown = server.surface.0.lock().unwrap().clone();
    let id = handraise_protocol::RequestId(id.parse().unwrap());
    assert_eq!(shown, [Shown::Present(id), Shown::Withdraw(id)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn surfaces_hear_nothing_of_what_no_person_is_asked_about() {
    let root = root();
    let server = start(root.path()).await;
    let reads = json!({ "tool": "look", "arguments": {}, "risk": "read_only" });
    for _ in 0..3 {
        assert_eq!(server.ask("/v1/approvals", reads.clone()).await.body["status"], "approved");
    }
    assert!(server.surface.0.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_requester_cannot_decide_list_or_see_others() {
    let root = root();
    let server = start(root.path()).await;
    let first = server.ask("/v1/approvals?wait=0", json!({ "tool": "edit", "arguments": {} })).await;
    let id = first.body["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/approvals/{id}");
    let other = std::fs::read_to_string(server.folders.token_file("claude-code")).unwrap();

    for (method, path) in [
        ("POST", format!("{path}/decision")),
        ("GET", "/v1/approvals".to_owned()),
        ("GET", "/v1/sessions".to_owned()),
        ("GET", "/v1/grants".to_owned()),
        ("GET", "/v1/credentials".to_owned()),
    ] {
        let body = (method == "POST").then(|| json!({ "decision": "approve" }));
        let reply = server.call(method, &path, &server.requester, body).await;
        assert_eq!((reply.status, &reply.body["code"]), (403, &json!("not_an_approver")), "{path}");
    }
    assert_eq!(server.call("GET", &path, &other, None).await.status, 404);
    assert_eq!(server.call("DELETE", &path, &other, None).await.status, 404);
    let cancelled = server.call("DELETE", &path, &server.requester, None).await;
    assert_eq!(cancelled.body["status"], "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_field_is_refused_with_its_name() {
    let root = root();
    let server = start(root.path()).await;
    let reply = server.ask("/v1/approvals", json!({ "tool": "edit", "argumnets": {} })).await;
    assert_eq!((reply.status, &reply.body["code"]), (422, &json!("invalid_request")));
    assert!(reply.body["detail"].as_str().unwrap().contains("argumnets"), "{:?}", reply.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_of_the_table_is_served() {
    let root = root();
    let server = start(root.path()).await;
    for route in handraise_protocol::ROUTES {
        if route.path == "/v1/events" {
            continue;
        }
        let path = route.path.replace("{id}", "x").replace("{agent}", "x");
        let body = route.body.map(|_| json!({}));
        let reply = server.call(route.method.as_str(), &path, "", body).await;
        let unknown =
            reply.status == 405 || reply.body["detail"].as_str().is_some_and(|detail| detail.contains("openapi"));
        assert!(!unknown, "{} {}: {:?}", route.method.as_str(), route.path, reply);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn evaluation_explains_and_changes_nothing() {
    let root = root();
    let server = start(root.path()).await;
    let call = json!({ "tool": "wipe", "arguments": {}, "risk": "destructive" });
    let reply = server.ask("/v1/evaluate", call).await;
    assert_eq!(reply.body["action"], "deny");
    assert_eq!(reply.body["explanation"], "Policy denies 'wipe'");
    let listed = server.call("GET", "/v1/approvals?status=all", &server.approver, None).await;
    assert_eq!(listed.body["approvals"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn grants_and_open_requests_survive_a_restart_but_never_widen() {
    let root = root();
    let server = start(root.path()).await;
    let call = json!({ "tool": "edit", "arguments": { "n": 1 }, "session": "s" });
    let asked = server.ask("/v1/approvals?wait=0", call.clone()).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    server.decide(&id, json!({ "decision": "approve", "scope": "session" })).await;
    let keyed = json!({ "tool": "edit", "arguments": { "n": 2 }, "session": "s", "idempotency_key": "k" });
    let open = server.ask("/v1/approvals?wait=0", keyed.clone()).await;
    assert_eq!(open.status, 202);
    // As after a crash: nobody is told, nothing is closed.
    let folders = server.folders.clone();
    drop(server);
    let server = crate::support::start_again(root.path()).await;

    let repeated = server.ask("/v1/approvals?wait=0", call.clone()).await;
    assert_eq!((&repeated.body["status"], &repeated.body["decided_by"]), (&json!("approved"), &json!("grant")));
    server.server.stop().await;

    // A grant that no decision backs does not count.
    let text = std::fs::read_to_string(folders.grants_file()).unwrap();
    std::fs::write(folders.grants_file(), text.replace("\"edit\"", "\"wipe\"")).unwrap();
    let server = start(root.path()).await;
    let wiped = json!({ "tool": "wipe", "arguments": { "n": 1 }, "session": "s" });
    assert_eq!(server.ask("/v1/approvals?wait=0", wiped).await.status, 202);
    let titles: Vec<String> =
        server.server.engine().notices().await.unwrap().into_iter().map(|notice| notice.title).collect();
    assert_eq!(titles, ["Some remembered approvals were dropped"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_log_has_the_grants_and_a_person_may_take_them_out_of_the_list() {
    let root = root();
    let server = start(root.path()).await;
    let call = json!({ "tool": "edit", "arguments": { "n": 1 }, "session": "s" });
    let asked = server.ask("/v1/approvals?wait=0", call.clone()).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    server.decide(&id, json!({ "decision": "approve", "scope": "session" })).await;
    let folders = server.folders.clone();
    let list = std::fs::read_to_string(folders.grants_file()).unwrap();
    server.server.stop().await;

    // A damaged list takes nothing away, and is whole again.
    std::fs::write(folders.grants_file(), "{ \"version\": 1, \"gra").unwrap();
    let server = start(root.path()).await;
    assert_eq!(server.ask("/v1/approvals?wait=0", call.clone()).await.body["decided_by"], "grant");
    assert_eq!(std::fs::read_to_string(folders.grants_file()).unwrap(), list);
    server.server.stop().await;

    // What is not in it any more is over, whatever happens to the list afterwards.
    std::fs::remove_file(folders.grants_file()).unwrap();
    start(root.path()).await.server.stop().await;
    std::fs::write(folders.grants_file(), &list).unwrap();
    let server = start(root.path()).await;
    assert_eq!(server.ask("/v1/approvals?wait=0", call).await.body["status"], "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_with_the_same_folders_does_not_start() {
    let root = root();
    let _server = start(root.path()).await;
    let options = handraise_server::ServerOptions {
        folders: crate::support::folders(root.path()),
        port: Some(0),
        approver_token_file: None,
        confirm_policy: false,
        external_decisions: handraise_gate::ExternalDecisions::default(),
        confine_program: None,
    };
    let store = std::sync::Arc::new(handraise_server::FileStore::new(root.path().join("other.json")));
    let error = handraise_server::Server::start(options, Vec::new(), store).await.unwrap_err();
    assert!(error.to_string().contains("already running"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_approved_while_the_audit_log_cannot_be_written() {
    let root = root();
    let server = start(root.path()).await;
    let pending = server.ask("/v1/approvals?wait=0", json!({ "tool": "edit", "arguments": {} })).await;
    let id = pending.body["id"].as_str().unwrap().to_owned();

    let other = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let allowed = json!({ "tool": "look", "arguments": {}, "risk": "read_only" });
    let submitted = server.ask("/v1/approvals", allowed).await;
    assert_eq!((submitted.status, &submitted.body["code"]), (503, &json!("audit_unavailable")));
    let decided = server.decide(&id, json!({ "decision": "approve" })).await;
    assert_eq!((decided.status, &decided.body["code"]), (503, &json!("audit_unavailable")));
    drop(other);

    let resumed = server.call("GET", &format!("/v1/approvals/{id}"), &server.requester, None).await;
    assert_ne!(resumed.body["status"], "approved", "{:?}", resumed.body);
    let redeemed = server.ask(&format!("/v1/approvals/{id}/redeem"), json!({ "tool": "edit", "arguments": {} })).await;
    assert_eq!(redeemed.status, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_of_what_waits_is_what_the_surfaces_show() {
    let root = root();
    let server = start(root.path()).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        let session = if number % 2 == 0 { "even" } else { "odd" };
        let call = json!({ "tool": "edit", "arguments": { "path": format!("File{number}") }, "session": session });
        let asked = server.ask("/v1/approvals?wait=0", call).await;
        ids.insert(0, asked.body["id"].as_str().unwrap().to_owned());
    }
    let list = async |query: &str| {
        let page = server.get(&format!("/v1/approvals?{query}")).await;
        let found = page["approvals"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned());
        (found.collect::<Vec<_>>(), page["next_cursor"].as_str().map(str::to_owned))
    };
    // What waits is found as everything is, though it is looked for elsewhere.
    for query in ["session=even", "q=file3&session=odd", "agent=nobody"] {
        assert_eq!(list(query).await, list(&format!("{query}&status=all")).await, "{query}");
    }
    let (first, cursor) = list("limit=2").await;
    assert_eq!((first.as_slice(), cursor.as_ref()), (&ids[..2], ids.get(1)));
    assert_eq!(list(&format!("limit=3&cursor={}", cursor.unwrap())).await.0, ids[2..]);

    // An end that could not be written is one.
    let other = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(server.decide(&ids[0], json!({ "decision": "approve" })).await.status, 503);
    let shown = server.server.engine().pending().await.unwrap().into_iter().rev().map(|one| one.id.to_string());
    let shown: Vec<String> = shown.collect();
    assert_eq!((list("limit=50").await.0, shown.as_slice()), (shown.clone(), &ids[1..]));
    let all = server.get("/v1/approvals?status=all").await;
    assert_eq!(all["approvals"][0]["result"]["status"], "denied");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_come_to_the_disk_after_the_answer_stops_the_next_one() {
    let root = root();
    let server = start(root.path()).await;
    let allowed = json!({ "tool": "look", "arguments": {}, "risk": "read_only" });
    let first = server.ask("/v1/approvals", allowed.clone()).await;
    assert_eq!((first.status, &first.body["status"]), (200, &json!("approved")));

    // What the database has written last is in a file that has no name any more: nobody can bring it to the disk
    // by that name.
    let mut log = server.folders.audit_database().into_os_string();
    log.push("-wal");
    std::fs::remove_file(log).unwrap();
    let begin = std::time::Instant::now();
    let refused = loop {
        let reply = server.ask("/v1/approvals", allowed.clone()).await;
        if reply.status != 200 {
            break reply;
        }
        assert!(begin.elapsed().as_secs() < 30, "the failure was never told");
    };
    assert_eq!((refused.status, &refused.body["code"]), (503, &json!("audit_unavailable")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_is_rendered_once_and_shared() {
    let root = root();
    let server = start(root.path()).await;
    let engine = server.server.engine();
    let mut events = engine.subscribe().await.unwrap();
    server.ask("/v1/approvals?wait=0", json!({ "tool": "edit", "arguments": { "path": "a" } })).await;
    server.ask("/v1/questions?wait=0", json!({ "question": "Which one?" })).await;
    let mut told = Vec::new();
    while told.len() < 2 {
        told.push(events.recv().await.unwrap().event().unwrap());
    }
    let (approvals, questions) = (engine.pending().await.unwrap(), engine.questions().await.unwrap());
    match told.as_slice() {
        [approval, question] => {
            assert!(matches!(&**approval, Event::ApprovalRequested(one) if Arc::ptr_eq(&one.approval, &approvals[0])));
            assert!(matches!(&**question, Event::QuestionAsked(one) if Arc::ptr_eq(&one.question, &questions[0])));
        }
        other => panic!("{other:?}"),
    }
    assert!(Arc::ptr_eq(&approvals[0], &engine.pending().await.unwrap()[0]));
    assert!(Arc::ptr_eq(&questions[0], &engine.questions().await.unwrap()[0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_found_among_what_waits_and_nothing_that_is_over() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let ask = async |note: &str| {
        let call = json!({ "tool": "deploy", "arguments": { "note": note }, "session": "s" });
        server.ask("/v1/approvals?wait=0", call).await.body["id"].as_str().unwrap().to_owned()
    };
    let (first, over, second) = (ask("to Staging").await, ask("to staging").await, ask("to STAGING too").await);
    ask("elsewhere").await;
    assert_eq!(server.decide(&over, json!({ "decision": "deny" })).await.status, 200);
    let found = async |query: &str| {
        let page = server.get(&format!("/v1/approvals?status=pending&{query}")).await;
        let ids: Vec<String> =
            page["approvals"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
        (ids, page["next_cursor"].clone())
    };
    let (both, _) = found("q=staging").await;
    assert_eq!(both, [second.clone(), first.clone()]);
    let (page, cursor) = found("q=staging&limit=1").await;
    assert_eq!(page, [second]);
    let (page, _) = found(&format!("q=staging&limit=1&cursor={}", cursor.as_str().unwrap())).await;
    assert_eq!(page, [first]);
    assert_eq!(found("q=nowhere").await.0, Vec::<String>::new());
    assert_eq!(found("q=staging&session=other").await.0, Vec::<String>::new());
}
