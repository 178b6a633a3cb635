//! `handraise watch` in a terminal of its own (tmux): questions and requests, answered by its keys.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::api::{Client, Reply, read};
use handraise_tests::binaries;
use handraise_tests::headless::{Headless, folder_flags};
use serde_json::{Value, json};

/// How long a test waits for something that ought to happen.
const PATIENCE: Duration = Duration::from_secs(30);

/// `handraise watch` on the screen of a tmux of its own.
struct Watch {
    socket: PathBuf,
}

impl Watch {
    fn start(server: &Headless) -> Result<Self> {
        let folder = server.folder.path();
        let this = Self { socket: folder.join("tmux") };
        let program = binaries::handraise()?.display().to_string();
        let token = folder.join("approver.token").display().to_string();
        let words = std::iter::once(program).chain(folder_flags(folder));
        let words: Vec<String> = words.chain(["watch".to_owned(), "--token-file".to_owned(), token]).collect();
        // Words and not a line: tmux gives a line to a shell.
        let mut command = this.tmux(&["new-session", "-d", "-x", "80", "-y", "24", "--"]);
        let output = command.args(words).output()?;
        ensure!(output.status.success(), "{output:?}");
        Ok(this)
    }

    fn tmux(&self, words: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket).args(["-f", "/dev/null"]).args(words).env("LC_ALL", "C.UTF-8");
        command
    }

    fn screen(&self) -> Result<String> {
        let Output { stdout, .. } = self.tmux(&["capture-pane", "-p"]).output()?;
        Ok(String::from_utf8_lossy(&stdout).into_owned())
    }

    fn wait_for(&self, words: &str) -> Result<()> {
        let begin = Instant::now();
        loop {
            let screen = self.screen()?;
            if screen.contains(words) {
                return Ok(());
            }
            ensure!(begin.elapsed() < PATIENCE, "`{words}` did not come up:\n{screen}");
            std::thread::yield_now();
        }
    }

    fn press(&self, keys: &[&str]) -> Result<()> {
        let output = self.tmux(&["send-keys"]).args(keys).output()?;
        ensure!(output.status.success(), "{output:?}");
        Ok(())
    }

    /// Waits until the keys under what is shown do something: before that they are dim.
    fn wait_for_keys(&self) -> Result<()> {
        let begin = Instant::now();
        loop {
            let Output { stdout, .. } = self.tmux(&["capture-pane", "-p", "-e"]).output()?;
            let screen = String::from_utf8_lossy(&stdout).into_owned();
            if screen.lines().any(|line| line.contains("j/k select") && !line.contains("\u{1b}[2m")) {
                return Ok(());
            }
            ensure!(begin.elapsed() < PATIENCE, "the keys sleep on:\n{screen}");
            std::thread::yield_now();
        }
    }

    fn type_text(&self, text: &str) -> Result<()> {
        self.press(&["-l", text])
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]).output();
    }
}

/// Asks a question; the answer comes on the connection.
fn ask(requester: &Client, question: &Value) -> Result<std::net::TcpStream> {
    requester.open("POST", "/v1/questions", Some(question))
}

fn question(text: &str, multiple: bool) -> Value {
    let choices = json!([{ "label": "PostgreSQL", "description": "As in production." }, { "label": "SQLite" }]);
    json!({ "question": text, "choices": choices, "multiple": multiple, "custom_label": "Another one" })
}

#[test]
fn questions_are_answered_where_they_are_shown() -> Result<()> {
    let server = Headless::start("")?;
    let requester = server.requester()?;
    let watch = Watch::start(&server)?;
    watch.wait_for("Nothing waits for you.")?;

    let asked = ask(&requester, &question("Which database?", false))?;
    watch.wait_for("Question from")?;
    watch.wait_for("1-2 choose  t write  d decline")?;
    watch.wait_for_keys()?;
    // Enter alone answers nothing; a number is sent by Enter.
    watch.press(&["Enter", "2"])?;
    watch.wait_for("› 2▏")?;
    watch.press(&["Enter"])?;
    let Reply { body, .. } = read(asked)?;
    ensure!(body["status"] == "answered" && body["selected"] == json!(["SQLite"]), "{body}");
    watch.wait_for("Nothing waits for you.")?;
    watch.wait_for("Answered.")?;

    let asked = ask(&requester, &question("Which ones?", true))?;
    watch.wait_for("Question from")?;
    watch.wait_for_keys()?;
    watch.press(&["1", ",", "9", "Enter"])?;
    watch.wait_for("Type the numbers of choices that are shown")?;
    watch.press(&["BSpace", "2", "Enter"])?;
    let Reply { body, .. } = read(asked)?;
    ensure!(body["selected"] == json!(["PostgreSQL", "SQLite"]), "{body}");
    watch.wait_for("Nothing waits for you.")?;

    let asked = ask(&requester, &question("And in your words?", false))?;
    watch.wait_for("Question from")?;
    watch.wait_for_keys()?;
    watch.press(&["t"])?;
    watch.wait_for("Your answer. Enter answers, Esc goes back.")?;
    watch.type_text("the größer one")?;
    watch.press(&["Enter"])?;
    let Reply { body, .. } = read(asked)?;
    ensure!(body["custom"] == "the größer one", "{body}");
    watch.wait_for("Nothing waits for you.")?;

    let asked = ask(&requester, &question("Not this one?", false))?;
    watch.wait_for("Question from")?;
    watch.wait_for_keys()?;
    watch.press(&["r"])?;
    watch.wait_for("Decline. Why?")?;
    watch.type_text("ask me tomorrow")?;
    watch.press(&["Enter"])?;
    let Reply { body, .. } = read(asked)?;
    ensure!(body["status"] == "declined" && body["reason"] == "ask me tomorrow", "{body}");
    watch.wait_for("Declined.")
}

#[test]
fn a_question_waits_among_requests_and_goes_when_its_requester_goes() -> Result<()> {
    let server = Headless::start("")?;
    let requester = server.requester()?;
    let call = json!({ "tool": "edit", "arguments": { "path": "notes.md" } });
    let pending = requester.call("POST", "/v1/approvals?wait=0", Some(&call))?;
    let id = pending.body["id"].as_str().context("no id")?.to_owned();
    let asked = ask(&requester, &question("Which database?", false))?;
    let watch = Watch::start(&server)?;
    watch.wait_for("2 waiting")?;
    watch.press(&["j"])?;
    watch.wait_for("Question from")?;
    drop(asked);
    watch.wait_for("1 waiting")?;
    watch.wait_for_keys()?;
    watch.press(&["d"])?;
    watch.wait_for("Denied.")?;
    let known = requester.call("GET", &format!("/v1/approvals/{id}"), None)?;
    ensure!(known.body["status"] == "denied", "{known:?}");
    Ok(())
}
