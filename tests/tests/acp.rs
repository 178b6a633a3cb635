//! `handraise acp` between a client and an agent that were made with the protocol's own SDK.

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::binaries;
use handraise_tests::headless::{Headless, folder_flags};
use serde_json::{Value, json};

/// How long a test waits for something that ought to happen.
const PATIENCE: Duration = Duration::from_secs(60);
/// Allows one command, denies another, and asks about the rest.
const POLICY: &str = r#"
version = 1

[[rule]]
tool = "shell"
command = "git status"
action = "allow"

[[rule]]
tool = "shell"
command = "git push"
action = "deny"
"#;
/// Versions of the protocol.
const VERSIONS: [&str; 2] = ["1", "2"];

/// The folder of the client and the agent.
fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("acp")
}

/// Our program between them, with the folders below `folder`.
fn proxy(folder: &Path) -> Result<Vec<String>> {
    let words = [binaries::handraise()?.display().to_string()].into_iter().chain(folder_flags(folder));
    Ok(words.chain(["acp".to_owned(), "--agent".to_owned(), "test-agent".to_owned(), "--".to_owned()]).collect())
}

/// A client with its agent.
struct Talk {
    client: Child,
    words: Option<ChildStdin>,
}

impl Talk {
    fn start(folder: &Path, version: &str, what: &str, command: &str) -> Result<Self> {
        Self::start_asking(folder, version, what, command, "")
    }

    /// A client that can itself ask its person in these ways.
    fn start_asking(folder: &Path, version: &str, what: &str, command: &str, ways: &str) -> Result<Self> {
        ensure!(programs().join("node_modules").exists(), "run scripts/setup test first");
        let mut client = Command::new("node")
            .current_dir(programs())
            .args(["client.mjs", version, &json!({ "what": what, "command": command }).to_string()])
            .args(proxy(folder)?)
            .args(["node", "agent.mjs", version])
            .env("ASKS", ways)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        Ok(Self { words: client.stdin.take(), client })
    }

    /// Says something to the client.
    fn say(&mut self, word: &str) -> Result<()> {
        Ok(self.words.as_mut().context("no stdin")?.write_all(format!("{word}\n").as_bytes())?)
    }

    /// What the client saw, and what was complained.
    fn end(self) -> Result<(Value, String)> {
        let output = self.client.wait_with_output()?;
        let complaints = String::from_utf8(output.stderr)?;
        let seen = serde_json::from_slice(&output.stdout).with_context(|| complaints.clone())?;
        Ok((seen, complaints))
    }
}

/// The open requests, once there are `count`.
fn open_requests(server: &Headless, count: usize) -> Result<Vec<Value>> {
    let begin = Instant::now();
    loop {
        let reply = server.approver()?.call("GET", "/v1/approvals", None)?;
        let open = reply.body["approvals"].as_array().context("no list")?.clone();
        if open.len() == count {
            return Ok(open);
        }
        ensure!(begin.elapsed() < PATIENCE, "{count} open requests did not come about: {open:?}");
        std::thread::yield_now();
    }
}

/// A person decides about the only open request, which is returned.
fn decide(server: &Headless, decision: &str) -> Result<Value> {
    let open = open_requests(server, 1)?.pop().context("none")?;
    let path = format!("/v1/approvals/{}/decision", open["id"].as_str().context("no id")?);
    let reply = server.approver()?.call("POST", &path, Some(&json!({ "decision": decision })))?;
    ensure!(reply.status == 200, "{}", reply.body);
    Ok(open)
}

#[test]
fn the_policy_answers_without_a_person_and_the_client_is_never_asked() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for version in VERSIONS {
        for (command, answer) in [("git status", "yes"), ("git push", "no")] {
            // Told with the permission request, or before it.
            for what in ["run", "early"] {
                let (seen, complaints) = Talk::start(server.folder.path(), version, what, command)?.end()?;
                assert_eq!(seen["said"], answer, "{version} {what} {command}: {complaints}");
                assert_eq!((&seen["asked"], &seen["exitCode"], &seen["error"]), (&json!(0), &json!(0), &Value::Null));
            }
        }
    }
    Ok(())
}

