//! The hook of every agent: closed in that agent's own way, whatever goes wrong, and true to the
//! server's answer otherwise.

use std::process::Output;

use crate::common::{AGENTS, TestFolders, run, stderr, stdout};
use crate::fake_server::{FakeServer, Proof, answer};
use serde_json::{Value, json};

/// A message that asks, as the agent's hook sends it.
fn message(agent: &str) -> Vec<u8> {
    let call = json!({ "command": "ls" });
    let message = match agent {
        "copilot-cli" => json!({ "sessionId": "s", "timestamp": 1, "cwd": "/", "toolName": "bash", "toolArgs": call }),
        "opencode" => json!({
            "input": { "tool": "bash", "sessionID": "s", "callID": "c" }, "output": { "args": call },
        }),
        "cursor" => json!({
            "conversation_id": "s", "hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": call,
        }),
        "amp" => json!({ "thread": { "id": "s" }, "toolUseID": "c", "tool": "shell_command", "input": call }),
        "goose" => {
            json!({ "event": "PreToolUse", "session_id": "s", "tool_name": "developer__shell", "tool_input": call })
        }
        "cline" => {
            json!({ "hookName": "tool_call", "taskId": "s", "tool_call": { "id": "c", "name": "bash", "input": call } })
        }
        "kiro" => json!({ "hook_event_name": "preToolUse", "tool_name": "shell", "tool_input": call }),
        "windsurf" => json!({
            "agent_action_name": "pre_run_command", "trajectory_id": "s", "tool_info": { "command_line": "ls" },
        }),
        "gemini-cli" => json!({
            "hook_event_name": "BeforeTool", "session_id": "s", "tool_name": "run_shell_command", "tool_input": call,
        }),
        _ => json!({ "hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": call }),
    };
    message.to_string().into_bytes()
}

/// Asserts that the agent, by its own rules, does not run the call, and that the model reads why.
#[track_caller]
fn assert_closed(agent: &str, output: &Output, words: &str) {
    let json: Value = serde_json::from_str(&stdout(output)).unwrap_or_default();
    let told = match agent {
        "copilot-cli" => json["permissionDecisionReason"].as_str().filter(|_| json["permissionDecision"] == "deny"),
        "cline" => json["errorMessage"].as_str().filter(|_| json["cancel"] == true),
        _ => Some(stderr(output)).filter(|_| output.status.code() == Some(2)).map(|text| &*text.leak()),
    };
    assert!(told.is_some_and(|told| told.contains(words)), "{agent}: {output:?}");
}

#[test]
fn without_a_server_every_agent_is_told_to_deny() {
    for agent in AGENTS {
        let place = TestFolders::new();
        assert_closed(agent, &run(place.command(&["hook", agent]), &message(agent)), "Handraise is not running");
    }
}

#[test]
fn a_message_that_cannot_be_read_is_denied() {
    for agent in AGENTS {
        for message in [&b""[..], b"\0\xff", b"{", b"[]", b"{}"] {
            let output = run(TestFolders::new().command(&["hook", agent]), message);
            assert_closed(agent, &output, "Handraise is not running");
        }
    }
}

#[test]
fn a_server_that_fails_hangs_or_talks_nonsense_is_no_allow() {
    for agent in AGENTS {
        for (proof, reply, words) in [
            (Proof::Right, answer("500 Internal Server Error", "{}"), "cannot be understood"),
            (Proof::Right, answer("200 OK", "allow"), "cannot be understood"),
            (Proof::Right, answer("200 OK", "{\"exit_code\":0}"), "cannot be understood"),
            (Proof::Right, String::new(), "broke off"),
            (Proof::None, answer("200 OK", "{}"), "did not prove to be Handraise"),
            (Proof::Silence, String::new(), "within 1 seconds"),
        ] {
            let server = FakeServer::start(proof, reply);
            let place = TestFolders::new().names(server.address, None);
            let output = run(place.command(&["hook", agent, "--deadline", "1"]), &message(agent));
            assert_closed(agent, &output, words);
        }
    }
}

/// A proved server says something that this agent's adapter never says, and that the agent would run the tool on.
#[test]
fn an_object_of_another_shape_is_no_answer() {
    let shapes = [
        json!({}),
        json!({ "unexpected": "shape" }),
        json!({ "decision": "maybe" }),
        json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse" } }),
        json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "ask" } }),
        json!({ "hookSpecificOutput": { "hookEventName": "PostToolUse", "permissionDecision": "deny" } }),
        json!({ "permission": "ask" }),
        json!({ "permissionDecision": "ask" }),
        json!({ "cancel": "no" }),
        json!({ "action": "allowed" }),
        json!({ "continue": true }),
        json!({ "async": true }),
        json!({ "allow": true, "decision": "allow", "more": 1 }),
        json!({ "exit_code": 1, "stdout": "", "stderr": "" }),
        json!({ "exit_code": 0, "stdout": "", "stderr": "fine" }),
        json!({ "exit_code": 0, "stdout": "{}", "stderr": "" }),
        json!({ "exit_code": 3, "stdout": "", "stderr": "no" }),
    ];
    for agent in AGENTS {
        for shape in &shapes {
            let server = FakeServer::start(Proof::Right, answer("200 OK", &shape.to_string()));
            let place = TestFolders::new().names(server.address, None);
            let output = run(place.command(&["hook", agent]), &message(agent));
            assert_closed(agent, &output, "cannot be understood");
        }
    }
}

