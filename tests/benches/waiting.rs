//! What a call costs that the policy answers: alone, beside a thousand requests that wait for a person, and beside
//! calls about a folder on a file system that never answers.
//!
//! Run by `make bench`, with the program as it is released. Fails when a call takes more than [`LIMIT`] times as long as
//! alone in the same run.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::api::Client;
use handraise_tests::headless::Headless;
use serde_json::{Value, json};

/// How many times longer a call may take.
const LIMIT: f64 = 4.0;
/// Calls that are measured; the median counts.
const CALLS: usize = 200;
/// Who has requests waiting, and how many each: as many as may wait at once.
const ASKERS: [&str; 4] = ["codex", "gemini-cli", "qwen-code", "copilot-cli"];
const EACH: usize = 250;
/// Requests of one session.
const OF_SESSION: usize = 50;
/// Connections that ask about the folder that does not answer.
const STUCK_CONNECTIONS: usize = 3;

const POLICY: &str = "version = 1\nrule = [{ pattern = \"look\", action = \"allow\" }, \
                      { pattern = \"stuck\", action = \"allow\" }]\n";

/// Where such a folder is, in the run that has one.
const STUCK: &str = "HANDRAISE_BENCH_STUCK_FOLDER";
/// A FUSE device that nobody serves (fuse(4), mount(8)); 80: that is not to be had here.
const ON_A_STUCK_FOLDER: &str = r#"
exec 3<>/dev/fuse || exit 80
mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 stuck "$0" || exit 80
exec "$@"
"#;

fn main() -> Result<ExitCode> {
    if let Some(folder) = std::env::var_os(STUCK) {
        return beside_a_stuck_folder(&PathBuf::from(folder));
    }
    let waiting = beside_a_thousand()?;
    let folder = tempfile::tempdir()?;
    let stuck = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_A_STUCK_FOLDER])
        .arg(folder.path())
        .arg(std::env::current_exe()?)
        .env(STUCK, folder.path())
        .status()?;
    if [Some(1), Some(80)].contains(&stuck.code()) {
        println!("beside a stuck folder: not measured, since it takes user namespaces and /dev/fuse");
        return Ok(exit(waiting));
    }
    Ok(exit(waiting && stuck.success()))
}

fn exit(is_fine: bool) -> ExitCode {
    // 2: `unshare` itself ends with 1.
    if is_fine { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

fn beside_a_thousand() -> Result<bool> {
    let server = Headless::start(POLICY)?;
    let quiet = Client::new(&server.started.address, &server.requester_token("claude-code")?);
    median(&quiet)?;
    let alone = median(&quiet)?;
    let mut waiting = 0;
    for name in ASKERS {
        let asker = Client::new(&server.started.address, &server.requester_token(name)?);
        for number in 0..EACH {
            let session = format!("session {}", number / OF_SESSION);
            let call = json!({ "tool": "edit", "arguments": { "number": number }, "session": session });
            let reply = asker.call("POST", "/v1/approvals?wait=0", Some(&call))?;
            ensure!(reply.status == 202, "{name} {number}: {reply:?}");
            waiting += 1;
        }
    }
    let beside = median(&quiet)?;
    Ok(told(&format!("beside {waiting} that wait"), alone, beside))
}

fn beside_a_stuck_folder(folder: &Path) -> Result<ExitCode> {
    let server = Headless::start(POLICY)?;
    let quiet = Client::new(&server.started.address, &server.requester_token("claude-code")?);
    let asker = server.requester()?;
    median(&quiet)?;
    let alone = median(&quiet)?;
    let (stop, asked) = (AtomicBool::new(false), AtomicU64::new(0));
    let beside = std::thread::scope(|scope| {
        let asks = || -> Result<()> {
            while !stop.load(Ordering::Relaxed) {
                let call = json!({ "tool": "stuck", "arguments": { "path": "x" }, "cwd": folder });
                let reply = asker.call("POST", "/v1/approvals?wait=0", Some(&call))?;
                ensure!([202, 429].contains(&reply.status), "{reply:?}");
                asked.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        };
        let connections: Vec<_> = (0..STUCK_CONNECTIONS).map(|_| scope.spawn(asks)).collect();
        let beside = median(&quiet);
        stop.store(true, Ordering::Relaxed);
        for connection in connections {
            connection.join().map_err(|_| anyhow::anyhow!("a connection panicked"))??;
        }
        beside
    })?;
    let what = format!("beside {} calls about a folder that never answers", asked.load(Ordering::Relaxed));
    Ok(exit(told(&what, alone, beside)))
}

/// Says what was measured; whether it is within the limit.
fn told(what: &str, alone: Duration, beside: Duration) -> bool {
    let ratio = beside.as_secs_f64() / alone.as_secs_f64();
    println!(
        "a call alone: {:.2} ms; {what}: {:.2} ms, {ratio:.1} times (limit: {LIMIT}; medians of {CALLS})",
        alone.as_secs_f64() * 1e3,
        beside.as_secs_f64() * 1e3
    );
    ratio <= LIMIT
}

fn median(client: &Client) -> Result<Duration> {
    let looks: Value = json!({ "tool": "look", "arguments": {} });
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let begin = Instant::now();
        let reply = client.call("POST", "/v1/approvals", Some(&looks))?;
        times.push(begin.elapsed());
        ensure!(reply.body.get("status").is_some_and(|status| status == "approved"), "{reply:?}");
    }
    times.sort();
    times.get(CALLS / 2).copied().context("nothing was measured")
}
