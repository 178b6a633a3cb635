//! Who asks cannot decide: not with its own token, not from its own terminal, not through a child or one that it has
//! left behind, not by typing into another terminal, and not with an approver's token that it got hold of. Nor can it
//! see what others ask.
//!
//! A person's terminal is a real xterm here; what agents make for themselves are `script` and `tmux`.

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::headless::{Headless, folder_flags};
use handraise_tests::person::Person;
use handraise_tests::{api, binaries};
use serde_json::json;

/// What Claude Code gives its hook: `git push origin main`.
const PUSH: &str = include_str!("../data/claude-code/PreToolUse.subagent.input.json");
/// How long a test waits for something that ought to happen.
const PATIENCE: Duration = Duration::from_secs(60);

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

    /// Id and hash of the one request that waits.
    fn the_request(&self) -> Result<(String, String)> {
        let reply = self.server.approver()?.call("GET", "/v1/approvals", None)?;
        let text = |key: &str| reply.body["approvals"][0][key].as_str().map(str::to_owned).context("no request");
        Ok((text("id")?, text("arguments_hash")?))
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
    let person = Person::start()?;
    let asking = in_terminal(&scene.hook()).stdout(Stdio::piped()).spawn()?;
    scene.wait_for_open_requests(1)?;
    // Any other key leaves it as it is.
    ensure!(person.runs(&format!("{} approve --last", scene.handraise), &["n"])? == 1, "n was a yes");
    ensure!(scene.open_requests()? == 1, "it was decided");
    ensure!(person.runs(&format!("{} approve --last", scene.handraise), &["y"])? == 0, "y was no yes");
    let answer = asking.wait_with_output()?;
    ensure!(answer.status.success() && text(&answer).contains("\"allow\""), "{}", text(&answer));
    Ok(())
}

#[test]
fn a_program_that_is_all_there_is_in_its_terminal_is_not_mistaken_for_what_started_it() -> Result<()> {
    let scene = Scene::start()?;
    let person = Person::start()?;
    // One word after `exec` and the shell is gone: the command leads its terminal itself.
    let asking = in_terminal(&format!("exec {} ask --tool edit", scene.handraise)).stdout(Stdio::piped()).spawn()?;
    scene.wait_for_open_requests(1)?;
    ensure!(person.runs(&format!("{} approve --last", scene.handraise), &["y"])? == 0, "it was refused");
    ensure!(text(&asking.wait_with_output()?).contains("approved"), "it was not told");
    Ok(())
}

#[test]
fn nothing_is_approved_that_nobody_has_seen() -> Result<()> {
    let scene = Scene::start()?;
    let _asking = Asking::start(&scene)?;
    let (id, hash) = scene.the_request()?;
    let token = scene.server.folder.path().join("approver.token").display().to_string();
    let with_token = |words: &str| {
        let line = format!("{} {words} --token-file {token}", scene.handraise);
        Command::new("sh").args(["-c", &line]).stdin(Stdio::null()).output()
    };
    for words in ["approve --last", &format!("approve {id}")] {
        let piped = with_token(words)?;
        ensure!(!piped.status.success() && text(&piped).contains("--hash"), "{words}: {}", text(&piped));
    }
    let piped = with_token("approve --last < /dev/stdin")?;
    ensure!(!piped.status.success(), "{}", text(&piped));
    let other = with_token(&format!("approve {id} --hash {}", "0".repeat(64)))?;
    ensure!(!other.status.success() && text(&other).contains("not the one"), "{}", text(&other));
    ensure!(scene.open_requests()? == 1, "it was decided");
    let named = with_token(&format!("approve {id} --hash {hash}"))?;
    ensure!(named.status.success(), "{}", text(&named));
    Ok(())
}

