//! Who asks cannot decide: not with its own token, not from its own terminal, not through a child,
//! and not with an approver's token that it got hold of.

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::headless::{Headless, folder_flags};
use handraise_tests::{api, binaries};
use serde_json::json;

/// What Claude Code gives its hook: `git push origin main`.
const PUSH: &str = include_str!("../data/claude-code/PreToolUse.subagent.input.json");
/// How long a test waits for something that ought to happen.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server, and the words that start our command with its folders.
struct Scene {
    server: Headless,
    handraise: String,
    handraise_hook: String,
    payload: PathBuf,
}

impl Scene {
    fn start() -> Result<Self> {
        let server = Headless::start("")?;
        let payload = server.folder.path().join("payload.json");
        std::fs::write(&payload, PUSH)?;
        let with_folders = |program: PathBuf| {
            let words: Vec<String> =
                [program.display().to_string()].into_iter().chain(folder_flags(server.folder.path())).collect();
            words.join(" ")
        };
        let (handraise, handraise_hook) =
            (with_folders(binaries::handraise()?), with_folders(binaries::handraise_hook()?));
        Ok(Self { handraise, handraise_hook, server, payload })
    }

    /// What an agent's shell runs to ask.
    fn hook(&self) -> String {
        format!("{} hook claude-code < {}", self.handraise_hook, self.payload.display())
    }

    fn open_requests(&self) -> Result<usize> {
        let reply = self.server.approver()?.call("GET", "/v1/approvals", None)?;
        Ok(reply.body["approvals"].as_array().context("no list")?.len())
    }

    fn wait_for_open_requests(&self, count: usize) -> Result<()> {
        let begin = Instant::now();
        while self.open_requests()? != count {
            ensure!(begin.elapsed() < PATIENCE, "{count} open requests did not come about");
            std::thread::yield_now();
        }
        Ok(())
    }
}

/// Runs `line` in a terminal of its own, as a person's or an agent's shell there would.
fn in_terminal(line: &str) -> Command {
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", line, "/dev/null"]).stdin(Stdio::null());
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_person_in_another_terminal_can_decide() -> Result<()> {
    let scene = Scene::start()?;
    let asking = in_terminal(&scene.hook()).stdout(Stdio::piped()).spawn()?;
    scene.wait_for_open_requests(1)?;
    let decided = in_terminal(&format!("{} approve --last", scene.handraise)).output()?;
    ensure!(decided.status.success(), "{}", text(&decided));
    let answer = asking.wait_with_output()?;
    ensure!(answer.status.success() && text(&answer).contains("\"allow\""), "{}", text(&answer));
    Ok(())
}

#[test]
fn a_program_that_is_all_there_is_in_its_terminal_is_not_mistaken_for_what_started_it() -> Result<()> {
    let scene = Scene::start()?;
    // One word after `exec` and the shell is gone: the command leads its terminal itself.
    let asking = in_terminal(&format!("exec {} ask --tool edit", scene.handraise)).stdout(Stdio::piped()).spawn()?;
    scene.wait_for_open_requests(1)?;
    let decided = in_terminal(&format!("exec {} approve --last", scene.handraise)).output()?;
    ensure!(decided.status.success(), "{}", text(&decided));
    ensure!(text(&asking.wait_with_output()?).contains("approved"), "it was not told");
    Ok(())
}

#[test]
fn the_agents_own_terminal_and_children_cannot() -> Result<()> {
    let scene = Scene::start()?;
    // `timeout` stands for the agent: it runs a hook, and then the model has an idea.
    let idea = format!("{} approve --last", scene.handraise);
    let ready = scene.server.folder.path().join("ready");
    let line = format!(
        "timeout 60 sh -c '({} > /dev/null) & until test -e {}; do :; done; {idea}; echo exit $?; kill $!'",
        scene.hook(),
        ready.display()
    );
    let agent = in_terminal(&line).stdout(Stdio::piped()).spawn()?;
    scene.wait_for_open_requests(1)?;
    std::fs::write(&ready, "")?;
    let said = text(&agent.wait_with_output()?);
    ensure!(!said.contains("exit 0"), "{said}");
    ensure!(said.contains("requesting agent") || said.contains("another terminal"), "{said}");
    // Nobody approved it; with its agent gone it is withdrawn.
    scene.wait_for_open_requests(0)?;
    let approved = scene.server.approver()?.call("GET", "/v1/approvals?status=approved", None)?;
    ensure!(approved.body["approvals"] == json!([]), "{approved:?}");
    Ok(())
}

#[test]
fn without_a_terminal_and_without_a_token_nobody_decides() -> Result<()> {
    let scene = Scene::start()?;
    let call = json!({ "tool": "edit", "arguments": {} });
    scene.server.requester()?.call("POST", "/v1/approvals?wait=0", Some(&call))?;
    let line = format!("{} approve --last", scene.handraise);
    let output = Command::new("setsid").args(["--wait", "sh", "-c", &line]).stdin(Stdio::null()).output()?;
    ensure!(!output.status.success(), "{}", text(&output));
    ensure!(scene.open_requests()? == 1, "it was decided");
    Ok(())
}

#[test]
fn a_stolen_approver_token_is_worth_nothing_in_a_child_of_the_requester() -> Result<()> {
    let scene = Scene::start()?;
    let call = json!({ "tool": "edit", "arguments": {} });
    let asked = scene.server.requester()?.call("POST", "/v1/approvals?wait=0", Some(&call))?;
    let id = asked.body["id"].as_str().context("no id")?.to_owned();
    for setsid in [false, true] {
        let reply = decide_from_child(&scene, &id, setsid)?;
        ensure!(reply.contains("own_process_tree"), "{reply}");
    }
    ensure!(scene.open_requests()? == 1, "it was decided");
    Ok(())
}

/// Decides with the approver's token from a child of this process, which is the requester.
fn decide_from_child(scene: &Scene, id: &str, setsid: bool) -> Result<String> {
    let address = &scene.server.started.address;
    let body = r#"{"decision":"approve"}"#;
    let request = scene.server.folder.path().join("request");
    let text = format!(
        "POST /v1/approvals/{id}/decision HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Authorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        scene.server.approver_token()?,
        body.len()
    );
    std::fs::write(&request, text)?;
    let (host, port) = address.split_once(':').context("no port")?;
    let line = format!("exec 3<>/dev/tcp/{host}/{port}; cat {} >&3; cat <&3", request.display());
    let mut command = if setsid { with_setsid() } else { Command::new("bash") };
    let output = command.args(["-c", &line]).stdin(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn with_setsid() -> Command {
    let mut command = Command::new("setsid");
    command.args(["--wait", "bash"]);
    command
}

#[test]
fn the_requesters_token_never_decides() -> Result<()> {
    let scene = Scene::start()?;
    let call = json!({ "tool": "edit", "arguments": {} });
    let requester = scene.server.requester()?;
    let asked = requester.call("POST", "/v1/approvals?wait=0", Some(&call))?;
    let path = format!("/v1/approvals/{}/decision", asked.body["id"].as_str().context("no id")?);
    for token in ["default", "claude-code"] {
        let client = api::Client::new(&scene.server.started.address, &scene.server.requester_token(token)?);
        let reply = client.call("POST", &path, Some(&json!({ "decision": "approve" })))?;
        ensure!(reply.status == 403 && reply.body["code"] == "not_an_approver", "{reply:?}");
    }
    ensure!(Path::new(&scene.server.started.socket).exists(), "the socket is there all the same");
    Ok(())
}
