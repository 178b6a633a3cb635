//! The server without a desktop, and the commands that need no person.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::common::{TestFolders, run, stderr, stdout};

/// A running server; killed when the test fails.
pub(crate) struct Server {
    child: Child,
    pub(crate) started: Value,
}

impl Server {
    pub(crate) fn start(place: &TestFolders) -> Self {
        let approver = place.path("approver.token");
        let arguments =
            ["serve", "--port", "0", "--confirm-policy", "--approver-token-file", approver.to_str().unwrap()];
        let mut child = place.command(&arguments).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, started: serde_json::from_str(&line).unwrap() }
    }

    /// What an approver gets from `path`: this very process, which may ask as well.
    pub(crate) fn get(&self, place: &TestFolders, path: &str) -> Value {
        let address = self.started["address"].as_str().unwrap();
        let token = std::fs::read_to_string(place.path("approver.token")).unwrap();
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        serde_json::from_str(reply.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    pub(crate) fn stop(mut self) -> Option<i32> {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // After `stop` there is nothing left to kill.
        let _ = self.child.kill();
    }
}

/// What `/proc` says about the process of `server`.
fn proc(server: &Server, file: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(format!("/proc/{}/{file}", server.child.id())).unwrap()).into_owned()
}

#[test]
fn nothing_is_loaded_into_it_and_nobody_looks_into_it() {
    let place = TestFolders::new();
    let place_of = |variable: &str, value: &str| {
        let mut command = place.command(&["serve", "--port", "0"]);
        command.env(variable, value);
        command
    };
    for variable in ["LD_PRELOAD", "LD_AUDIT"] {
        // A file that is not there: the loader says so and goes on.
        let output = run(place_of(variable, "/nowhere/evil.so"), b"");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(stderr(&output).contains(&format!("{variable} is set")), "{output:?}");
    }
    let mut child = place_of("LD_LIBRARY_PATH", "/nowhere").env("GCONV_PATH", "/nowhere").spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let server = Server { child, started: serde_json::from_str(&line).unwrap() };
    let environment = proc(&server, "environ");
    assert!(!environment.contains("LD_LIBRARY_PATH") && !environment.contains("GCONV_PATH"), "{environment}");
    let limits = proc(&server, "limits");
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"], "{limits}");
    // What is not dumpable belongs to root there (proc(5)); as root this says nothing.
    let owner = std::fs::metadata(format!("/proc/{}/environ", server.child.id()));
    assert_eq!(std::os::unix::fs::MetadataExt::uid(&owner.unwrap()), 0);
    assert_eq!(server.stop(), Some(0));
}