/// Every attack is made without and with the approver's token; none of them decides, and none of them sees anything.
#[test]
fn what_has_left_its_parents_behind_decides_nothing() -> Result<()> {
    let scene = Scene::start()?;
    let _asking = Asking::start(&scene)?;
    let (id, hash) = scene.the_request()?;
    let folder = scene.server.folder.path();
    let token = format!("--token-file {}", folder.join("approver.token").display());
    for (number, token) in ["", token.as_str()].into_iter().enumerate() {
        // Of its own in each round: a server that was told to end still takes connections for a moment.
        let socket = folder.join(format!("tmux-socket-{number}")).display().to_string();
        let said = |name: &str| folder.join(format!("{name}-{number}"));
        let line = |name: &str, words: &str| {
            let file = said(name).display().to_string();
            format!("{} {words} {token} > {file}.new 2>&1; mv {file}.new {file}", scene.handraise)
        };
        let approve = format!("approve {id} --hash {hash}");
        let in_pty = |line: &str| {
            let mut command = Command::new("setsid");
            command.args(["--fork", "script", "--quiet", "--command", line, "/dev/null"]).stdin(Stdio::null());
            command.stdout(Stdio::null()).status()
        };
        in_pty(&line("script", &approve))?;
        in_pty(&line("script-looks", "pending"))?;
        let tmux = |words: &[&str]| Command::new("tmux").args(["-S", &socket, "-f", "/dev/null"]).args(words).status();
        tmux(&["new-session", "-d", "bash"])?;
        for (name, words) in [("tmux", approve.as_str()), ("tmux-looks", "pending")] {
            tmux(&["send-keys", "-l", &line(name, words)])?;
            tmux(&["send-keys", "Enter"])?;
        }
        let plain = line("plain", &approve);
        Command::new("setsid").args(["--fork", "sh", "-c", &plain]).stdin(Stdio::null()).status()?;
        for name in ["script", "script-looks", "tmux", "tmux-looks", "plain"] {
            let words = wait_for_text(&said(name))?;
            let refused = ["has ended", "requesting agent", "interactive terminal", "type into"];
            ensure!(refused.iter().any(|reason| words.contains(reason)), "{name}: {words}");
            ensure!(!words.contains("git push"), "{name} saw what is asked: {words}");
        }
        tmux(&["kill-server"])?;
    }
    ensure!(scene.open_requests()? == 1, "it was decided");
    Ok(())
}

#[test]
fn typing_into_a_persons_tmux_decides_nothing() -> Result<()> {
    let scene = Scene::start()?;
    let _asking = Asking::start(&scene)?;
    let (id, hash) = scene.the_request()?;
    let person = Person::start()?;
    let socket = person.home().join("tmux").display().to_string();
    person.type_line(&format!("tmux -S {socket} -f /dev/null"))?;
    let said = person.home().join("said");
    let file = said.display();
    let line = format!("{} approve {id} --hash {hash} > {file}.new 2>&1; mv {file}.new {file}", scene.handraise);
    let begin = Instant::now();
    let tmux = |words: &[&str]| Command::new("tmux").args(["-S", &socket]).args(words).output();
    while !tmux(&["send-keys", "-l", &line])?.status.success() {
        ensure!(begin.elapsed() < PATIENCE, "tmux did not start");
    }
    tmux(&["send-keys", "Enter"])?;
    let words = wait_for_text(&said)?;
    tmux(&["kill-server"])?;
    ensure!(words.contains("has ended") || words.contains("type into"), "{words}");
    ensure!(scene.open_requests()? == 1, "it was decided");
    Ok(())
}

#[test]
fn an_agents_terminal_and_its_children_see_nothing_of_others() -> Result<()> {
    let scene = Scene::start()?;
    // The agent is this process.
    let call = json!({ "tool": "edit", "arguments": {} });
    let asked = scene.server.requester()?.call("POST", "/v1/approvals?wait=0", Some(&call))?;
    let id = asked.body["id"].as_str().context("no id")?.to_owned();
    for path in [
        "/v1/approvals",
        "/v1/questions",
        "/v1/policy",
        "/v1/policy/suggestions",
        "/v1/sessions",
        "/v1/grants",
        "/v1/credentials",
        "/v1/events",
        &format!("/v1/approvals/{id}"),
        &format!("/v1/approvals/{id}/reveal"),
    ] {
        let reply = from_child(&scene, &format!("GET {path}"), "", false)?;
        ensure!(reply.contains("own_process_tree"), "{path}: {reply}");
    }
    let own = in_terminal(&format!("{} pending", scene.handraise)).output()?;
    ensure!(!own.status.success() && !text(&own).contains("edit"), "{}", text(&own));
    Ok(())
}

/// Claude Code's hook in a terminal of its own, which waits for an answer. Ended when dropped.
struct Asking(std::process::Child);

impl Asking {
    fn start(scene: &Scene) -> Result<Self> {
        let this = Self(in_terminal(&scene.hook()).stdout(Stdio::null()).spawn()?);
        scene.wait_for_open_requests(1)?;
        Ok(this)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for_text(file: &Path) -> Result<String> {
    let begin = Instant::now();
    while !file.exists() {
        ensure!(begin.elapsed() < PATIENCE, "{} was not written", file.display());
        std::thread::yield_now();
    }
    Ok(std::fs::read_to_string(file)?)
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
    from_child(scene, &format!("POST /v1/approvals/{id}/decision"), r#"{"decision":"approve"}"#, setsid)
}

/// Sends a request with the approver's token from a child of this process.
fn from_child(scene: &Scene, line: &str, body: &str, setsid: bool) -> Result<String> {
    let address = &scene.server.started.address;
    let request = scene.server.folder.path().join("request");
    let text = format!(
        "{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
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
