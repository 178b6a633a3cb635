//! Rules that a person changes before approving with them, and answers that cover some commands of a line.

use handraise_protocol::{Breadth, RuleCheckRequest, Scope};
use serde_json::{Value, json};

use crate::support::{TestServer, start};

const NARROW: &str =
    "[[rule]]\naction = \"allow\"\ncommand = \"cargo test -p core\"\nrisk = [\"read_only\", \"write\"] # mine\n";
const WIDE: &str = "[[rule]]\naction = \"allow\"\ncommand = \"cargo test *\"\nrisk = [\"read_only\", \"write\"]\n";

fn root() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn test(package: &str) -> Value {
    json!({ "tool": "Bash", "arguments": { "command": format!("cargo test -p {package}") }, "session": "s" })
}

async fn asked(server: &TestServer, call: Value) -> String {
    let asked = server.ask("/v1/approvals?wait=0", call).await;
    assert_eq!(asked.body["status"], "pending", "{asked:?}");
    asked.body["id"].as_str().unwrap().to_owned()
}

fn policy_file(server: &TestServer) -> String {
    std::fs::read_to_string(server.folders.policy_file()).unwrap()
}

fn always(rule: &str) -> Value {
    json!({ "decision": "approve", "scope": "always", "rule": rule })
}

fn check(rule: &str) -> RuleCheckRequest {
    RuleCheckRequest { rule: rule.to_owned(), scope: Scope::Always, breadth: Breadth::Exact, commands: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rule_stands_as_it_was_written_and_the_log_says_so() {
    let root = root();
    let server = start(root.path()).await;
    let id = asked(&server, test("core")).await;
    let decided = server.decide(&id, always(NARROW)).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    assert!(policy_file(&server).contains(NARROW), "{}", policy_file(&server));
    let log = rusqlite::Connection::open(server.folders.audit_database()).unwrap();
    let entry: String =
        log.query_row("SELECT entry FROM log WHERE entry LIKE '%\"rule_given\"%'", [], |row| row.get(0)).unwrap();
    let entry: Value = serde_json::from_str(&entry).unwrap();
    assert_eq!((entry["rule"].as_str(), entry["id"].as_str()), (Some(NARROW), Some(id.as_str())));
    assert_eq!(server.ask("/v1/approvals?wait=0", test("core")).await.body["status"], "approved");
    assert_eq!(server.ask("/v1/approvals?wait=0", test("app")).await.body["status"], "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_may_not_be_decides_nothing() {
    let root = root();
    let server = start(root.path()).await;
    let id = asked(&server, test("core")).await;
    let before = policy_file(&server);
    let once = json!({ "decision": "approve", "rule": NARROW });
    let session = json!({ "decision": "approve", "scope": "session", "rule": NARROW });
    let denial = json!({ "decision": "deny", "scope": "always", "rule": NARROW });
    let late = json!({ "decision": "approve", "scope": "always", "rule": NARROW, "late": true });
    let (other, all) =
        (NARROW.replace("core", "app"), NARROW.replace("command = \"cargo test -p core\"", "tool = \"shell\""));
    let wrong = [always("[[rule]]"), always(&other), always(&all), always(&NARROW.replace("allow", "deny"))];
    let walled = json!({ "decision": "approve", "rule": NARROW, "confined": "0" });
    for decision in [once, session, denial, late, walled].into_iter().chain(wrong) {
        let refused = server.decide(&id, decision.clone()).await;
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (422, &json!("invalid_request")),
            "{decision}: {refused:?}"
        );
    }
    let stale = json!({ "decision": "approve", "scope": "always", "rule": NARROW, "arguments_hash": "0" });
    assert_eq!(server.decide(&id, stale).await.body["code"], "other_arguments");
    assert_eq!(policy_file(&server), before);
    assert_eq!(server.get(&format!("/v1/approvals/{id}")).await["status"], "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_brings_no_rule() {
    let root = root();
    let server = start(root.path()).await;
    let id = asked(&server, test("core")).await;
    let decision = format!("/v1/approvals/{id}/decision");
    let refused = server.call("POST", &decision, &server.requester, Some(always(NARROW))).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    let mut with_rule = test("cli");
    with_rule["rule"] = json!(NARROW);
    assert_eq!(server.ask("/v1/approvals?wait=0", with_rule).await.status, 422);
    assert!(!policy_file(&server).contains(NARROW));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_with_a_secret_in_it_is_not_written() {
    let root = root();
    let server = start(root.path()).await;
    let id = asked(&server, test("core")).await;
    let secret = format!("{NARROW}# ghp_{}\n", "a1B2".repeat(9));
    let refused = server.decide(&id, always(&secret)).await;
    assert_eq!(refused.status, 422, "{refused:?}");
    assert!(!refused.body.to_string().contains("a1B2"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_is_tried_on_past_calls_beside_the_one_it_was_made_from() {
    let root = root();
    let server = start(root.path()).await;
    for package in ["app", "core", "cli"] {
        let id = asked(&server, test(package)).await;
        server.decide(&id, json!({ "decision": "approve" })).await;
    }
    asked(&server, test("core")).await;
    let engine = server.server.engine();
    let id = engine.pending().await.unwrap()[0].id;
    let wide = engine.check_rule(id.into(), check(WIDE)).await.unwrap();
    let effect = wide.effect.unwrap_or_else(|| panic!("{:?}", wide.refused));
    // `cargo test -p core` stands twice: decided, and open.
    assert_eq!((effect.preview.calls, effect.preview.would_allow), (4, 4));
    assert_eq!((effect.more, effect.fewer), (2, 0));
    let titles: Vec<&str> = effect.passes.iter().map(|call| call.title.as_str()).collect();
    assert!(titles[..2].iter().all(|title| !title.contains("core")) && titles.len() == 3, "{titles:?}");
    assert!(effect.asked.is_empty());

    let narrow = engine.check_rule(id.into(), check(NARROW)).await.unwrap().effect.unwrap();
    assert_eq!((narrow.more, narrow.fewer, narrow.preview.would_allow), (0, 0, 2));
    assert_eq!(narrow.asked.len(), 2, "{:?}", narrow.asked);

    let other = engine.check_rule(id.into(), check(&NARROW.replace("core", "app"))).await.unwrap();
    let refused = other.refused.unwrap();
    assert_eq!(
        refused,
        "The rule does not cover `cargo test -p core`: its words do not match; change it so that it does."
    );
    assert!(other.effect.is_none());
    server.decide(&id.to_string(), json!({ "decision": "approve" })).await;
    assert!(engine.check_rule(id.into(), check(WIDE)).await.is_err(), "it is over");
}

fn line(text: &str) -> Value {
    json!({ "tool": "Bash", "arguments": { "command": text }, "session": "s" })
}

#[tokio::test(flavor = "multi_thread")]
async fn some_commands_of_a_line_are_remembered_and_the_others_are_asked_about_again() {
    let root = root();
    let server = start(root.path()).await;
    let both = "cargo test -q && git push origin main";
    let id = asked(&server, line(both)).await;
    let offered = server.server.engine().pending().await.unwrap()[0].scopes.clone();
    let choice = offered.iter().find(|one| (one.scope, one.breadth) == (Scope::Always, Breadth::Prefix)).unwrap();
    assert_eq!(choice.commands.iter().map(|one| one.commands.clone()).collect::<Vec<_>>(), [[0]]);

    let answer = |decision: &str, scope: &str, commands: Value| json!({ "decision": decision, "scope": scope, "breadth": "prefix", "commands": commands });
    let exact = json!({ "decision": "approve", "scope": "session", "commands": [0] });
    let refused = [
        answer("approve", "session", Value::Null),
        answer("approve", "always", json!([1])),
        answer("approve", "always", json!([])),
        answer("approve", "session", json!([0, 9])),
        answer("approve", "once", json!([0])),
        answer("deny", "session", json!([0])),
        exact,
    ];
    for decision in refused {
        let reply = server.decide(&id, decision.clone()).await;
        assert_eq!((reply.status, &reply.body["code"]), (422, &json!("invalid_request")), "{decision}: {reply:?}");
    }
    let decided = server.decide(&id, answer("approve", "session", json!([0]))).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    assert_eq!(server.ask("/v1/approvals?wait=0", line("cargo test --doc")).await.body["status"], "approved");
    let again = asked(&server, line(both)).await;
    let decided = server.decide(&again, answer("approve", "always", json!([0]))).await;
    assert_eq!(decided.status, 200, "{decided:?}");
    let written = policy_file(&server);
    assert!(written.contains("command = \"cargo test *\"") && !written.contains("git push"), "{written}");
    asked(&server, line(both)).await;
}