#[test]
fn the_client_still_shows_the_call_that_the_permission_request_told_of() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for (version, updates) in
        [("1", json!(["tool_call", "agent_message_chunk"])), ("2", json!(["tool_call_update", "agent_message_chunk"]))]
    {
        let (seen, _) = Talk::start(server.folder.path(), version, "run", "git status")?.end()?;
        assert_eq!(seen["updates"], updates);
    }
    Ok(())
}

#[test]
fn a_person_allows_and_denies() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for version in VERSIONS {
        for (decision, answer) in [("approve", "yes"), ("deny", "no")] {
            let talk = Talk::start(server.folder.path(), version, "early", "touch a")?;
            let request = decide(&server, decision)?;
            assert_eq!(talk.end()?.0["said"], answer);
            let folder = std::fs::canonicalize(programs())?;
            let shown = |field: &str| &request[field];
            assert_eq!((shown("tool"), shown("agent")), (&json!("shell"), &json!("test-agent")), "{request}");
            assert_eq!((shown("title"), shown("class")), (&json!("touch a"), &json!("shell")), "{request}");
            assert_eq!(shown("cwd")[0]["text"], folder.display().to_string(), "{request}");
        }
    }
    Ok(())
}

#[test]
fn a_turn_that_is_cancelled_takes_its_permission_requests_along() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for version in VERSIONS {
        let mut talk = Talk::start(server.folder.path(), version, "both", "touch a")?;
        open_requests(&server, 2)?;
        talk.say("cancel")?;
        let (seen, complaints) = talk.end()?;
        assert_eq!(seen["said"], "cancelled,cancelled", "{complaints}");
        open_requests(&server, 0)?;
    }
    Ok(())
}

#[test]
fn a_permission_request_that_the_agent_takes_back_is_withdrawn() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for version in VERSIONS {
        let talk = Talk::start(server.folder.path(), version, "withdraw", "touch a")?;
        open_requests(&server, 1)?;
        // The agent is the grandchild of the client.
        let agent = only_child(only_child(talk.client.id())?)?;
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(i32::try_from(agent)?), nix::sys::signal::Signal::SIGUSR2)?;
        open_requests(&server, 0)?;
        let (seen, complaints) = talk.end()?;
        assert_eq!((&seen["error"], &seen["asked"]), (&Value::Null, &json!(0)), "{complaints}");
        assert!(seen["said"] != "yes", "{seen}");
    }
    Ok(())
}

fn only_child(pid: u32) -> Result<u32> {
    let mut children = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{pid}/task"))? {
        let text = std::fs::read_to_string(task?.path().join("children"))?;
        children.extend(text.split_whitespace().map(str::parse::<u32>).collect::<Result<Vec<_>, _>>()?);
    }
    ensure!(children.len() == 1, "{children:?}");
    children.pop().context("none")
}

/// The only open question, once there is one.
fn open_question(server: &Headless) -> Result<Value> {
    let begin = Instant::now();
    loop {
        let reply = server.approver()?.call("GET", "/v1/questions", None)?;
        if let Some([question]) = reply.body["questions"].as_array().map(Vec::as_slice) {
            return Ok(question.clone());
        }
        ensure!(begin.elapsed() < PATIENCE, "no question came about: {}", reply.body);
        std::thread::yield_now();
    }
}

fn no_question(server: &Headless) -> Result<()> {
    let begin = Instant::now();
    while server.approver()?.call("GET", "/v1/questions", None)?.body["questions"] != json!([]) {
        ensure!(begin.elapsed() < PATIENCE, "a question stays");
        std::thread::yield_now();
    }
    Ok(())
}

/// The person answers the only open question, whose words are returned.
fn answer_question(server: &Headless, answer: &Value) -> Result<String> {
    let question = open_question(server)?;
    let path = format!("/v1/questions/{}/answer", question["id"].as_str().context("no id")?);
    let reply = server.approver()?.call("POST", &path, Some(answer))?;
    ensure!(reply.status == 200, "{}", reply.body);
    let pieces = question["question"].as_array().context("no words")?;
    Ok(pieces.iter().filter_map(|piece| piece["text"].as_str()).collect())
}

