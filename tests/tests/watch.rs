//! `handraise watch` in a terminal of its own (tmux): questions and requests, answered by its keys.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::binaries;
use handraise_tests::headless::{Headless, folder_flags};
use serde_json::{Value, json};

/// How long a test waits for something that ought to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// `handraise watch` on the screen of a tmux of its own.
struct Watch {
    socket: PathBuf,
    screens: Child,
}

impl Watch {
    fn start(server: &Headless) -> Result<Self> {
        let folder = server.folder.path();
        let socket = folder.join("tmux");
        // Not in the background: a program that has lost what started it decides nothing, whatever token it holds.
        let screens = tmux(&socket, &["-D"]).spawn()?;
        let this = Self { socket, screens };
        this.wait_for_screens()?;
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
        tmux(&self.socket, words)
    }

    fn wait_for_screens(&self) -> Result<()> {
        let begin = Instant::now();
        while !self.socket.exists() {
            ensure!(begin.elapsed() < PATIENCE, "tmux did not start");
            std::thread::yield_now();
        }
        Ok(())
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
        let _ = self.screens.kill();
        let _ = self.screens.wait();
    }
}

fn tmux(socket: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("tmux");
    command.arg("-S").arg(socket).args(["-f", "/dev/null"]).args(words).env("LC_ALL", "C.UTF-8");
    command
}

/// A program of its own that asks: what this one starts, as the terminal that is watched, could not answer it. Ended
/// when dropped.
struct Asking(Child);

impl Asking {
    fn start(server: &Headless, path: &str, body: &Value) -> Result<Self> {
        let (address, token) = (&server.started.address, server.requester_token("default")?);
        let body = body.to_string();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let (host, port) = address.split_once(':').context("no port")?;
        let line = r#"exec 3<>"/dev/tcp/$0/$1" && printf %s "$2" >&3 && exec cat <&3"#;
        let mut command = Command::new("bash");
        command.args(["-c", line, host, port, &request]).stdout(Stdio::piped());
        Ok(Self(command.spawn()?))
    }

    /// What comes back.
    fn answer(mut self) -> Result<Value> {
        let mut reply = String::new();
        self.0.stdout.take().context("no output")?.read_to_string(&mut reply)?;
        Ok(serde_json::from_str(reply.split_once("\r\n\r\n").context("no answer")?.1)?)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ask(server: &Headless, question: &Value) -> Result<Asking> {
    Asking::start(server, "/v1/questions", question)
}

fn question(text: &str, multiple: bool) -> Value {
    let choices = json!([{ "label": "PostgreSQL", "description": "As in production." }, { "label": "SQLite" }]);
    json!({ "question": text, "choices": choices, "multiple": multiple, "custom_label": "Another one" })
}

#[test]
fn questions_are_answered_where_they_are_shown() -> Result<()> {
    let server = Headless::start("")?;
    let watch = Watch::start(&server)?;
    watch.wait_for("Nothing waits for you.")?;

    let asked = ask(&server, &question("Which database?", false))?;
    watch.wait_for("Question from")?;
    watch.wait_for("1-2 choose  t write  d decline")?;
    watch.wait_for_keys()?;
    // Enter alone answers nothing; a number is sent by Enter.
    watch.press(&["Enter", "2"])?;
    watch.wait_for("› 2▏")?;
    watch.press(&["Enter"])?;
    let body = asked.answer()?;
    ensure!(body["status"] == "answered" && body["selected"] == json!(["SQLite"]), "{body}");
    watch.wait_for("Nothing waits for you.")?;
    watch.wait_for("Answered.")?;

    let asked = ask(&server, &question("Which ones?", true))?;
    watch.wait_for("Question from")?;
    watch.wait_for_keys()?;
    watch.press(&["1", ",", "9", "Enter"])?;
    watch.wait_for("Type the numbers of choices that are shown")?;
    watch.press(&["BSpace", "2", "Enter"])?;
    let body = asked.answer()?;
    ensure!(body["selected"] == json!(["PostgreSQL", "SQLite"]), "{body}");
    watch.wait_for("Nothing waits for you.")?;

    let asked = ask(&server, &question("And in your words?", false))?;
    watch.wait_for("Question from")?;
    watch.wait_for_keys()?;
    watch.press(&["t"])?;
    watch.wait_for("Your answer. Enter answers, Esc goes back.")?;
    watch.type_text("the größer one")?;
    watch.press(&["Enter"])?;
    let body = asked.answer()?;
    ensure!(body["custom"] == "the größer one", "{body}");
    watch.wait_for("Nothing waits for you.")?;

    let asked = ask(&server, &question("Not this one?", false))?;
    watch.wait_for("Question from")?;
    watch.wait_for_keys()?;
    watch.press(&["r"])?;
    watch.wait_for("Decline. Why?")?;
    watch.type_text("ask me tomorrow")?;
    watch.press(&["Enter"])?;
    let body = asked.answer()?;
    ensure!(body["status"] == "declined" && body["reason"] == "ask me tomorrow", "{body}");
    watch.wait_for("Declined.")
}

#[test]
fn a_question_waits_among_requests_and_goes_when_its_requester_goes() -> Result<()> {
    let server = Headless::start("")?;
    let requester = server.requester()?;
    let call = json!({ "tool": "edit", "arguments": { "path": "notes.md" } });
    let pending = Asking::start(&server, "/v1/approvals?wait=0", &call)?.answer()?;
    let id = pending["id"].as_str().context("no id")?.to_owned();
    let asked = ask(&server, &question("Which database?", false))?;
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
