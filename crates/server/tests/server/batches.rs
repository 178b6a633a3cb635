//! The calls of one parallel batch.

use crate::support::{TestServer, read, start};
use serde_json::{Value, json};

const BATCH: &str = "/v1/approvals/batch";

fn call(tool: &str, number: usize) -> Value {
    json!({ "tool": tool, "arguments": { "n": number }, "session": "s" })
}

async fn pending(server: &TestServer, count: usize) -> Vec<Value> {
    loop {
        let listed = server.get("/v1/approvals").await["approvals"].as_array().unwrap().clone();
        if listed.len() == count {
            return listed;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_call_gets_its_own_result_in_order_and_all_are_shown_together() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let looks = json!({ "tool": "look", "risk": "read_only", "session": "s" });
    let body = json!({ "batch": "step 4", "requests": [call("edit", 1), looks, call("edit", 2)] });
    let mut waiting = server.open("POST", BATCH, &server.requester, Some(body)).await;
    let open = pending(&server, 2).await;
    assert!(open[0]["batch"].is_string());
    assert_eq!(open[0]["batch"], open[1]["batch"]);
    let id = |n: &str| {
        let own = |approval: &&Value| approval["arguments"].to_string().contains(&format!("\"text\":\"{n}\""));
        open.iter().find(own).unwrap()["id"].as_str().unwrap().to_owned()
    };
    server.decide(&id("2"), json!({ "decision": "deny", "reason": "no" })).await;
    server.decide(&id("1"), json!({ "decision": "approve" })).await;
    let answer = read(&mut waiting).await;
    let statuses: Vec<&Value> = answer.body["results"].as_array().unwrap().iter().map(|one| &one["status"]).collect();
    assert_eq!((answer.status, statuses), (200, vec![&json!("approved"), &json!("approved"), &json!("denied")]));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_wait_what_is_open_stays_open() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let body = json!({ "requests": [call("edit", 1), call("edit", 2)] });
    let reply = server.ask(&format!("{BATCH}?wait=0"), body).await;
    assert_eq!(reply.status, 202, "{reply:?}");
    let ids: Vec<&str> =
        reply.body["results"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert!(reply.body["results"].as_array().unwrap().iter().all(|one| one["status"] == "pending"));
    server.decide(ids[0], json!({ "decision": "approve" })).await;
    let resumed = server.call("GET", &format!("/v1/approvals/{}?wait=1", ids[0]), &server.requester, None).await;
    assert_eq!(resumed.body["status"], "approved");
    assert_eq!(pending(&server, 1).await[0]["id"], json!(ids[1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bad_call_refuses_all_and_is_named() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let good = call("edit", 1);
    let keyed = |number| json!({ "tool": "edit", "arguments": { "n": number }, "idempotency_key": "k" });
    for (bad, words) in [
        (json!({ "tool": "edit", "argumnets": {} }), "argumnets"),
        (json!({ "tool": " " }), "`tool` must not be empty"),
        (json!("edit"), "invalid type"),
        (json!({ "tool": "edit", "batch": "another" }), "`batch`"),
        (json!({ "tool": "edit", "cwd": "relative", "timeout_seconds": 0 }), "timeout_seconds"),
    ] {
        let reply = server.ask(BATCH, json!({ "requests": [good, bad] })).await;
        let detail = reply.body["detail"].as_str().unwrap();
        assert_eq!(reply.status, 422, "{reply:?}");
        assert!(detail.starts_with("`requests[1]`: ") && detail.contains(words), "{detail}");
    }
    let reused = server.ask(BATCH, json!({ "requests": [keyed(1), good, keyed(2)] })).await;
    assert_eq!((reused.status, &reused.body["code"]), (409, &json!("key_reused")));
    assert!(reused.body["detail"].as_str().unwrap().starts_with("`requests[2]`: "), "{reused:?}");
    for count in [0, 65] {
        let reply = server.ask(BATCH, json!({ "requests": vec![good.clone(); count] })).await;
        assert_eq!((reply.status, &reply.body["code"]), (422, &json!("invalid_request")));
    }
    assert_eq!(server.get("/v1/approvals?status=all").await["approvals"], json!([]));
    assert!(server.surface.0.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_joins_and_a_requester_that_goes_away_takes_all_along() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let keyed = json!({ "tool": "edit", "arguments": {}, "idempotency_key": "k" });
    let first = server.ask(&format!("{BATCH}?wait=0"), json!({ "requests": [keyed] })).await;
    let again = server.ask(&format!("{BATCH}?wait=0"), json!({ "requests": [keyed, call("edit", 1)] })).await;
    assert_eq!(first.body["results"][0]["id"], again.body["results"][0]["id"]);
    pending(&server, 2).await;
    let body = json!({ "requests": [call("edit", 2), call("edit", 3)] });
    let waiting = server.open("POST", BATCH, &server.requester, Some(body)).await;
    pending(&server, 4).await;
    drop(waiting);
    pending(&server, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_for_a_call_and_waits_takes_that_call_along() {
    let root = tempfile::tempdir().unwrap();
    let server = start(root.path()).await;
    let keyed = json!({ "tool": "edit", "arguments": {}, "idempotency_key": "k" });
    let first = server.ask(&format!("{BATCH}?wait=0"), json!({ "requests": [keyed, call("edit", 1)] })).await;
    assert_eq!(first.status, 202);
    // Both stay without anybody who waits. The new call shows that the gate has taken the second batch.
    let waiting =
        server.open("POST", BATCH, &server.requester, Some(json!({ "requests": [keyed, call("edit", 2)] }))).await;
    pending(&server, 3).await;
    drop(waiting);
    let left = pending(&server, 1).await;
    assert_eq!(left[0]["id"], first.body["results"][1]["id"]);
}