#[test]
fn a_form_is_filled_in_here_where_the_client_cannot_ask() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for version in VERSIONS {
        let talk = Talk::start(server.folder.path(), version, "form", "")?;
        let first = answer_question(&server, &json!({ "selected": ["main"] }))?;
        assert_eq!(first, "Before I push\n\nBranch (1 of 3)");
        // What does not fit is asked for again.
        answer_question(&server, &json!({ "custom": "0" }))?;
        let again = answer_question(&server, &json!({ "custom": "3" }))?;
        assert_eq!(
            again,
            "Before I push\n\nHow many (2 of 3)\nA whole number, at least 1.\nThe last answer does not fit."
        );
        answer_question(&server, &json!({ "selected": ["Leave it out"] }))?;
        let (seen, complaints) = talk.end()?;
        assert_eq!(seen["said"], r#"accept {"branch":"main","count":3}"#, "{version}: {complaints}");
        assert_eq!(seen["elicited"], 0);
        let declined = Talk::start(server.folder.path(), version, "form", "")?;
        answer_question(&server, &json!({ "decline": true }))?;
        assert_eq!(declined.end()?.0["said"], "decline");
        // An address is shown, and the client hears nothing of what it cannot do.
        let page = Talk::start_asking(server.folder.path(), version, "page", "", "form")?;
        let words = answer_question(&server, &json!({ "selected": ["I open it"] }))?;
        assert_eq!(words, "Sign in\n\nhttps://git.example/sign-in\nIt is at git.example.");
        let (seen, _) = page.end()?;
        assert_eq!((&seen["said"], &seen["elicited"], &seen["completed"]), (&json!("accept"), &json!(0), &json!(0)));
    }
    Ok(())
}

#[test]
fn the_first_answer_counts_and_takes_the_question_back_from_the_other() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for version in VERSIONS {
        let mut there = Talk::start_asking(server.folder.path(), version, "form", "", "form,url")?;
        open_question(&server)?;
        there.say("answer")?;
        let (seen, complaints) = there.end()?;
        assert_eq!(seen["said"], r#"accept {"branch":"dev","count":1}"#, "{version}: {complaints}");
        assert_eq!((&seen["elicited"], &seen["takenBack"]), (&json!(1), &json!(0)));
        no_question(&server)?;
        let here = Talk::start_asking(server.folder.path(), version, "form", "", "form,url")?;
        answer_question(&server, &json!({ "selected": ["main"] }))?;
        answer_question(&server, &json!({ "custom": "2" }))?;
        answer_question(&server, &json!({ "custom": "hello" }))?;
        let (seen, complaints) = here.end()?;
        assert_eq!(seen["said"], r#"accept {"branch":"main","count":2,"note":"hello"}"#, "{version}: {complaints}");
        assert_eq!(seen["error"], Value::Null);
    }
    Ok(())
}

#[test]
fn of_two_answers_at_once_the_agent_hears_one() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for version in VERSIONS {
        for _ in 0..4 {
            let mut talk = Talk::start_asking(server.folder.path(), version, "form", "", "form,url")?;
            answer_question(&server, &json!({ "selected": ["main"] }))?;
            answer_question(&server, &json!({ "custom": "2" }))?;
            let last = open_question(&server)?;
            let path = format!("/v1/questions/{}/answer", last["id"].as_str().context("no id")?);
            let here = std::thread::scope(|scope| {
                let here = scope.spawn(|| -> Result<u16> {
                    let answer = json!({ "selected": ["Leave it out"] });
                    Ok(server.approver()?.call("POST", &path, Some(&answer))?.status)
                });
                talk.say("answer")?;
                here.join().map_err(|_| anyhow::anyhow!("the answer here failed"))?
            })?;
            let (seen, complaints) = talk.end()?;
            let said = seen["said"].as_str().context("nothing was said")?;
            let is_from_here = said == r#"accept {"branch":"main","count":2}"#;
            assert!(is_from_here || said == r#"accept {"branch":"dev","count":1}"#, "{version}: {seen} {complaints}");
            // Who was told that the answer counts may still have come too late for the agent; the other way round never.
            assert!(!is_from_here || here == 200, "{here} {seen}");
            assert_eq!(seen["error"], Value::Null, "{version}: {complaints}");
            no_question(&server)?;
        }
    }
    Ok(())
}

#[test]
fn a_form_ends_with_its_turn_its_agent_and_its_client() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for version in VERSIONS {
        let mut talk = Talk::start(server.folder.path(), version, "form", "")?;
        open_question(&server)?;
        talk.say("cancel")?;
        assert_eq!(talk.end()?.0["said"], "cancel", "{version}");
        no_question(&server)?;
        for ways in ["", "form"] {
            let talk = Talk::start_asking(server.folder.path(), version, "withdraw-form", "", ways)?;
            open_question(&server)?;
            let agent = only_child(only_child(talk.client.id())?)?;
            let pid = nix::unistd::Pid::from_raw(i32::try_from(agent)?);
            nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGUSR2)?;
            no_question(&server)?;
            let (seen, complaints) = talk.end()?;
            assert_eq!(seen["error"], Value::Null, "{version} {ways}: {complaints}");
        }
        let mut talk = Talk::start(server.folder.path(), version, "form", "")?;
        open_question(&server)?;
        talk.say("leave")?;
        no_question(&server)?;
        talk.client.wait()?;
    }
    Ok(())
}

