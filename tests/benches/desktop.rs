//! Speed and memory of the installed application, on a private desktop. Each figure stands beside
//! something measured in the same run, since absolute times say more about the machine, and beside its bound.
//!
//! Run by `make bench`, with the programs as they are released. Fails when a figure is over its bound.

#![expect(clippy::indexing_slicing, reason = "a bench fails by panicking")]

#[path = "desktop/memory.rs"]
mod memory;
#[path = "desktop/window.rs"]
mod window;

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use handraise_tests::desktop::{Automation, Desktop, DesktopProcess, Options, PATIENCE, wait_until};
use handraise_tests::{api, application};
use serde_json::json;

/// Settings with which the prompt window opens with every request.
const ALWAYS: &str = r#"{"version":1,"settings":{"start_at_login":false,"start_at_login_asked":true,"notifications":true,
    "prompt_window":"always","appearance":"system"}}"#;
/// The same, and each of its windows is built for it.
const NEVER_READY: &str = r#"{"version":1,"settings":{"start_at_login":false,"start_at_login_asked":true,"notifications":true,
    "prompt_window":"always","keep_prompt_ready":"off","appearance":"system"}}"#;
/// Requests wait as long as the bench takes.
const POLICY: &str = "version = 1\ntimeout = \"1h\"\n";
/// Times that each thing is measured; the median counts.
const RUNS: usize = 7;
/// What a person takes for at once (Nielsen, "Response Times: The 3 Important Limits").
const AT_ONCE: Duration = Duration::from_millis(100);
/// What does not break off a thought (the same).
const A_MOMENT: Duration = Duration::from_secs(1);
/// Who asks when a thousand wait, and how many requests each: as many as may.
const ASKERS: [&str; 4] = ["codex", "gemini-cli", "qwen-code", "copilot-cli"];
const EACH: usize = 250;
const OF_SESSION: usize = 50;

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let desktop = Desktop::start(Options::default()).await?;
    let automation = Automation::new()?;
    put(&desktop, "config/policy.toml", POLICY)?;
    let mut fine = start(&desktop, &automation).await?;
    let app = Running::start(&desktop, &automation).await?;
    fine &= memory::idle(&desktop, &app).await?;
    fine &= notification(&desktop, &app).await?;
    drop(app);
    put(&desktop, "data/settings.json", NEVER_READY)?;
    fine &= window::cold(&desktop, &automation).await?;
    put(&desktop, "data/settings.json", ALWAYS)?;
    fine &= window::ready(&desktop, &automation).await?;
    fine &= window::warm(&desktop, &automation).await?;
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn put(desktop: &Desktop, path: &str, content: &str) -> Result<()> {
    let path = desktop.home().join(path);
    std::fs::create_dir_all(path.parent().context("no folder")?)?;
    std::fs::write(&path, content)?;
    Ok(std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?)
}

/// The application and a client of it.
struct Running {
    process: DesktopProcess,
    client: api::Client,
}

impl Running {
    async fn start(desktop: &Desktop, automation: &Automation) -> Result<Self> {
        // What an earlier run left names a place where nobody answers.
        std::fs::remove_file(desktop.home().join("run/endpoint.json")).ok();
        let process = application::start(desktop, automation)?;
        let client = wait_until("the application to listen", PATIENCE, async || {
            Ok(Some(application::requester(desktop, "default")?))
        })
        .await?;
        Ok(Self { process, client })
    }

    /// A call that asks; closing the connection withdraws it.
    fn ask(&self, number: usize) -> Result<std::net::TcpStream> {
        let call = json!({ "tool": "edit", "arguments": { "number": number } });
        self.client.open("POST", "/v1/approvals", Some(&call))
    }

    /// Has a thousand wait.
    fn ask_a_thousand(&self, desktop: &Desktop) -> Result<()> {
        for name in ASKERS {
            let asker = application::requester(desktop, name)?;
            for number in 0..EACH {
                let session = format!("session {}", number / OF_SESSION);
                let call = json!({ "tool": "edit", "arguments": { "number": number }, "session": session });
                let reply = asker.call("POST", "/v1/approvals?wait=0", Some(&call))?;
                anyhow::ensure!(reply.status == 202, "{name} {number}: {reply:?}");
            }
        }
        Ok(())
    }
}

fn median(mut times: Vec<Duration>) -> Result<Duration> {
    times.sort();
    times.get(times.len() / 2).copied().context("nothing was measured")
}

/// Says what was measured; whether it is within its bound.
fn told(what: &str, time: Duration, floor_name: &str, floor: Duration, bound: Duration) -> bool {
    let is_fine = time <= bound;
    println!(
        "{what}: {:.1} ms (median of {RUNS}; bound: {} ms{}); {floor_name}: {:.1} ms; {:.1} times",
        time.as_secs_f64() * 1e3,
        bound.as_millis(),
        if is_fine { "" } else { ", OVER IT" },
        floor.as_secs_f64() * 1e3,
        time.as_secs_f64() / floor.as_secs_f64().max(1e-6),
    );
    is_fine
}

/// From the start of the process to the first answer of /v1/health, beside `xdotool version`, a
/// program that is linked with X11 and does nothing.
async fn start(desktop: &Desktop, automation: &Automation) -> Result<bool> {
    let (mut times, mut floors) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let begin = Instant::now();
        desktop.run(Command::new("xdotool").arg("version"))?;
        floors.push(begin.elapsed());
        let begin = Instant::now();
        let app = Running::start(desktop, automation).await?;
        times.push(begin.elapsed());
        drop(app);
    }
    Ok(told("start to listening", median(times)?, "a program that only starts", median(floors)?, A_MOMENT))
}

/// From sending a request to the `Notify` call on the session bus, beside a `Notify` call that is
/// made directly.
async fn notification(desktop: &Desktop, app: &Running) -> Result<bool> {
    let (mut times, mut floors) = (Vec::new(), Vec::new());
    let bus = desktop.connect_to_bus().await?;
    for number in 0..RUNS {
        let seen = desktop.notifications().await?.len();
        let begin = Instant::now();
        notify(&bus, number).await?;
        floors.push(heard(desktop, seen + 1, begin).await?);

        let seen = desktop.notifications().await?.len();
        let begin = Instant::now();
        let asked = app.ask(number)?;
        times.push(heard(desktop, seen + 1, begin).await?);
        drop(asked);
    }
    Ok(told("request to notification", median(times)?, "a notification sent directly", median(floors)?, AT_ONCE))
}

async fn heard(desktop: &Desktop, count: usize, begin: Instant) -> Result<Duration> {
    while desktop.heard_notifications().len() < count {
        anyhow::ensure!(begin.elapsed() < PATIENCE, "no notification came");
        tokio::task::yield_now().await;
    }
    Ok(begin.elapsed())
}

async fn notify(bus: &zbus::Connection, number: usize) -> Result<()> {
    let hints: std::collections::HashMap<&str, zbus::zvariant::Value<'_>> = std::collections::HashMap::new();
    let summary = format!("floor {number}");
    let actions: [&str; 2] = ["default", "Details"];
    let body = ("bench", 0_u32, "", summary.as_str(), "body", &actions[..], hints, 1000_i32);
    let name = "org.freedesktop.Notifications";
    bus.call_method(Some(name), "/org/freedesktop/Notifications", Some(name), "Notify", &body).await?;
    Ok(())
}
