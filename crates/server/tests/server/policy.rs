//! The policy as its editors see it: read, replaced, changed behind the app's back, confirmed.

use crate::support::{TestServer, start};
use serde_json::{Value, json};

const ALLOWING: &str = "version = 1\n[[rule]]\npattern = \"deploy\"\naction = \"allow\"\n";
const DENYING: &str = "version = 1\n[[rule]]\npattern = \"look\"\naction = \"deny\"\n";

fn root() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn write(server: &TestServer, text: &str) {
    std::fs::write(server.folders.policy_file(), text).unwrap();
}

async fn evaluate(server: &TestServer, tool: &str, risk: &str) -> Value {
    server.ask("/v1/evaluate", json!({ "tool": tool, "arguments": {}, "risk": risk })).await.body["action"].clone()
}

/// What stands in the audit log about the policy.
fn records(server: &TestServer) -> Vec<Value> {
    let log = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let mut statement = log.prepare("SELECT entry FROM log ORDER BY seq").unwrap();
    let entries = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    entries.map(|entry| serde_json::from_str(&entry.unwrap()).unwrap()).collect()
}

fn has_record(server: &TestServer, kind: &str, by: Option<&str>) -> bool {
    records(server).iter().any(|entry| entry["kind"] == kind && by.is_none_or(|by| entry["by"] == by))
}