#[test]
fn without_a_server_the_client_asks_alone_and_without_both_nobody_answers() -> Result<()> {
    let folder = Headless::start(POLICY)?.kill()?;
    for version in VERSIONS {
        let (seen, complaints) = Talk::start(folder.path(), version, "form", "")?.end()?;
        assert_eq!(seen["said"], "cancel", "{version}");
        assert!(complaints.contains("Handraise is not running. Start it"), "{complaints}");
        let mut alone = Talk::start_asking(folder.path(), version, "form", "", "form")?;
        let mut complaints = BufReader::new(alone.client.stderr.take().context("no stderr")?);
        let mut line = String::new();
        while !line.contains("client asks") {
            line.clear();
            ensure!(complaints.read_line(&mut line)? > 0, "the client was not asked");
        }
        alone.say("answer")?;
        let (seen, _) = alone.end()?;
        assert_eq!(seen["said"], r#"accept {"branch":"dev","count":1}"#, "{version}");
    }
    Ok(())
}

#[test]
fn version_2_tells_of_terminals_changes_and_answers_of_the_agents_own() -> Result<()> {
    let server = Headless::start(POLICY)?;
    let talk = Talk::start(server.folder.path(), "2", "tell", "")?;
    let request = decide(&server, "approve")?;
    let subject = request["subject"].to_string();
    assert!(
        subject.contains("old line") && subject.contains("new line") && subject.contains("/repo/src/a"),
        "{subject}"
    );
    let shown = request["description"].to_string();
    for words in ["npm test", "2 failed", "/repo/src/a, line 1", "Mend it slowly (_slow)"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let words = answer_question(&server, &json!({ "selected": ["Mend it fast"] }))?;
    assert_eq!(words, "You have approved this:\nMend a\n\nWhich answer does the agent get?");
    let (seen, complaints) = talk.end()?;
    assert_eq!(seen["said"], "fast", "{complaints}");
    Ok(())
}

#[test]
fn a_client_that_goes_away_takes_its_permission_requests_along() -> Result<()> {
    let server = Headless::start(POLICY)?;
    let mut talk = Talk::start(server.folder.path(), "1", "run", "touch a")?;
    open_requests(&server, 1)?;
    talk.say("leave")?;
    open_requests(&server, 0)?;
    talk.client.wait()?;
    Ok(())
}

#[test]
fn without_a_server_nothing_is_approved_and_the_person_is_told_why() -> Result<()> {
    let folder = Headless::start(POLICY)?.kill()?;
    for version in VERSIONS {
        let (seen, complaints) = Talk::start(folder.path(), version, "run", "git status")?.end()?;
        assert_eq!((&seen["said"], &seen["asked"]), (&json!("cancelled"), &json!(0)));
        assert!(complaints.contains("Handraise is not running. Start it"), "{complaints}");
    }
    Ok(())
}

#[test]
fn a_server_that_dies_approves_nothing() -> Result<()> {
    let server = Headless::start(POLICY)?;
    let talk = Talk::start(server.folder.path(), "1", "run", "touch a")?;
    open_requests(&server, 1)?;
    let _folder = server.kill()?;
    assert_eq!(talk.end()?.0["said"], "cancelled");
    Ok(())
}

#[test]
fn how_the_agent_ends_is_how_the_proxy_ends() -> Result<()> {
    let server = Headless::start(POLICY)?;
    for (what, code) in [("crash", 7), ("kill", 128 + 9)] {
        let (seen, _) = Talk::start(server.folder.path(), "1", what, "")?.end()?;
        assert_eq!(seen["exitCode"], code, "{seen}");
    }
    Ok(())
}

/// Runs `command` through the proxy with `input` on stdin.
fn pass(folder: &Path, input: &[u8], command: &[&str]) -> Result<Output> {
    let words = proxy(folder)?;
    let (program, flags) = words.split_first().context("no words")?;
    let mut child = Command::new(program)
        .args(flags)
        .args(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output()?;
    // An agent that has ended reads no more.
    let _ = writer.join();
    Ok(output)
}

#[test]
fn every_other_byte_passes_through_in_both_directions() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let large =
        format!("{{\"method\":\"fs/write_text_file\",\"params\":{{\"content\":\"{}\"}}}}\r\n", "x".repeat(20_000_000));
    let lines: [&[u8]; 8] = [
        b"\n\r\n  \t\n",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/new\",\"params\":{\"cwd\":\"/\"}}\n",
        b"not json \xff\xfe\0 at all\n",
        b"{\"method\":\"session/update\",\"params\":\"\xc3\x28\"}\n",
        b"{ \"method\" : \"x\" , \"method\":\"y\" }  \r\n",
        large.as_bytes(),
        b"[1,2]\n{\"id\":9,\"result\":{\"sessionId\":\"a\"}}\n{\"method\":\"$/cancel_request\",\"params\":{\"requestId\":3}}\n",
        b"and no line feed at the end",
    ];
    let input = lines.concat();
    // `cat` is client and agent at once: each byte goes through both directions.
    let output = pass(folder.path(), &input, &["cat"])?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout == input, "{} of {} bytes came back", output.stdout.len(), input.len());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    Ok(())
}

#[test]
fn what_could_be_taken_for_a_permission_request_never_reaches_the_client() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for line in [
        r#"{"id":1,"method":"session/request_permission"}"#,
        r#"{"id":1,"method":"session\/request\u005fpermission","params":{}}"#,
        r#"{"id":1,"method":"session/update","method":"session/request_permission","params":{}}"#,
        r#"{"id":1,"method":"session/request_permission","method":"session/update","params":{}}"#,
        r#"[{"id":1,"method":"session/request_permission","params":{}}]"#,
        r#"{"id":1,"method":"session/request_permission","params":{},}"#,
    ] {
        let output = pass(folder.path(), b"", &["printf", "%s\\n", line])?;
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{line}");
        assert!(complaints.contains("was not approved"), "{line}: {complaints}");
    }
    Ok(())
}

#[test]
fn stderr_and_exit_code_are_the_agents_own() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let output = pass(folder.path(), b"", &["sh", "-c", "echo out; echo complaint >&2; exit 42"])?;
    assert_eq!(output.status.code(), Some(42));
    assert_eq!((&*output.stdout, &*output.stderr), (&b"out\n"[..], &b"complaint\n"[..]));
    let missing = pass(folder.path(), b"", &["/nowhere/agent"])?;
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("`/nowhere/agent` cannot be started"));
    Ok(())
}

#[test]
fn a_signal_reaches_the_agent() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let words = proxy(folder.path())?;
    let (program, flags) = words.split_first().context("no words")?;
    let mut child = Command::new(program)
        .args(flags)
        .args(["sh", "-c", "trap 'exit 33' TERM; echo ready; while :; do sleep 0.05; done"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut ready = [0; 6];
    child.stdout.as_mut().context("no stdout")?.read_exact(&mut ready)?;
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(i32::try_from(child.id())?), nix::sys::signal::Signal::SIGTERM)?;
    assert_eq!(child.wait()?.code(), Some(33));
    Ok(())
}
