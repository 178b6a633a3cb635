//! A secret in a call reaches nobody but the person who asks to see it.

use crate::support::{TestServer, read, start};
use serde_json::{Value, json};

/// A token of the published form, and nobody's.
const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

fn root() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn call() -> Value {
    json!({
        "tool": "Bash",
        "arguments": { "command": format!("curl -H 'Authorization: token {SECRET}' https://api.example.com") },
        "intent": format!("use {SECRET}"),
        "summary": format!("with {SECRET}"),
        "description": format!("the token is {SECRET}"),
        "user": format!("with {SECRET}"),
        "batch": format!("of {SECRET}"),
        "session": "s",
        "idempotency_key": "k",
    })
}

/// Whether the secret stands in any file of the audit log.
fn is_in_log(server: &TestServer) -> bool {
    let files = server.folders.data.read_dir().unwrap().flatten().map(|entry| entry.path());
    files.filter(|path| path.is_file()).any(|path| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes())
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_neither_shown_nor_stored_nor_streamed() {
    let root = root();
    let server = start(root.path()).await;
    let mut events = server.server.engine().subscribe().await.unwrap();
    let asked = server.ask("/v1/approvals?wait=0", call()).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    let listed = server.get("/v1/approvals").await;
    let approval = &listed["approvals"][0];
    assert!(!listed.to_string().contains(SECRET), "{listed}");
    assert_eq!((&approval["redacted"], &approval["editable_arguments"]), (&json!(true), &Value::Null));
    assert!(approval["title"].as_str().unwrap().contains("‹redacted:"), "{}", approval["title"]);

    let decision = json!({ "decision": "deny", "scope": "session", "reason": format!("not with {SECRET}") });
    server.decide(&id, decision).await;
    // Who waits, or asks, is told what the person said, word for word.
    let told = server.call("GET", &format!("/v1/approvals/{id}"), &server.requester, None).await;
    assert!(told.body["reason"].as_str().unwrap().contains(SECRET));
    let history = server.get("/v1/approvals?status=all").await;
    assert!(!history.to_string().contains(SECRET), "{history}");
    for path in ["/v1/grants", "/v1/sessions"] {
        let reply = server.get(path).await;
        assert!(!reply.to_string().contains(SECRET), "{path}: {reply}");
    }
    let mut streamed = Vec::new();
    while let Ok(published) = events.try_recv() {
        streamed.push(serde_json::to_string(&*published.event().unwrap()).unwrap());
    }
    assert_eq!(streamed.len(), 3, "{streamed:?}");
    assert!(!streamed.concat().contains(SECRET), "{streamed:?}");
    assert!(!is_in_log(&server));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_person_can_reveal_it_while_the_request_is_open_and_that_is_recorded() {
    let root = root();
    let server = start(root.path()).await;
    let asked = server.ask("/v1/approvals?wait=0", call()).await;
    let path = format!("/v1/approvals/{}/reveal", asked.body["id"].as_str().unwrap());
    let forbidden = server.call("GET", &path, &server.requester, None).await;
    assert_eq!((forbidden.status, &forbidden.body["code"]), (403, &json!("not_an_approver")));
    let revealed = server.get(&format!("{path}?field=command")).await;
    assert!(revealed["arguments"][0]["value"][0]["text"].as_str().unwrap().contains(SECRET), "{revealed}");
    assert_eq!(revealed["editable_arguments"], Value::Null);
    let all = server.get(&path).await;
    assert!(all["editable_arguments"].as_str().unwrap().contains(SECRET), "{all}");
    let missing = server.call("GET", &format!("{path}?field=nothing"), &server.approver, None).await;
    assert_eq!(missing.status, 404);

    let log = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let count: u32 =
        log.query_row("SELECT count(*) FROM log WHERE entry LIKE '%\"revealed\"%'", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 2);
    let id = asked.body["id"].as_str().unwrap().to_owned();
    server.decide(&id, json!({ "decision": "approve" })).await;
    let late = server.call("GET", &path, &server.approver, None).await;
    assert_eq!((late.status, &late.body["code"]), (409, &json!("not_revealable")));
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_arguments_reach_the_one_who_waits_and_nobody_else() {
    let root = root();
    let server = start(root.path()).await;
    let body = json!({ "tool": "edit", "arguments": { "text": "a" }, "session": "s" });
    let mut waiting = server.open("POST", "/v1/approvals", &server.requester, Some(body)).await;
    let id = server.pending().await;
    let marked = json!({ "decision": "approve", "arguments": { "text": "‹redacted:token:3:00000000›" } });
    assert_eq!(server.decide(&id, marked).await.status, 422);
    let changed = json!({ "text": format!("key {SECRET}") });
    let decided = server.decide(&id, json!({ "decision": "approve", "arguments": changed })).await;
    assert_eq!((decided.status, decided.body.to_string().contains(SECRET)), (200, false), "{:?}", decided.body);
    let looked = server.get(&format!("/v1/approvals/{id}")).await;
    assert!(!looked.to_string().contains(SECRET), "{looked}");
    let answer = read(&mut waiting).await;
    assert_eq!((&answer.body["status"], &answer.body["arguments"]), (&json!("approved"), &changed));
    assert!(!is_in_log(&server));
    server.server.stop().await;

    // Nobody may run what is left of them.
    let server = start(root.path()).await;
    let later = server.call("GET", &format!("/v1/approvals/{id}"), &server.requester, None).await;
    assert_eq!((&later.body["status"], &later.body["arguments"]), (&json!("cancelled"), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redacted_request_survives_a_restart_and_only_a_person_decides_it() {
    let root = root();
    let server = start(root.path()).await;
    let asked = server.ask("/v1/approvals?wait=0", call()).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    let hash = asked.body["arguments_hash"].clone();
    drop(server);
    let server = crate::support::start_again(root.path()).await;
    let etag = server.get("/v1/policy").await["etag"].as_str().unwrap().to_owned();
    let policy =
        json!({ "text": "version = 1\npreset = \"autonomous\"\n[[rule]]\npattern = \"Bash\"\naction = \"allow\"\n" });
    assert_eq!(server.put("/v1/policy", &etag, policy).await.status, 200);
    let open = server.get("/v1/approvals").await;
    assert_eq!((&open["approvals"][0]["id"], &open["approvals"][0]["arguments_hash"]), (&json!(id), &hash));
    let path = format!("/v1/approvals/{id}/reveal");
    assert_eq!(server.call("GET", &path, &server.approver, None).await.status, 409);

    // The requester comes back with the same call, which is the one that is open.
    let joined = server.ask("/v1/approvals?wait=0", call()).await;
    assert_eq!((&joined.body["id"], &joined.body["status"]), (&json!(id), &json!("pending")));
    let decided = server.decide(&id, json!({ "decision": "approve", "arguments_hash": hash })).await;
    assert_eq!(decided.body["result"]["status"], "approved");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_becomes_no_rule() {
    let root = root();
    let server = start(root.path()).await;
    let asked = server.ask("/v1/approvals?wait=0", call()).await;
    let id = asked.body["id"].as_str().unwrap().to_owned();
    for choice in server.get("/v1/approvals").await["approvals"][0]["scopes"].as_array().unwrap() {
        assert!(!choice["rule"].to_string().contains("redacted"), "{choice}");
    }
    let decided = server.decide(&id, json!({ "decision": "approve", "scope": "always" })).await;
    assert_eq!((decided.status, &decided.body["code"]), (422, &json!("invalid_request")));
    let policy = std::fs::read_to_string(server.folders.policy_file()).unwrap();
    assert!(!policy.contains(SECRET) && !policy.contains("redacted"), "{policy}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_reason_that_is_given_holds_a_secret() {
    let root = root();
    let server = start(root.path()).await;
    for line in [
        format!("curl -H 'Authorization: token {SECRET}' https://api.example.com"),
        format!("{SECRET} --all"),
        format!("ls {SECRET}/.env"),
        format!("head -{SECRET} a.txt"),
        format!("rg -n --{SECRET} src"),
        format!("git {SECRET}"),
        format!("TOKEN={SECRET} make && cat ~/{SECRET}/.aws/credentials"),
        format!("if [ {SECRET} ]; then coproc {SECRET}; fi"),
    ] {
        let call = json!({ "tool": "Bash", "arguments": { "command": line } });
        let reply = server.ask("/v1/evaluate", call.clone()).await;
        assert_eq!(reply.status, 200, "{line}: {:?}", reply.body);
        assert!(!reply.body.to_string().contains(SECRET), "{line}: {}", reply.body);
        server.ask("/v1/approvals?wait=0", call).await;
        let shown = server.call("GET", "/v1/approvals", &server.approver, None).await.body.to_string();
        assert!(!shown.contains(SECRET), "{line}: {shown}");
    }
    assert!(!is_in_log(&server));
}

/// What waits already is shown by the policy that is in force now.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_kind_of_secret_is_taken_out_of_what_waits_already() {
    let root = root();
    let server = start(root.path()).await;
    let own = "acme-0123456789abcdef";
    for number in 0..20 {
        let call = json!({ "tool": "Bash", "arguments": { "command": format!("deploy --to {own} {number}") }, "session": "s" });
        server.ask("/v1/approvals?wait=0", call).await;
    }
    assert!(server.get("/v1/approvals").await.to_string().contains(own));

    let policy = server.get("/v1/policy").await;
    let text = format!(
        "{}\n[redaction]\npatterns = [{{ name = \"acme\", regex = 'acme-[0-9a-f]{{16}}' }}]\n",
        policy["text"].as_str().unwrap()
    );
    let put = server.put("/v1/policy", policy["etag"].as_str().unwrap(), json!({ "text": text })).await;
    assert_eq!(put.status, 200, "{:?}", put.body);

    let listed = server.get("/v1/approvals").await;
    assert_eq!(listed["approvals"].as_array().unwrap().len(), 20);
    assert!(!listed.to_string().contains(own), "{listed}");
    assert!(listed.to_string().contains("‹redacted:"), "{listed}");
    let one = listed["approvals"][0]["id"].as_str().unwrap();
    assert!(!server.get(&format!("/v1/approvals/{one}")).await.to_string().contains(own));
    let desktop = server.server.engine().pending().await.unwrap();
    assert!(!serde_json::to_string(&desktop).unwrap().contains(own));
}
