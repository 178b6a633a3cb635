//! What a call costs that the policy answers, alone and beside a flood: three connections of another requester that
//! send the most expensive calls that are taken, as fast as they are answered. And what memory is left of the flood.
//!
//! Run by `make bench`, with the program as it is released. Fails when a call takes more than [`LIMIT`] times as long
//! beside the flood as it does alone in the same run, or when more than [`MEMORY`] is kept.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::api::Client;
use handraise_tests::headless::Headless;
use serde_json::{Value, json};

/// How many times longer a call may take beside the flood.
const LIMIT: f64 = 40.0;
/// MiB that the server may hold when the flood is over.
const MEMORY: f64 = 150.0;
/// Calls that are measured; the median counts.
const CALLS: usize = 200;
/// Connections that flood.
const CONNECTIONS: usize = 3;
/// Values in the arguments of each of their calls: nearly as many as are taken.
const VALUES: usize = 1_990;
/// Text in each of these: together nearly the largest body.
const TEXT: usize = 400;

const POLICY: &str = "version = 1\nrule = [{ pattern = \"look\", action = \"allow\" }, \
                      { pattern = \"flood\", action = \"allow\" }]\n";

fn main() -> Result<ExitCode> {
    let server = Headless::start(POLICY)?;
    let quiet = Client::new(&server.started.address, &server.requester_token("claude-code")?);
    let loud = server.requester()?;
    let looks = json!({ "tool": "look", "arguments": {} });
    let large: Value =
        json!({ "tool": "flood", "arguments": { "list": vec!["/tmp/a path ".repeat(TEXT / 12); VALUES] } });
    median(&quiet, &looks)?;
    let before = resident(server.pid())?;
    let alone = median(&quiet, &looks)?;

    let (stop, answered, refused) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let beside = std::thread::scope(|scope| {
        let flood = || -> Result<()> {
            while !stop.load(Ordering::Relaxed) {
                let reply = loud.call("POST", "/v1/approvals?wait=0", Some(&large))?;
                match reply.status {
                    200 | 202 => answered.fetch_add(1, Ordering::Relaxed),
                    429 => refused.fetch_add(1, Ordering::Relaxed),
                    status => anyhow::bail!("the flood was answered with {status}: {:?}", reply.body),
                };
            }
            Ok(())
        };
        let floods: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(flood)).collect();
        let beside = median(&quiet, &looks);
        stop.store(true, Ordering::Relaxed);
        for flood in floods {
            flood.join().map_err(|_| anyhow::anyhow!("a flooding connection panicked"))??;
        }
        beside
    })?;
    let after = resident(server.pid())?;
    let ratio = beside.as_secs_f64() / alone.as_secs_f64();
    println!(
        "a call alone: {:.2} ms; beside a flood: {:.2} ms, {ratio:.1} times (limit: {LIMIT}; medians of {CALLS})",
        alone.as_secs_f64() * 1e3,
        beside.as_secs_f64() * 1e3
    );
    println!(
        "of the flood {} calls were answered and {} refused; the server held {before:.0} MiB before and {after:.0} MiB \
         after (limit: {MEMORY})",
        answered.load(Ordering::Relaxed),
        refused.load(Ordering::Relaxed)
    );
    let is_fine = ratio <= LIMIT && after <= MEMORY;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn median(client: &Client, call: &Value) -> Result<Duration> {
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let begin = Instant::now();
        let reply = client.call("POST", "/v1/approvals", Some(call))?;
        times.push(begin.elapsed());
        ensure!(reply.body.get("status").is_some_and(|status| status == "approved"), "{reply:?}");
    }
    times.sort();
    times.get(CALLS / 2).copied().context("nothing was measured")
}

/// Resident memory of a process in MiB, from `/proc/PID/status`.
fn resident(pid: u32) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kibibytes: f64 = line.trim().trim_end_matches(" kB").trim().parse()?;
    Ok(kibibytes / 1024.0)
}
