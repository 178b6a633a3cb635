//! What deciding the calls costs that agents really made, each in whole: from the call as it comes in, over its command line
//! and the files that it names, to the policy's answer.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use handraise_agents::PastCall;
use handraise_locations::Folders;
use handraise_policy::rules::PolicyDecision;
use handraise_policy::{Policy, Preset, Request};
use handraise_protocol::ApprovalRequest;
use handraise_server::DryRun;

use crate::casbin::Casbin;
use crate::cedar::Cedar;
use crate::measure::thread_microseconds;
use crate::request::now;
use crate::rules::rules;

const PACKED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/calls/real_calls.jsonl.gz");
/// Rounds over all calls, of which the median of each call counts.
const ROUNDS: usize = 5;
/// Rules of the other engines; a preset has fewer.
const RULES: usize = 100;

/// Percentiles that are told.
const PERCENTILES: [(&str, f64); 4] = [("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("worst", 1.0)];
/// What a call may cost at each of them, in microseconds.
const BOUND: Row = [100.0, f64::INFINITY, 2_000.0, 10_000.0];

/// Calls, and what decides them.
struct Calls {
    dry_run: DryRun,
    policy: Policy,
    asked: Vec<ApprovalRequest>,
    // Gone with it.
    _folders: tempfile::TempDir,
}

/// Prints the table; whether the bound is kept.
pub fn measure() -> Result<bool> {
    let calls = Calls::read()?;
    println!("\n{} calls that agents made, µs of processor time for each", calls.asked.len());
    print!("{:<44}", "");
    PERCENTILES.iter().for_each(|(name, _)| print!("{name:>12}"));
    println!();
    let whole = row("Handraise, whole: folders that do not exist", &timed(&calls.asked, |asked| calls.decide(asked))?);
    let here = calls.in_folder(Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("no folder above this one")?);
    let in_project = row("Handraise, whole: in a project", &timed(&here, |asked| calls.decide(asked))?);
    let requests = calls.asked.iter().map(|asked| calls.request(asked)).collect::<Result<Vec<_>>>()?;
    row("Handraise, decide", &timed(&requests, |request| Ok(calls.policy.decide(request, now())))?);
    let simple: Vec<Vec<(String, String)>> = requests.iter().map(simple_commands).collect();
    let rules = rules(RULES);
    let (cedar, casbin) = (Cedar::new(&rules)?, Casbin::new(&rules)?);
    row("Cedar, simple commands taken apart before", &timed::<Vec<_>, _>(&simple, |simple| cedar.passes_each(simple))?);
    row(
        "Casbin, simple commands taken apart before",
        &timed::<Vec<_>, _>(&simple, |simple| casbin.passes_each(simple))?,
    );
    let kept = [whole, in_project].iter().all(|row| row.iter().zip(BOUND).all(|(time, bound)| *time <= bound));
    println!("median below 0.1 ms, p99 below 2 ms, worst below 10 ms: {}", if kept { "PASS" } else { "FAIL" });
    Ok(kept)
}

/// Prints every answer on a line of its own, to be compared with those of another version.
pub fn print_answers() -> Result<()> {
    let mut calls = Calls::read()?;
    let here = calls.in_folder(Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("no folder above this one")?);
    for preset in [Preset::Practical, Preset::Workspace] {
        calls.policy = calls.dry_run.protect(Policy::from_preset(preset));
        for asked in calls.asked.iter().chain(&here) {
            println!("{:?}", calls.policy.explain(&calls.request(asked)?, now()));
        }
    }
    Ok(())
}

impl Calls {
    fn read() -> Result<Self> {
        let output = Command::new("gzip").args(["--decompress", "--stdout", PACKED]).output()?;
        ensure!(output.status.success(), "gzip: {}", String::from_utf8_lossy(&output.stderr));
        let calls = String::from_utf8(output.stdout)?;
        let calls = calls.lines().map(|line| Ok(serde_json::from_str::<PastCall>(line)?.with_unix_paths()));
        let calls = calls.collect::<Result<Vec<_>>>()?;
        let asked = calls.iter().filter_map(|call| call.request().transpose()).collect::<Result<Vec<_>, _>>()?;
        let root = tempfile::tempdir()?;
        let folder = |name: &str| Some(root.path().join(name));
        let dry_run = DryRun::new(&Folders::with(folder("config"), folder("data"), folder("runtime"))?);
        let policy = dry_run.protect(Policy::from_preset(Preset::Workspace));
        Ok(Self { dry_run, policy, asked, _folders: root })
    }

    /// The calls as if their agents worked in `folder`.
    fn in_folder(&self, folder: &Path) -> Vec<ApprovalRequest> {
        let folder = folder.to_str().map(str::to_owned);
        self.asked.iter().map(|asked| ApprovalRequest { cwd: folder.clone(), ..asked.clone() }).collect()
    }

    fn request(&self, asked: &ApprovalRequest) -> Result<Request> {
        self.dry_run.request(asked.clone()).map_err(|problem| anyhow::anyhow!(problem.detail))
    }

    fn decide(&self, asked: &ApprovalRequest) -> Result<(Request, PolicyDecision)> {
        let request = self.request(asked)?;
        let decision = self.policy.decide(&request, now());
        Ok((request, decision))
    }
}

/// Program and operands of each simple command, for who reads no command lines.
fn simple_commands(request: &Request) -> Vec<(String, String)> {
    let parts = request.command.iter().flat_map(|line| &line.parts);
    let simple = parts.filter_map(|part| {
        let (program, operands) = part.words.split_first()?;
        let mut text = String::new();
        for word in operands {
            // Writing to a string cannot fail.
            let _ = write!(text, "{} ", word.text);
        }
        Some((program.text.clone(), text))
    });
    simple.collect()
}

/// Microseconds of [`PERCENTILES`].
type Row = [f64; PERCENTILES.len()];

/// The time of each of `items`, the shortest first.
fn timed<Item, Done>(items: &[Item], work: impl Fn(&Item) -> Result<Done>) -> Result<Vec<f64>> {
    let mut times = vec![[0.0; ROUNDS]; items.len()];
    // What is made once, at the first use, is no call's cost.
    for item in items.iter().take(200) {
        work(item)?;
    }
    for round in 0..ROUNDS {
        for (item, times) in items.iter().zip(&mut times) {
            let (time, done) = thread_microseconds(|| work(item))?;
            done?;
            times[round] = time;
        }
    }
    let median = |times: &mut [f64; ROUNDS]| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    };
    let mut medians: Vec<f64> = times.iter_mut().map(median).collect();
    medians.sort_by(f64::total_cmp);
    Ok(medians)
}

fn row(name: &str, times: &[f64]) -> Row {
    let row = PERCENTILES.map(|(_, part)| times[((times.len() - 1) as f64 * part) as usize]);
    print!("{name:<44}");
    row.iter().for_each(|time| print!("{time:>12.1}"));
    println!();
    row
}
