//! What a requester says about itself and its call, and who is believed.

use handraise_protocol::{NewCredentialRequest, Role};
use serde_json::{Value, json};

use crate::support::{Shown, TestServer, start};

const POLICY: &str = r#"version = 1
[agent.release-bot]
rule = [{ pattern = "deploy", action = "allow" }, { pattern = "wipe", action = "deny" }]
[[rule]]
pattern = "look"
agents = ["release-bot"]
action = "allow"
"#;

async fn server(root: &std::path::Path) -> TestServer {
    std::fs::create_dir_all(root.join("config")).unwrap();
    let server = start(root).await;
    let policy = server.get("/v1/policy").await;
    let put = server.put("/v1/policy", policy["etag"].as_str().unwrap(), json!({ "text": POLICY })).await;
    assert_eq!(put.status, 200, "{:?}", put.body);
    server
}

/// The token of a credential that a person makes in the settings window.
async fn credential(server: &TestServer, name: &str) -> String {
    let request = NewCredentialRequest { name: name.to_owned(), role: Role::Requester };
    server.server.engine().create_credential(request).await.unwrap().token
}

async fn evaluate(server: &TestServer, token: &str, call: Value) -> Value {
    server.call("POST", "/v1/evaluate", token, Some(call)).await.body
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_made_for_a_name_proves_that_name_and_no_other() {
    let root = tempfile::tempdir().unwrap();
    let server = server(root.path()).await;
    let own = credential(&server, "release-bot").await;
    let other = credential(&server, "other-bot").await;
    let call = |tool: &str, agent: Option<&str>| json!({ "tool": tool, "arguments": {}, "agent": agent });

    for agent in [None, Some("release-bot")] {
        assert_eq!(evaluate(&server, &own, call("deploy", agent)).await["action"], "allow", "{agent:?}");
        assert_eq!(evaluate(&server, &own, call("look", agent)).await["action"], "allow", "{agent:?}");
        assert_eq!(evaluate(&server, &own, call("wipe", agent)).await["action"], "deny", "{agent:?}");
    }
    // A claim loosens nothing, and still makes stricter.
    for (token, agent) in [(&own, "other-bot"), (&other, "release-bot"), (&server.requester, "release-bot")] {
        assert_eq!(evaluate(&server, token, call("deploy", Some(agent))).await["action"], "ask", "{agent}");
        assert_eq!(evaluate(&server, token, call("look", Some(agent))).await["action"], "ask", "{agent}");
    }
    assert_eq!(evaluate(&server, &other, call("wipe", Some("release-bot"))).await["action"], "deny");

    let why = evaluate(&server, &server.requester, call("deploy", Some("release-bot"))).await["policy"].clone();
    let unproved = why["unproved"].as_str().unwrap();
    assert!(unproved.contains("[agent.release-bot]") && unproved.contains("does not prove"), "{unproved}");
    assert_eq!(evaluate(&server, &own, call("deploy", None)).await["policy"]["unproved"], Value::Null);

    let asked = server.call("POST", "/v1/approvals?wait=0", &own, Some(call("other", None))).await.body;
    let approval = server.get("/v1/approvals").await["approvals"][0].clone();
    assert_eq!((&approval["id"], &approval["agent"]), (&asked["id"], &json!("release-bot")));
    assert_eq!(approval["agent_verified"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_called_as_people_call_it_only_where_its_credential_proves_its_name() {
    let root = tempfile::tempdir().unwrap();
    let server = server(root.path()).await;
    let hooked = std::fs::read_to_string(server.folders.token_file("claude-code")).unwrap();
    let own = credential(&server, "release-bot").await;
    let call = |agent: Option<&str>| json!({ "tool": "other", "arguments": {}, "agent": agent });
    let cases = [
        (hooked.trim(), None, json!("Claude Code")),
        (own.as_str(), None, json!("release-bot")),
        (own.as_str(), Some("claude-code"), json!("“claude-code”")),
        (server.requester.as_str(), Some("Claude Code"), json!("“Claude Code”")),
        (server.requester.as_str(), None, Value::Null),
    ];
    for (token, agent, title) in cases {
        let asked = server.call("POST", "/v1/approvals?wait=0", token, Some(call(agent))).await.body;
        let approvals = server.get("/v1/approvals").await["approvals"].clone();
        let approval = approvals.as_array().unwrap().iter().find(|one| one["id"] == asked["id"]).unwrap();
        assert_eq!(approval["agent_title"], title, "{agent:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_may_declare_its_risk_and_the_credential_of_a_hooked_agent_never() {
    let root = tempfile::tempdir().unwrap();
    let server = server(root.path()).await;
    let own = credential(&server, "release-bot").await;
    let hints = json!({ "readOnlyHint": true });
    let call = json!({ "tool": "list_things", "arguments": {}, "risk": "read_only", "annotations": hints });
    for token in [&own, &server.requester] {
        assert_eq!(evaluate(&server, token, call.clone()).await["action"], "allow");
    }
    for name in handraise_agents::NAMES {
        let token = std::fs::read_to_string(server.folders.token_file(name)).unwrap();
        let answer = evaluate(&server, &token, call.clone()).await;
        assert_eq!((&answer["action"], &answer["risk"]["basis"]), (&json!("ask"), &json!("unknown")), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_hook_message_says_about_risk_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let server = server(root.path()).await;
    for (name, event) in [("claude-code", "PreToolUse"), ("codex", "PreToolUse"), ("qwen-code", "PreToolUse")] {
        let token = std::fs::read_to_string(server.folders.token_file(name)).unwrap();
        let claims = json!({ "risk": "read_only", "risk_level": "read_only", "readOnlyHint": true });
        let message = json!({
            "session_id": "s", "cwd": "/tmp", "hook_event_name": event, "tool_name": "list_things",
            "tool_input": claims, "tool_use_id": name,
            "risk": "read_only", "annotations": { "readOnlyHint": true }, "require_approval": false,
        });
        let before = server.surface.0.lock().unwrap().len();
        let waiting = server.open("POST", &format!("/v1/hooks/{name}"), &token, Some(message)).await;
        let started = std::time::Instant::now();
        while server.surface.0.lock().unwrap().len() == before {
            assert!(started.elapsed().as_secs() < 20, "{name}: nobody is asked");
            tokio::task::yield_now().await;
        }
        assert!(matches!(server.surface.0.lock().unwrap().last(), Some(Shown::Present(_))), "{name}");
        let approval = server.get("/v1/approvals").await["approvals"][0].clone();
        assert_ne!(approval["risk"]["level"], "read_only", "{name}");
        drop(waiting);
        let started = std::time::Instant::now();
        while !server.get("/v1/approvals").await["approvals"].as_array().unwrap().is_empty() {
            assert!(started.elapsed().as_secs() < 20, "{name}: it stays");
        }
    }
}