async fn titles(server: &TestServer) -> Vec<String> {
    server.server.engine().notices().await.unwrap().into_iter().map(|notice| notice.title).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allowance_from_outside_waits_and_a_denial_from_outside_does_not() {
    let root = root();
    let server = start(root.path()).await;
    assert_eq!(evaluate(&server, "deploy", "write").await, "ask");
    write(&server, &format!("{ALLOWING}{}", DENYING.trim_start_matches("version = 1\n")));
    let view = server.policy_when(|policy| policy.pending.is_some()).await;
    assert!(view.pending.unwrap().loosens);
    assert_eq!(evaluate(&server, "deploy", "write").await, "ask");
    assert_eq!(evaluate(&server, "look", "read_only").await, "deny");
    assert_eq!(titles(&server).await, ["Your policy was changed outside Handraise"]);
    assert!(has_record(&server, "policy_unconfirmed", None));

    let stale = server.post("/v1/policy/confirm", json!({ "etag": "0" })).await;
    assert_eq!((stale.status, &stale.body["code"]), (412, &json!("policy_moved")));
    let confirmed = server.post("/v1/policy/confirm", json!({ "etag": view.etag })).await;
    assert_eq!((confirmed.status, &confirmed.body["pending"]), (200, &Value::Null));
    assert_eq!(evaluate(&server, "deploy", "write").await, "allow");
    assert_eq!(titles(&server).await, Vec::<String>::new());
    let by = records(&server).into_iter().rfind(|entry| entry["kind"] == "policy_confirmed").unwrap()["by"].clone();
    assert!(by.as_str().unwrap().starts_with("started-"), "{by}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_made_while_stopped_waits_as_well_and_a_confirmed_one_stays_confirmed() {
    let root = root();
    let server = start(root.path()).await;
    let policy = server.get("/v1/policy").await;
    let put = server.put("/v1/policy", policy["etag"].as_str().unwrap(), json!({ "text": ALLOWING })).await;
    assert_eq!(put.status, 200, "{:?}", put.body);
    assert_eq!(evaluate(&server, "deploy", "write").await, "allow");
    server.server.stop().await;

    let server = start(root.path()).await;
    assert_eq!(evaluate(&server, "deploy", "write").await, "allow");
    server.server.stop().await;

    std::fs::write(root.path().join("config/policy.toml"), ALLOWING.replace("deploy", "wipe")).unwrap();
    let server = start(root.path()).await;
    assert_eq!(evaluate(&server, "wipe", "write").await, "ask");
    assert_eq!(evaluate(&server, "deploy", "write").await, "ask");
    assert_eq!(titles(&server).await, ["Your policy was changed outside Handraise"]);
    server.server.stop().await;

    // Whoever changes the confirmed copy as well is found out by the audit log.
    std::fs::write(root.path().join("data/confirmed-policy.toml"), ALLOWING.replace("deploy", "wipe")).unwrap();
    let server = start(root.path()).await;
    assert_eq!(evaluate(&server, "wipe", "write").await, "ask");
    assert_eq!(evaluate(&server, "look", "read_only").await, "ask");
    let titles = titles(&server).await;
    assert!(titles.iter().any(|title| title == "Your confirmed policy is not there any more"), "{titles:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_is_refused_whole_with_its_place_until_it_is_mended() {
    let root = root();
    let server = start(root.path()).await;
    let before = server.get("/v1/policy").await["text"].as_str().unwrap().to_owned();
    write(&server, &format!("{ALLOWING}\n[[rule]]\npattern = \"x\"\nacton = \"allow\"\n"));
    let view = server.policy_when(|policy| policy.in_force.problem.is_some()).await;
    assert!(!view.diagnostics.is_empty());
    assert_eq!(evaluate(&server, "deploy", "write").await, "ask");
    assert_eq!(titles(&server).await, ["The policy file cannot be used"]);
    let notice = server.server.engine().notices().await.unwrap().remove(0).detail;
    assert!(notice.contains("policy.toml") && notice.contains("acton"), "{notice}");
    assert!(has_record(&server, "policy_refused", None));
    write(&server, &before);
    server.policy_when(|policy| policy.in_force.problem.is_none()).await;
    assert_eq!(titles(&server).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_renamed_over_the_policy_is_seen() {
    let root = root();
    let server = start(root.path()).await;
    for text in [DENYING, ALLOWING] {
        let new = server.folders.config.join("policy.toml.new");
        std::fs::write(&new, text).unwrap();
        std::fs::rename(&new, server.folders.policy_file()).unwrap();
        server.policy_when(|policy| policy.text == text).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_discarded_change_is_set_aside_and_the_confirmed_text_is_back() {
    let root = root();
    let server = start(root.path()).await;
    let before = server.get("/v1/policy").await;
    let nothing = server.post("/v1/policy/discard", json!({ "etag": before["etag"] })).await;
    assert_eq!((nothing.status, &nothing.body["code"]), (404, &json!("not_found")));
    write(&server, DENYING);
    let view = server.policy_when(|policy| policy.pending.is_some()).await;
    let discarded = server.post("/v1/policy/discard", json!({ "etag": view.etag })).await;
    assert_eq!((discarded.status, &discarded.body["etag"]), (200, &before["etag"]));
    assert_eq!(evaluate(&server, "look", "read_only").await, "allow");
    let kept = server
        .folders
        .config
        .read_dir()
        .unwrap()
        .flatten()
        .find(|entry| entry.file_name().to_string_lossy().starts_with("policy.discarded-"));
    assert_eq!(std::fs::read_to_string(kept.unwrap().path()).unwrap(), DENYING);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_replaced_by_who_has_not_seen_what_is_there() {
    let root = root();
    let server = start(root.path()).await;
    let etag = server.get("/v1/policy").await["etag"].as_str().unwrap().to_owned();
    let body = json!({ "text": ALLOWING });
    let without = server.call("PUT", "/v1/policy", &server.approver, Some(body.clone())).await;
    assert_eq!((without.status, &without.body["code"]), (428, &json!("if_match_missing")));
    let stale = server.put("/v1/policy", "0123", body.clone()).await;
    assert_eq!((stale.status, &stale.body["code"]), (412, &json!("policy_moved")));
    let wrong = server.put("/v1/policy", &etag, json!({ "text": "version = 1\npreset = \"lax\"\n" })).await;
    assert_eq!((wrong.status, &wrong.body["code"]), (422, &json!("policy_invalid")));
    assert!(wrong.body["diagnostics"][0]["line"].is_u64(), "{:?}", wrong.body);
    assert_eq!(server.get("/v1/policy").await["etag"], json!(etag));
    assert_eq!(server.put("/v1/policy", &etag, body.clone()).await.status, 200);
    assert_eq!(server.put("/v1/policy", &etag, body).await.status, 412);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_in_the_app_never_confirms_one_from_outside() {
    let root = root();
    let server = start(root.path()).await;
    write(&server, ALLOWING);
    let view = server.policy_when(|policy| policy.pending.is_some()).await;
    let engine = server.server.engine();
    let refused = engine.set_preset(handraise_protocol::Preset::Strict).await.unwrap_err();
    assert_eq!(refused.code, handraise_protocol::ProblemCode::PolicyPending);
    let refused = server.put("/v1/policy", &view.etag, json!({ "text": ALLOWING })).await;
    assert_eq!((refused.status, &refused.body["code"]), (409, &json!("policy_pending")));
    assert_eq!(evaluate(&server, "deploy", "write").await, "ask");
    server.post("/v1/policy/discard", json!({ "etag": view.etag })).await;
    engine.set_preset(handraise_protocol::Preset::Strict).await.unwrap();
    assert_eq!(evaluate(&server, "look", "read_only").await, "ask");
    assert!(server.get("/v1/policy").await["text"].as_str().unwrap().contains("# The policy of Handraise"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_counts_for_nobody_is_told_until_somebody_has_that_name() {
    let root = root();
    let server = start(root.path()).await;
    let text = "version = 1\n[agent.robot]\n[[agent.robot.rule]]\npattern = \"deploy\"\naction = \"deny\"\n";
    let etag = server.policy_when(|_| true).await.etag;
    server.server.engine().replace_policy(text.to_owned(), etag, "test".to_owned()).await.unwrap();
    assert_eq!(titles(&server).await, ["A part of your policy counts for nobody"]);
    let codes = |view: &Value| view["diagnostics"][0]["code"].clone();
    assert_eq!(codes(&server.get("/v1/policy").await), "policy::unknown_agent");
    let request = serde_json::from_value(json!({ "name": "robot", "role": "requester" })).unwrap();
    let made = server.server.engine().create_credential(request).await.unwrap();
    assert_eq!(titles(&server).await, Vec::<String>::new());
    assert_eq!(codes(&server.get("/v1/policy").await), Value::Null);
    server.server.engine().revoke_credential(made.credential.id).await.unwrap();
    assert_eq!(titles(&server).await, ["A part of your policy counts for nobody"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_requester_may_check_a_text_and_nothing_else() {
    let root = root();
    let server = start(root.path()).await;
    for (method, path, body) in [
        ("GET", "/v1/policy", None),
        ("PUT", "/v1/policy", Some(json!({ "text": ALLOWING }))),
        ("POST", "/v1/policy/confirm", Some(json!({ "etag": "x" }))),
        ("POST", "/v1/policy/discard", Some(json!({ "etag": "x" }))),
        ("POST", "/v1/policy/preview", Some(json!({ "rule": "x" }))),
    ] {
        let reply = server.call(method, path, &server.requester, body).await;
        assert_eq!((reply.status, &reply.body["code"]), (403, &json!("not_an_approver")), "{method} {path}");
    }
    let usable = server.ask("/v1/policy/check", json!({ "text": ALLOWING })).await;
    assert_eq!((usable.status, &usable.body["is_usable"]), (200, &json!(true)));
    let wrong = server.ask("/v1/policy/check", json!({ "text": "version = 1\nx = 1\n" })).await;
    assert_eq!((wrong.status, &wrong.body["is_usable"]), (200, &json!(false)));
    assert_eq!(evaluate(&server, "deploy", "write").await, "ask");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_counts_what_a_rule_would_have_done_and_what_a_person_denied() {
    let root = root();
    let server = start(root.path()).await;
    for (number, decision) in ["approve", "approve", "deny"].into_iter().enumerate() {
        let call = json!({ "tool": "deploy", "arguments": { "n": number }, "session": "s" });
        let asked = server.ask("/v1/approvals?wait=0", call).await;
        server.decide(asked.body["id"].as_str().unwrap(), json!({ "decision": decision })).await;
    }
    server.ask("/v1/approvals", json!({ "tool": "look", "arguments": {}, "risk": "read_only" })).await;

    let rule = "[[rule]]\npattern = \"deploy\"\naction = \"allow\"";
    let preview = server.post("/v1/policy/preview", json!({ "rule": rule })).await;
    assert_eq!(preview.status, 200, "{:?}", preview.body);
    let counts = ["calls", "matched", "would_allow", "would_ask", "approved_by_person", "denied_by_person_count"];
    assert_eq!(counts.map(|count| preview.body[count].as_u64().unwrap()), [4, 3, 3, 0, 2, 1]);
    assert_eq!(preview.body["examples"].as_array().unwrap().len(), 3);
    assert_eq!(preview.body["denied_by_person"][0]["title"], "deploy");
    assert_eq!(evaluate(&server, "deploy", "write").await, "ask");

    let few = server.post("/v1/policy/preview", json!({ "rule": rule, "calls": 2 })).await;
    assert_eq!((&few.body["calls"], &few.body["matched"]), (&json!(2), &json!(1)));
    let wrong = server.post("/v1/policy/preview", json!({ "rule": "[[rule]]\npatern = \"x\"" })).await;
    assert_eq!((wrong.status, &wrong.body["code"]), (422, &json!("policy_invalid")));
    let many = server.post("/v1/policy/preview", json!({ "rule": rule, "calls": 5001 })).await;
    assert_eq!((many.status, &many.body["code"]), (422, &json!("invalid_request")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_approved_again_and_again_is_suggested_and_what_was_denied_is_not() {
    let root = root();
    let server = start(root.path()).await;
    for (tool, decision) in [("make", "approve"), ("make", "approve"), ("touch", "approve"), ("touch", "approve")] {
        for number in 0..2 {
            let command = if tool == "make" { "make lint".to_owned() } else { "touch out.txt".to_owned() };
            let call =
                json!({ "tool": "Bash", "arguments": { "command": command, "timeout": number }, "session": "s" });
            let asked = server.ask("/v1/approvals?wait=0", call).await;
            server.decide(asked.body["id"].as_str().unwrap(), json!({ "decision": decision })).await;
        }
    }
    let call = json!({ "tool": "Bash", "arguments": { "command": "touch out.txt" }, "session": "s" });
    let asked = server.ask("/v1/approvals?wait=0", call).await;
    server.decide(asked.body["id"].as_str().unwrap(), json!({ "decision": "deny" })).await;

    let found = server.get("/v1/policy/suggestions").await;
    let rules: Vec<&str> =
        found["suggestions"].as_array().unwrap().iter().map(|found| found["rule"].as_str().unwrap()).collect();
    assert!(rules.iter().any(|rule| rule.contains("make lint")), "{found}");
    assert!(!rules.iter().any(|rule| rule.contains("touch")), "{found}");
    assert_eq!(found["suggestions"][0]["preview"]["approved_by_person"], 4);
    let preview = server.post("/v1/policy/preview", json!({ "rule": rules[0] })).await;
    assert_eq!(preview.body, found["suggestions"][0]["preview"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_at_once_are_all_made() {
    let root = root();
    let server = start(root.path()).await;
    let engine = server.server.engine();
    let rules = |number: u32| format!("[[rule]]\npattern = \"tool-{number}\"\naction = \"deny\"");
    let add = |number| engine.add_policy_rules(rules(number), "tests".to_owned());
    let (one, two, three, four) = tokio::join!(add(1), engine.set_timeout(77), add(2), add(3));
    assert_eq!(
        [one, two, three, four].map(|made| made.map_err(|problem| problem.detail)),
        [Ok(()), Ok(()), Ok(()), Ok(())]
    );
    let text = std::fs::read_to_string(server.folders.policy_file()).unwrap();
    assert_eq!(std::fs::read_to_string(root.path().join("data/confirmed-policy.toml")).unwrap(), text);
    let at = |number| text.find(&format!("tool-{number}\"")).unwrap();
    assert!(at(1) < at(2) && at(2) < at(3) && text.contains("timeout = \"77s\""), "{text}");
    for number in 1..=3 {
        assert_eq!(evaluate(&server, &format!("tool-{number}"), "read_only").await, "deny");
    }
    // Of two that start from one text, one comes too late.
    let etag = engine.policy().await.unwrap().etag;
    let replace = |text: &str| engine.replace_policy(text.to_owned(), etag.clone(), "tests".to_owned());
    let (first, second) = tokio::join!(replace(ALLOWING), replace(DENYING));
    let late = [first, second].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert_eq!(late.len(), 1, "{late:?}");
    assert!(late[0].detail.contains("Another text lies there by now"), "{late:?}");
    assert_eq!(titles(&server).await, Vec::<String>::new());
    assert!(!has_record(&server, "policy_unconfirmed", None), "a change of our own is none from outside");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_call_can_be_tried_as_each_agent_spells_it() {
    let root = root();
    let server = start(root.path()).await;
    let engine = server.server.engine();
    let rules = "[[rule]]\nclass = \"file_write\"\npath = \"/srv/app/docs/**\"\naction = \"allow\"\n\
                 [[rule]]\ncommand = \"git status *\"\naction = \"allow\"\n\
                 [[rule]]\nserver = \"docs\"\narguments = { \"/query\" = \"safe*\" }\naction = \"allow\"\n\
                 [[rule]]\nclass = \"network\"\naction = \"deny\"\n";
    engine.add_policy_rules(rules.to_owned(), "tests".to_owned()).await.unwrap();
    let tried = async |call: Value, agent: Option<&str>| {
        let call: handraise_protocol::TriedCall = serde_json::from_value(call).unwrap();
        engine.try_call(call, Some("/srv/app".to_owned()), agent.map(str::to_owned)).await
    };
    let command = json!({ "kind": "command", "line": "git status -s" });
    let edit = json!({ "kind": "edit", "path": "docs/a.md" });
    let write = json!({ "kind": "write", "path": "docs/a.md" });
    for agent in [None, Some("claude-code"), Some("gemini-cli"), Some("opencode"), Some("my-own")] {
        for call in [&command, &edit, &write] {
            let answer = tried(call.clone(), agent).await.unwrap();
            assert_eq!(answer.action, handraise_protocol::Action::Allow, "{agent:?} {call}: {answer:?}");
        }
        let read = tried(json!({ "kind": "read", "path": "src/a" }), agent).await.unwrap();
        assert_eq!(read.class, handraise_protocol::ToolClass::FileRead, "{agent:?}");
        let fetch = tried(json!({ "kind": "fetch", "url": "https://evil.example" }), agent).await.unwrap();
        assert_eq!(fetch.action, handraise_protocol::Action::Deny, "{agent:?}");
        assert!(fetch.rule.unwrap().contains("network"), "{agent:?}");
    }
    let tool =
        |query: &str| json!({ "kind": "tool", "tool": "search", "server": "docs", "arguments": { "query": query } });
    assert_eq!(tried(tool("safe words"), None).await.unwrap().action, handraise_protocol::Action::Allow);
    assert_eq!(tried(tool("others"), None).await.unwrap().action, handraise_protocol::Action::Ask);
    let none = tried(json!({ "kind": "fetch", "url": "https://docs.rs" }), Some("codex")).await.unwrap_err();
    assert!(none.detail.contains("Codex CLI has no tool for that"), "{none:?}");
}