/// The answer of another agent's adapter is none of this one's.
#[test]
fn the_answer_of_another_agent_is_no_answer() {
    for (agent, words) in [
        ("claude-code", json!({ "decision": "allow" })),
        ("gemini-cli", json!({ "permission": "allow" })),
        (
            "copilot-cli",
            json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "allow" } }),
        ),
        ("codex", json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "allow" } })),
        ("cline", json!({ "action": "allow" })),
    ] {
        let server = FakeServer::start(Proof::Right, answer("200 OK", &words.to_string()));
        let place = TestFolders::new().names(server.address, None);
        let output = run(place.command(&["hook", agent]), &message(agent));
        assert_closed(agent, &output, "cannot be understood");
    }
}

#[test]
fn a_server_that_speaks_another_version_is_no_allow() {
    let allow = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"x"}}"#;
    for (version, closed) in [("1", false), ("2", true), ("0", true), ("", true), ("one", true)] {
        let head = format!("HTTP/1.1 200 OK\r\nhandraise-protocol: {version}\r\ncontent-length: {}", allow.len());
        let server = FakeServer::start(Proof::Right, format!("{head}\r\n\r\n{allow}"));
        let place = TestFolders::new().names(server.address, None);
        let output = run(place.command(&["hook", "claude-code"]), &message("claude-code"));
        match closed {
            true => assert_closed("claude-code", &output, "Update Handraise"),
            false => assert_eq!(stdout(&output), allow),
        }
        let sent: Vec<String> = server.requests.try_iter().collect();
        assert!(sent[1].contains("handraise-protocol: 1\r\n"), "{}", sent[1]);
    }
}

#[test]
fn an_answer_by_exit_code_is_handed_on() {
    for (exit_code, words) in [(0, ""), (2, "Denied in Handraise")] {
        let body = json!({ "exit_code": exit_code, "stdout": "", "stderr": words }).to_string();
        let server = FakeServer::start(Proof::Right, answer("200 OK", &body));
        let place = TestFolders::new().names(server.address, None);
        let output = run(place.command(&["hook", "kiro"]), &message("kiro"));
        assert_eq!(output.status.code(), Some(exit_code));
        assert_eq!((stdout(&output).as_str(), stderr(&output).as_str()), ("", words));
    }
}

#[test]
fn what_amp_says_in_the_environment_reaches_the_server() {
    let server = FakeServer::start(Proof::Right, answer("200 OK", r#"{"exit_code":0,"stdout":"","stderr":""}"#));
    let place = TestFolders::new().names(server.address, None);
    let mut command = place.command(&["hook", "amp"]);
    command.env("AGENT", "amp").env("AGENT_TOOL_NAME", "Bash").env("AMP_THREAD_ID", "T-1");
    assert_eq!(run(command, br#"{"cmd":"ls"}"#).status.code(), Some(0));
    let sent: Vec<String> = server.requests.try_iter().collect();
    assert!(sent[1].contains(r#""tool":"Bash","input":{"cmd":"ls"}"#), "{}", sent[1]);
}

/// Copilot CLI runs the hooks of Claude Code's project settings, too.
#[test]
fn a_hook_of_claude_code_that_copilot_runs_asks_for_copilot() {
    let reply = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"Approved in Handraise"}}"#;
    let server = FakeServer::start(Proof::Right, answer("200 OK", reply));
    let place = TestFolders::new().names(server.address, None);
    let asked = |message: &[u8]| {
        let mut command = place.command(&["hook", "claude-code"]);
        command.env("COPILOT_CLI", "1");
        assert_eq!(stdout(&run(command, message)), reply);
        let sent: Vec<String> = server.requests.try_iter().collect();
        sent[1].lines().next().unwrap().to_owned()
    };
    assert!(asked(&message("claude-code")).contains("/v1/hooks/copilot-cli?"));
    // What only Claude Code says outweighs an environment that a project can set.
    let own = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/t", "tool_name": "Bash",
        "tool_input": { "command": "ls" }, "tool_use_id": "t",
    });
    assert!(asked(own.to_string().as_bytes()).contains("/v1/hooks/claude-code?"));
}
