//! A full disk, a log that somebody has changed, and everything from one agent denied at once: the programs as they
//! are run.

#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};
use handraise_tests::api::Client;
use handraise_tests::binaries;
use handraise_tests::headless::{Headless, Started, folder_flags};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Runs a server whose data folder is a disk of its own, and fills it when it is told to.
const ON_A_SMALL_DISK: &str = r#"
data=$1; shift
mount -t tmpfs -o size=4m,mode=700 tmpfs "$data" || exit 9
"$@" </dev/null &
server=$!
while read -r order; do
  case $order in
    fill) cat /dev/zero > "$data/filler" 2>/dev/null; echo done ;;
    free) rm "$data/filler"; echo done ;;
  esac
done
kill "$server"; wait "$server"
"#;

/// Changes an entry behind the log's back, as a program of the same user can.
const TAMPER: &str = r#"
import sqlite3, sys
log = sqlite3.connect(sys.argv[1])
log.executescript("DROP TRIGGER log_is_not_changed")
changed = log.execute("UPDATE log SET entry = replace(entry, 'kind', 'mind') WHERE seq = 5")
log.commit()
sys.exit(changed.rowcount != 1)
"#;

/// A server on a small disk.
struct SmallDisk {
    shell: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    address: String,
    folder: TempDir,
}