/// Asks below a program that is no shell, as below an agent: what this process starts is no part of that.
pub(crate) fn ask(place: &TestFolders, arguments: &[&str]) -> (Option<i32>, Value) {
    let ask = place.command(&[&["ask"], arguments].concat());
    let mut agent = Command::new("timeout");
    agent.arg("60").arg(ask.get_program()).args(ask.get_args()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = run(agent, b"");
    (output.status.code(), serde_json::from_str(&stdout(&output)).unwrap_or_default())
}

#[test]
fn it_says_where_it_listens_answers_and_stops() {
    let place = TestFolders::new();
    let server = Server::start(&place);
    let token_file = place.folders.token_file("default");
    assert_eq!(server.started["requester_token_file"], token_file.to_str().unwrap());
    assert_eq!(server.started["socket"], place.folders.socket().to_str().unwrap());
    assert!(server.started["address"].as_str().unwrap().starts_with("127.0.0.1:"));

    let (code, result) = ask(&place, &["--tool", "look", "--risk", "read-only"]);
    assert_eq!((code, &result["status"]), (Some(0), &"approved".into()));
    let (code, result) =
        ask(&place, &["--tool", "drop", "--risk", "destructive", "--arguments", r#"{"table":"users"}"#]);
    assert_eq!((code, &result["status"]), (Some(1), &"denied".into()));
    let (code, result) = ask(&place, &["--tool", "Bash", "--command", "make", "--no-wait"]);
    assert_eq!((code, &result["status"]), (Some(3), &"pending".into()));
    let (code, result) = ask(&place, &["--tool", "Bash", "--command", "make", "--timeout", "1"]);
    assert_eq!((code, &result["status"]), (Some(1), &"timeout".into()));

    let approver = place.path("approver.token");
    let pending = |flags: &[&str]| {
        let arguments = [&["pending", "--token-file", approver.to_str().unwrap()], flags].concat();
        stdout(&run(place.command(&arguments), b""))
    };
    let table = pending(&[]);
    assert!(table.contains("writes") && table.contains("make"), "{table}");
    let list: Value = serde_json::from_str(&pending(&["--json"])).unwrap();
    assert!(list[0]["id"].as_str().unwrap().starts_with(table.split(' ').next().unwrap()), "{table}");

    assert_eq!(server.stop(), Some(0));
    assert!(!place.folders.endpoint_file().exists());
}

#[test]
fn a_question_is_listed_shown_and_answered_from_the_command_line() {
    let place = TestFolders::new();
    let server = Server::start(&place);
    let token = std::fs::read_to_string(place.folders.token_file("default")).unwrap();
    let address = server.started["address"].as_str().unwrap();
    let body = r#"{"question":"Which one?","choices":[{"label":"first"},{"label":"second"}]}"#;
    let request = format!(
        "POST /v1/questions HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    // A program of its own asks: what this one starts could not answer it.
    let (host, port) = address.split_once(':').unwrap();
    let ask = r#"exec 3<>"/dev/tcp/$0/$1" && printf %s "$2" >&3 && exec cat <&3"#;
    let asking = Command::new("bash").args(["-c", ask, host, port, &request]).stdout(Stdio::piped()).spawn().unwrap();

    let approver = place.path("approver.token");
    let command = |arguments: &[&str]| {
        let arguments = [arguments, &["--token-file", approver.to_str().unwrap()]].concat();
        run(place.command(&arguments), b"")
    };
    let deadline = std::time::Instant::now();
    let table = loop {
        let table = stdout(&command(&["pending"]));
        if table.contains("Which one?") {
            break table;
        }
        assert!(deadline.elapsed().as_secs() < 60, "{table}");
    };
    let id = table.split(' ').next().unwrap();
    let shown = stdout(&command(&["answer", id]));
    assert!(shown.contains("Which one?") && shown.contains("2  second"), "{shown}");
    for wrong in [&["answer", id, "--choose", "3"][..], &["answer", id, "--choose", "1", "--choose", "2"]] {
        assert_eq!(command(wrong).status.code(), Some(1), "{wrong:?}");
    }
    assert_eq!(stdout(&command(&["answer", id, "--choose", "2", "--text", "please"])).trim(), "Answered.");
    let answer = stdout(&asking.wait_with_output().unwrap());
    assert!(answer.contains(r#""answer":"second\nplease""#), "{answer}");
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_requester_cannot_decide_and_a_pipe_is_no_terminal() {
    let place = TestFolders::new();
    let server = Server::start(&place);
    let token = place.folders.token_file("default");
    let with_token = ["pending", "--token-file", token.to_str().unwrap()];
    for (arguments, words) in [(&with_token[..], "it takes a person"), (&["pending"], "interactive terminal")] {
        // In a session of its own, so that the terminal of whoever runs the tests does not count.
        let mut command = Command::new("setsid");
        let inner = place.command(arguments);
        command.arg("--wait").arg(inner.get_program()).args(inner.get_args());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = run(command, b"");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(stderr(&output).contains(words), "{output:?}");
    }
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn the_hook_asks_the_running_server() {
    let place = TestFolders::new();
    std::fs::remove_file(place.folders.token_file("claude-code")).unwrap();
    let server = Server::start(&place);
    let call = |tool: &str| {
        let message = serde_json::json!({
            "session_id": "s", "cwd": "/tmp", "hook_event_name": "PreToolUse", "tool_use_id": "t",
            "tool_name": tool, "tool_input": { "file_path": "README.md", "command": "make" },
        });
        let hook = ["hook", "claude-code", "--deadline", "1"];
        let output = run(place.command(&hook), message.to_string().as_bytes());
        assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
        let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
        answer["hookSpecificOutput"]["permissionDecision"].clone()
    };
    assert_eq!(call("Read"), "allow");
    assert_eq!(call("Bash"), "deny");
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn there_is_only_one() {
    let place = TestFolders::new();
    let server = Server::start(&place);
    let second = run(place.command(&["serve", "--port", "0"]), b"");
    assert_eq!(second.status.code(), Some(1));
    assert!(stderr(&second).contains("already running"), "{second:?}");
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn the_demo_tells_what_happened() {
    let place = TestFolders::new();
    std::fs::write(place.folders.policy_file(), "version = 1\npreset = \"autonomous\"\n").unwrap();
    let server = Server::start(&place);
    let output = run(place.command(&["demo"]), b"");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(stdout(&output).matches("Approved by the policy").count(), 3, "{output:?}");
    assert_eq!(server.stop(), Some(0));
}
