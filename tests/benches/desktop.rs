//! Speed and memory of the installed application, on a private desktop. Each figure stands beside
//! something measured in the same run, since absolute times say more about the machine.
//!
//! Run by `make bench`, with the programs as they are released.

#![expect(clippy::indexing_slicing, reason = "a bench fails by panicking")]

use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use handraise_tests::desktop::{Automation, Desktop, DesktopProcess, Options, PATIENCE, wait_until};
use handraise_tests::{api, application};
use serde_json::json;

/// Title of the prompt window.
const PROMPT_TITLE: &str = "Handraise";
/// Settings with which the prompt window opens with every request.
const ALWAYS: &str = r#"{"version":1,"settings":{"start_at_login":false,"start_at_login_asked":true,"notifications":true,
    "prompt_window":"always","appearance":"system"}}"#;
/// Times that each thing is measured; the median counts.
const RUNS: usize = 7;

#[tokio::main]
async fn main() -> Result<()> {
    let desktop = Desktop::start(Options::default()).await?;
    let automation = Automation::new()?;
    start(&desktop, &automation).await?;
    let app = Running::start(&desktop, &automation).await?;
    memory(&app)?;
    notification(&desktop, &app).await?;
    drop(app);
    prompt(&desktop, &automation).await
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
}

fn median(mut times: Vec<Duration>) -> Result<Duration> {
    times.sort();
    times.get(times.len() / 2).copied().context("nothing was measured")
}

fn print(what: &str, time: Duration, floor_name: &str, floor: Duration) {
    let ratio = time.as_secs_f64() / floor.as_secs_f64().max(1e-6);
    println!(
        "{what}: {:.1} ms (median of {RUNS}); {floor_name}: {:.1} ms; {ratio:.1} times",
        time.as_secs_f64() * 1e3,
        floor.as_secs_f64() * 1e3,
    );
}

/// From the start of the process to the first answer of /v1/health, beside `xdotool version`, a
/// program that is linked with X11 and does nothing.
async fn start(desktop: &Desktop, automation: &Automation) -> Result<()> {
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
    print("start to listening", median(times)?, "a program that only starts", median(floors)?);
    Ok(())
}

/// Proportional set size of the application without a window, beside the panel that shows its icon.
fn memory(app: &Running) -> Result<()> {
    let own = proportional_mebibytes(app.process.id())?;
    let mut panel = None;
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let name = std::fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        if name.trim() == "xfce4-panel" {
            panel = entry.file_name().to_str().and_then(|pid| pid.parse().ok());
        }
    }
    let panel = proportional_mebibytes(panel.context("no panel")?)?;
    println!("memory without a window: {own:.1} MiB (PSS); xfce4-panel: {panel:.1} MiB; {:.1} times", own / panel);
    Ok(())
}

fn proportional_mebibytes(pid: u32) -> Result<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("no PSS")?;
    let kibibytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kibibytes / 1024.0)
}

/// From sending a request to the `Notify` call on the session bus, beside a `Notify` call that is
/// made directly.
async fn notification(desktop: &Desktop, app: &Running) -> Result<()> {
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
    print("request to notification", median(times)?, "a notification sent directly", median(floors)?);
    Ok(())
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

/// From sending a request to the first paint of its prompt window, which is set to open with every
/// request; beside the page's own share of that. The rest is the start of WebKit's web process.
async fn prompt(desktop: &Desktop, automation: &Automation) -> Result<()> {
    let settings = desktop.home().join("data/settings.json");
    std::fs::write(&settings, ALWAYS)?;
    std::fs::set_permissions(&settings, std::fs::Permissions::from_mode(0o600))?;
    let app = Running::start(desktop, automation).await?;
    let (mut times, mut pages) = (Vec::new(), Vec::new());
    for number in 0..RUNS {
        let begin = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let asked = app.ask(1000 + number)?;
        let web = automation.attach(desktop).await?;
        web.goto("prompt").await?;
        web.find("[data-testid=prompt-card]").await?;
        let script = "const paint = performance.getEntriesByName('first-contentful-paint')[0]; \
                      return paint ? [Date.now() - performance.now(), paint.startTime] : null";
        let found = wait_until("the first paint", PATIENCE, async || {
            let found = web.execute(script, vec![]).await?;
            Ok((!found.is_null()).then_some(found))
        })
        .await?;
        let milliseconds = |index: usize| found[index].as_f64().context("no time");
        let page = Duration::from_secs_f64(milliseconds(1)? / 1e3);
        let painted = Duration::from_secs_f64(milliseconds(0)? / 1e3) + page;
        times.push(painted.checked_sub(begin).context("the window of the request before is still there")?);
        pages.push(page);
        drop(web);
        // It is painted before it is shown.
        wait_until("the prompt window", PATIENCE, async || Ok(desktop.window(PROMPT_TITLE).ok())).await?;
        drop(asked);
        // It goes away by itself, a while after its last request.
        wait_until("the prompt window to close", PATIENCE, async || desktop.no_window(PROMPT_TITLE).map(Some)).await?;
    }
    print("request to painted prompt", median(times)?, "the page itself", median(pages)?);
    Ok(())
}
