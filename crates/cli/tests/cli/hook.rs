//! The hook fails closed: whatever goes wrong, the agent is told to deny, in both ways that it
//! understands, and the person and the model read what to do.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::{Output, Stdio};

use crate::common::{TOKEN, TestFolders, run, start, stderr, stdout};
use crate::fake_server::{FakeServer, Proof, answer};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

const HOOK: &[&str] = &["hook", "claude-code"];
const ALLOW: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"Approved in Handraise"}}"#;

fn message() -> Vec<u8> {
    let message = json!({
        "session_id": "s",
        "cwd": "/tmp",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": { "command": "top secret command" },
        "tool_use_id": "t",
    });
    message.to_string().into_bytes()
}

/// Asserts a denial that says these words.
#[track_caller]
fn assert_denied(output: &Output, words: &str) {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let answer: Value = serde_json::from_str(&stdout(output)).unwrap();
    let decision = &answer["hookSpecificOutput"];
    assert_eq!(decision["permissionDecision"], "deny", "{answer}");
    let sentence = stderr(output);
    assert_eq!(decision["permissionDecisionReason"], json!(sentence));
    assert!(sentence.contains(words), "{sentence}");
    assert!(sentence.contains("so this call was denied. "), "{sentence}");
    assert!(sentence.ends_with("Do not try to work around this."), "{sentence}");
}

#[test]
fn no_server() {
    assert_denied(&run(TestFolders::new().command(HOOK), &message()), "Handraise is not running");
}

#[test]
fn a_discovery_file_that_a_crash_left_behind() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let place = TestFolders::new();
    let socket = place.path("runtime/handraise.sock");
    let place = place.names(address, Some(socket));
    assert_denied(&run(place.command(HOOK), &message()), "Handraise is not running");
}

#[test]
fn a_discovery_file_that_is_none() {
    let place = TestFolders::new();
    handraise_locations::write_private(&place.folders.endpoint_file(), b"{\"version\":").unwrap();
    assert_denied(&run(place.command(HOOK), &message()), "endpoint.json");
}

#[test]
fn files_that_others_can_read() {
    let server = FakeServer::start(Proof::Right, answer("200 OK", ALLOW));
    for file in ["config/tokens/claude-code.token", "runtime/endpoint.json"] {
        let place = TestFolders::new().names(server.address, None);
        std::fs::set_permissions(place.path(file), std::fs::Permissions::from_mode(0o644)).unwrap();
        assert_denied(&run(place.command(HOOK), &message()), "others can read or change it");
    }
}

#[test]
fn no_token_or_a_damaged_one() {
    let server = FakeServer::start(Proof::Right, answer("200 OK", ALLOW));
    let place = TestFolders::new().names(server.address, None);
    let token = place.folders.token_file("claude-code");
    std::fs::remove_file(&token).unwrap();
    assert_denied(&run(place.command(HOOK), &message()), "There is no token in");
    handraise_locations::write_private(&token, b"hrq_what").unwrap();
    assert_denied(&run(place.command(HOOK), &message()), "does not hold a Handraise token");
}

#[test]
fn a_squatter_learns_nothing_and_decides_nothing() {
    for proof in [Proof::None, Proof::ForAnotherAddress] {
        let server = FakeServer::start(proof, answer("200 OK", ALLOW));
        let place = TestFolders::new().names(server.address, None);
        assert_denied(&run(place.command(HOOK), &message()), "did not prove to be Handraise");
        let sent: String = server.requests.try_iter().collect();
        assert!(sent.starts_with("POST /v1/challenge "), "{sent}");
        assert!(!sent.contains("top secret command"), "{sent}");
        assert!(!sent.contains(TOKEN) && !sent.to_lowercase().contains("authorization"), "{sent}");
    }
}

#[test]
fn a_squatter_that_claims_any_proof() {
    let zeros = format!("{{\"proof\":\"{}\"}}", "0".repeat(64));
    for body in [zeros.as_str(), "{\"proof\":\"\"}", "{\"proof\":null}", "{}", "", "null"] {
        let server = FakeServer::start(Proof::None, answer("200 OK", body));
        let place = TestFolders::new().names(server.address, None);
        assert_denied(&run(place.command(HOOK), &message()), "did not prove to be Handraise");
    }
}

#[test]
fn a_program_that_speaks_no_http() {
    for reply in ["SSH-2.0-OpenSSH_9.9\r\n", "", "HTTP/1.1 200 OK\r\n"] {
        let server = FakeServer::start(Proof::None, reply);
        let place = TestFolders::new().names(server.address, None);
        assert_denied(&run(place.command(HOOK), &message()), "did not prove to be Handraise");
    }
}

#[test]
fn an_address_that_is_not_this_machine() {
    let place = TestFolders::new().names("192.0.2.1:80".parse().unwrap(), None);
    assert_denied(&run(place.command(HOOK), &message()), "did not prove to be Handraise");
}

