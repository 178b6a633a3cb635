//! A question ends with the agent that asked it, also when its hook goes on waiting.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{TestFolders, start, stdout};
use crate::fake_server::{FakeServer, Proof};
use crate::serve::Server;
use serde_json::json;

fn message() -> Vec<u8> {
    let message = json!({
        "session_id": "s", "cwd": "/tmp", "hook_event_name": "PreToolUse", "tool_use_id": "t",
        "tool_name": "Bash", "tool_input": { "command": "make" },
    });
    message.to_string().into_bytes()
}

/// The hook in a shell, as agents start it.
fn in_shell(place: &TestFolders) -> Command {
    let hook = place.command(&["hook", "claude-code", "--deadline", "60"]);
    let words = std::iter::once(hook.get_program()).chain(hook.get_args());
    let line: Vec<String> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{} || exit 2", line.join(" "))]);
    shell.stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

/// Runs `command` below a program that is no shell, as below an agent.
fn below_an_agent(command: &Command) -> Command {
    let mut agent = Command::new("timeout");
    agent.arg("60").arg(command.get_program()).args(command.get_args());
    agent.stdout(Stdio::piped()).stderr(Stdio::piped());
    agent
}

fn kill(mut child: Child) -> Child {
    child.kill().unwrap();
    child.wait().unwrap();
    child
}

/// What the hook still said, though nobody listens for it any more.
fn said(child: Child) -> String {
    stdout(&child.wait_with_output().unwrap())
}

fn wait_for(server: &Server, place: &TestFolders, count: usize) {
    let started = Instant::now();
    let open = || server.get(place, "/v1/approvals")["approvals"].as_array().unwrap().len();
    while open() != count {
        assert!(started.elapsed() < Duration::from_secs(40), "{} requests are open", open());
    }
}

#[test]
fn the_server_notices_that_the_agent_above_a_waiting_hook_was_killed() {
    let place = TestFolders::new();
    std::fs::remove_file(place.folders.token_file("claude-code")).unwrap();
    let server = Server::start(&place);
    let other = start(in_shell(&place), &message());
    wait_for(&server, &place, 1);
    let agent = start(below_an_agent(&in_shell(&place)), &message());
    wait_for(&server, &place, 2);
    let agent = kill(agent);
    wait_for(&server, &place, 1);
    assert!(said(agent).contains("The agent that asked has ended"));
    // The one whose agent is alive still waits.
    let other = kill(other);
    wait_for(&server, &place, 0);
    assert!(said(other).contains("has ended"));
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn the_hook_itself_notices_that_its_parent_was_killed() {
    let silent = FakeServer::start(Proof::Silence, String::new());
    let place = TestFolders::new().names(silent.address, None);
    let shell = start(in_shell(&place), &message());
    // It asks whether this is Handraise, and hears nothing.
    silent.requests.recv().unwrap();
    let words = said(kill(shell));
    assert!(words.contains("The program that asked has ended"), "{words}");
}

#[test]
fn a_signal_ends_a_hook_that_waits_with_a_denial() {
    let silent = FakeServer::start(Proof::Silence, String::new());
    let place = TestFolders::new().names(silent.address, None);
    let mut command = place.command(&["hook", "claude-code", "--deadline", "60"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let hook = start(command, &message());
    silent.requests.recv().unwrap();
    let pid = nix::unistd::Pid::from_raw(hook.id().try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).unwrap();
    let words = said(hook);
    assert!(words.contains("deny"), "{words}");
}