impl SmallDisk {
    fn start() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let data = folder.path().join("data");
        std::fs::create_dir(&data)?;
        let mut shell = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_A_SMALL_DISK, "sh"])
            .arg(&data)
            .arg(binaries::handraise()?)
            .args(folder_flags(folder.path()))
            .args(["serve", "--port", "0", "--approver-token-file"])
            .arg(folder.path().join("approver.token"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let orders = shell.stdin.take();
        let mut answers = BufReader::new(shell.stdout.take().context("no output")?);
        let mut line = String::new();
        answers.read_line(&mut line)?;
        let started: Started = serde_json::from_str(&line).with_context(|| format!("first line: {line:?}"))?;
        Ok(Self { shell, orders, answers, address: started.address, folder })
    }

    fn order(&mut self, order: &str) -> Result<()> {
        writeln!(self.orders.as_mut().context("it has ended")?, "{order}")?;
        let mut line = String::new();
        while line.trim() != "done" {
            line.clear();
            ensure!(self.answers.read_line(&mut line)? > 0 && line.trim() != "failed", "`{order}` failed");
        }
        Ok(())
    }

    fn client(&self, token: &str) -> Result<Client> {
        Ok(Client::new(&self.address, &std::fs::read_to_string(self.folder.path().join(token))?))
    }

    fn requester(&self) -> Result<Client> {
        self.client("config/tokens/default.token")
    }

    /// What the server says about itself, once it says `status`.
    fn health(&self, status: &str) -> Result<Value> {
        let begin = std::time::Instant::now();
        loop {
            let health = self.requester()?.call("GET", "/v1/health", None)?.body;
            if health["status"] == status {
                return Ok(health);
            }
            ensure!(begin.elapsed().as_secs() < 60, "{health}");
            std::thread::yield_now();
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // The shell ends the server when nobody gives orders any more.
        self.orders = None;
        let _ = self.shell.wait();
    }
}

fn look() -> Value {
    json!({ "tool": "look", "arguments": { "text": "x".repeat(20_000) }, "risk": "read_only" })
}

#[test]
fn a_full_disk_is_told_and_nothing_is_approved_until_there_is_room() -> Result<()> {
    let mut disk = SmallDisk::start()?;
    let data = disk.folder.path().join("data").display().to_string();
    let requester = disk.requester()?;
    ensure!(requester.call("POST", "/v1/approvals", Some(&look()))?.body["status"] == "approved", "with room");
    let words = "The disk is full.";
    disk.order("fill")?;
    // Before anything was asked.
    let told = disk.health("cannot_record")?;
    ensure!(told["problem"].as_str().is_some_and(|problem| problem.starts_with(words)), "{told}");
    let doctor = Command::new(binaries::handraise()?).arg("doctor").args(folder_flags(disk.folder.path())).output()?;
    let doctor = String::from_utf8_lossy(&doctor.stdout).into_owned();
    let server = doctor.lines().find(|line| line.contains("  server  ")).unwrap_or_default();
    ensure!(server.starts_with("WRONG") && server.contains(&data) && server.contains(words), "{doctor}");
    let mut refused = requester.call("POST", "/v1/approvals", Some(&look()))?;
    for _ in 0..50 {
        // What is left in the last blocks can take a few entries more.
        if refused.status != 200 {
            break;
        }
        refused = requester.call("POST", "/v1/approvals", Some(&look()))?;
    }
    ensure!(refused.status == 503 && refused.body["code"] == "audit_unavailable", "{refused:?}");
    let detail = refused.body["detail"].as_str().unwrap_or_default();
    ensure!(detail.contains(&data), "the folder is not named: {detail}");
    let asked = json!({ "tool": "edit", "arguments": { "text": "x".repeat(20_000) } });
    let asked = requester.call("POST", "/v1/approvals?wait=0", Some(&asked))?;
    ensure!(asked.status == 503, "{asked:?}");
    disk.order("free")?;
    disk.health("ok")?;
    let again = requester.call("POST", "/v1/approvals", Some(&look()))?;
    ensure!(again.body["status"] == "approved", "{again:?}");
    Ok(())
}

fn handraise(folder: &TempDir, arguments: &[&str]) -> Result<(Option<i32>, String, String)> {
    let output = Command::new(binaries::handraise()?).args(folder_flags(folder.path())).args(arguments).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((output.status.code(), text(&output.stdout), text(&output.stderr)))
}

#[test]
fn audit_verify_tells_a_whole_log_from_a_changed_one() -> Result<()> {
    let server = Headless::start("")?;
    let requester = server.requester()?;
    for _ in 0..20 {
        requester.call("POST", "/v1/approvals", Some(&look()))?;
    }
    let (code, said, _) = handraise(&server.folder, &["audit", "verify"])?;
    ensure!(code == Some(0) && said.starts_with("The audit log is whole: "), "while it runs: {code:?} {said}");
    let (_, report, _) = handraise(&server.folder, &["audit", "verify", "--json"])?;
    let report: Value = serde_json::from_str(&report)?;
    let known = format!("{}:{}", report["end"]["seq"], report["end"]["hash"].as_str().context("no hash")?);
    for (format, begins) in [
        ("jsonl", "{\"seq\":1,"),
        ("csv", "seq,at,"),
        ("cloudevents", "{\"specversion\":\"1.0\""),
        ("otlp", "{\"resourceSpans\""),
    ] {
        let (code, said, _) = handraise(&server.folder, &["audit", "export", "--format", format])?;
        ensure!(code == Some(0) && said.starts_with(begins), "{format}: {code:?} {said}");
    }
    let folder = server.end()?;
    let (code, said, _) = handraise(&folder, &["audit", "verify", "--known", &known])?;
    ensure!(code == Some(0) && said.contains("goes on from the end that was noted"), "at rest: {code:?} {said}");

    let database = folder.path().join("data/audit.sqlite3");
    let tampered = Command::new("python3").args(["-c", TAMPER]).arg(&database).status()?;
    ensure!(tampered.success(), "the log was not changed");
    let (code, said, _) = handraise(&folder, &["audit", "verify"])?;
    ensure!(code == Some(1) && said.contains("NOT whole") && said.contains("was changed"), "{code:?} {said}");
    let (code, report, _) = handraise(&folder, &["audit", "verify", "--json"])?;
    let report: Value = serde_json::from_str(&report)?;
    ensure!(code == Some(1) && report["whole"] == false && report["findings"][0]["kind"] == "changed", "{report}");
    let (code, said, complaint) = handraise(&folder, &["audit", "export", "--format", "jsonl"])?;
    ensure!(
        code == Some(1) && said.contains("\"whole\":false") && complaint.contains("NOT whole"),
        "{code:?} {complaint}"
    );

    // The server begins a new one and keeps the old.
    let server = Headless::start_in(folder)?;
    let (code, said, _) = handraise(&server.folder, &["audit", "verify"])?;
    ensure!(code == Some(0) && said.contains("Set aside beside it: audit.damaged-"), "{code:?} {said}");
    let folder = server.kill()?;
    for name in ["audit.sqlite3", "audit.sqlite3-wal", "audit.sqlite3-shm"] {
        // Not all of them are there.
        let _ = std::fs::remove_file(folder.path().join("data").join(name));
    }
    let (code, _, complaint) = handraise(&folder, &["audit", "verify"])?;
    ensure!(code == Some(2) && complaint.contains("there is no audit log"), "{code:?} {complaint}");
    let (code, ..) = handraise(&folder, &["audit", "verify", "--known", "nonsense"])?;
    ensure!(code == Some(2), "{code:?}");
    Ok(())
}

#[test]
fn everything_from_one_agent_is_denied_with_one_command() -> Result<()> {
    let server = Headless::start("")?;
    // Each asks by a program of its own: this one starts the command that denies.
    for (number, agent) in ["loud", "loud", "quiet"].into_iter().enumerate() {
        let arguments = json!({ "n": number }).to_string();
        // `timeout` is no shell: it is the agent, and this program is not.
        let asked = Command::new("timeout")
            .arg("60")
            .arg(binaries::handraise()?)
            .args(folder_flags(server.folder.path()))
            .args(["ask", "--tool", "edit", "--arguments", &arguments, "--agent", agent, "--no-wait"])
            .status()?;
        ensure!(asked.code() == Some(3), "{asked}");
    }
    let token = server.folder.path().join("approver.token");
    let token = token.to_str().context("no text")?;
    let deny = |agent| handraise(&server.folder, &["deny", "--agent", agent, "--all", "--token-file", token]);
    let (code, said, complaint) = deny("loud")?;
    ensure!(code == Some(0) && said.trim() == "Denied all 2 calls that waited from loud.", "{said}{complaint}");
    let open = server.approver()?.call("GET", "/v1/approvals", None)?;
    ensure!(open.body["approvals"].as_array().is_some_and(|open| open.len() == 1), "{open:?}");
    let (code, _, complaint) = deny("nobody")?;
    ensure!(code == Some(1) && complaint.contains("nothing waits from nobody"), "{complaint}");
    Ok(())
}