#[test]
fn a_proved_server_that_fails() {
    let problem = json!({
        "title": "The audit log cannot be written",
        "status": 503,
        "code": "audit_unavailable",
        "detail": "The disk is full.",
    })
    .to_string();
    let not_understood = "cannot be understood";
    let broken = "broke off";
    let cut_off = format!("HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n{ALLOW}");
    for (reply, words) in [
        (answer("503 Service Unavailable", &problem), "The disk is full"),
        (answer("500 Internal Server Error", ALLOW), not_understood),
        (answer("302 Found", ALLOW), not_understood),
        (answer("202 Accepted", ALLOW), not_understood),
        (answer("200 OK", ""), not_understood),
        (answer("200 OK", "allow"), not_understood),
        (answer("200 OK", "[]"), not_understood),
        (answer("200 OK", &format!("{ALLOW}{ALLOW}")), not_understood),
        (answer("200 OK", r#"{"a":1,"a":2}"#), not_understood),
        (cut_off, broken),
        (String::new(), broken),
    ] {
        let server = FakeServer::start(Proof::Right, reply);
        let place = TestFolders::new().names(server.address, None);
        assert_denied(&run(place.command(HOOK), &message()), words);
    }
}

#[test]
fn a_proved_server_is_believed() {
    let server = FakeServer::start(Proof::Right, answer("200 OK", ALLOW));
    let place = TestFolders::new().names(server.address, None);
    let output = run(place.command(&["hook", "claude-code", "--deadline", "60"]), &message());
    assert_eq!((output.status.code(), stdout(&output).as_str(), stderr(&output).as_str()), (Some(0), ALLOW, ""));
    let sent: Vec<String> = server.requests.try_iter().collect();
    let (head, body) = sent[1].split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /v1/hooks/claude-code?wait=5"), "{head}");
    assert!(head.contains(&format!("authorization: Bearer {TOKEN}")), "{head}");
    assert!(head.contains(&format!("host: {}", server.address)), "{head}");
    assert_eq!(body.as_bytes(), message());
}

#[test]
fn the_socket_comes_first() {
    let squatter = FakeServer::start(Proof::None, answer("200 OK", ALLOW));
    let place = TestFolders::new();
    let socket = place.path("runtime/handraise.sock");
    FakeServer::on_socket(&socket, answer("200 OK", ALLOW));
    let place = place.names(squatter.address, Some(socket));
    let output = run(place.command(HOOK), &message());
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ALLOW));
    assert_eq!(squatter.requests.try_iter().count(), 0);
}

#[test]
fn a_silent_listener_until_the_deadline() {
    let server = FakeServer::start(Proof::Silence, "");
    let place = TestFolders::new().names(server.address, None);
    let command = place.command(&["hook", "claude-code", "--deadline", "1"]);
    assert_denied(&run(command, &message()), "No answer came from Handraise within 1 seconds");
}

#[test]
fn a_message_that_never_ends() {
    let place = TestFolders::new();
    let mut command = place.command(&["hook", "claude-code", "--deadline", "1"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let held_open = child.stdin.take();
    assert_denied(&child.wait_with_output().unwrap(), "within 1 seconds");
    drop(held_open);
}

#[test]
fn every_signal_that_asks_to_end() {
    for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
        let server = FakeServer::start(Proof::Silence, "");
        let place = TestFolders::new().names(server.address, None);
        let child = start(place.command(HOOK), &message());
        // The challenge is there: the hook waits now.
        server.requests.recv().unwrap();
        kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
        assert_denied(&child.wait_with_output().unwrap(), "ended from outside");
    }
}

#[test]
fn a_message_that_cannot_be_understood() {
    for message in [&b""[..], b"\0\xff", b"{", b"[]", b"{\"hook_event_name\":7}"] {
        assert_denied(&run(TestFolders::new().command(HOOK), message), "Handraise is not running");
    }
}

#[test]
fn a_message_that_is_too_large() {
    let server = FakeServer::start(Proof::Right, answer("200 OK", ALLOW));
    let place = TestFolders::new().names(server.address, None);
    let message = vec![b' '; 2 * 1024 * 1024];
    assert_denied(&run(place.command(HOOK), &message), "larger than 1048576 bytes");
    assert_eq!(server.requests.try_iter().count(), 0);
}

#[test]
fn an_unknown_agent() {
    let output = run(TestFolders::new().command(&["hook", "clod-code"]), &message());
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("`clod-code`, so this call was denied."), "{}", stderr(&output));
}

#[test]
fn wrong_arguments() {
    for arguments in [
        &["hook"][..],
        &["hook", "claude-code", "--deadline", "0"],
        &["hook", "claude-code", "--deadline", "soon"],
        &["hook", "claude-code", "more"],
        &["hook", "claude-code", "--unknown"],
    ] {
        let output = run(TestFolders::new().command(arguments), &message());
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!stderr(&output).is_empty());
    }
}

#[test]
fn an_answer_that_cannot_be_handed_over() {
    let server = FakeServer::start(Proof::Right, answer("200 OK", ALLOW));
    let place = TestFolders::new().names(server.address, None);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = place.command(HOOK);
    command.stdout(writer);
    assert_eq!(run(command, &message()).status.code(), Some(2));
}

#[test]
fn a_hostile_environment() {
    let squatter = FakeServer::start(Proof::None, answer("200 OK", ALLOW));
    let elsewhere = TestFolders::new().names(squatter.address, None);
    let proxy = format!("http://{}", squatter.address);
    let place = TestFolders::new();
    let mut command = place.command(HOOK);
    for variable in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env(variable, &proxy);
    }
    for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "TMPDIR"] {
        command.env(variable, elsewhere.path(""));
    }
    for (variable, folder) in [
        ("HANDRAISE_CONFIG_DIR", &elsewhere.folders.config),
        ("HANDRAISE_RUNTIME_DIR", &elsewhere.folders.runtime),
        ("CONFIG_DIR", &elsewhere.folders.config),
        ("RUNTIME_DIR", &elsewhere.folders.runtime),
    ] {
        command.env(variable, folder);
    }
    command.env("RUST_BACKTRACE", "full").env("LANG", "\u{202e}").env("PATH", "");
    assert_denied(&run(command, &message()), "Handraise is not running");
    assert_eq!(squatter.requests.try_iter().count(), 0);
}
