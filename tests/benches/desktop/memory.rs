//! Memory by state: proportional set sizes (`/proc/PID/smaps_rollup`) of the application with all its processes.

use std::process::Command;

use anyhow::{Context, Result};
use handraise_tests::binaries;
use handraise_tests::desktop::{Desktop, PATIENCE, wait_until};

use super::Running;

/// How much more than an empty application with a tray icon it may take while nothing is open.
const BOUND: f64 = 1.15;

/// Without a window and with nothing waiting, beside an empty Tauri application with a tray icon.
pub(super) async fn idle(desktop: &Desktop, app: &Running) -> Result<bool> {
    desktop.tray().await?;
    let empty = desktop.spawn(&Command::new(binaries::empty_tray()?))?;
    let seen = empty.id();
    // Two that are there: the second is the empty one's.
    wait_until("the empty application's icon", PATIENCE, async || Ok((desktop.tray_items().await? == 2).then_some(())))
        .await?;
    // Both at one moment: of a library that both have mapped, each counts half.
    let (own, floor) = (of_all(app.process.id())?, of_all(seen)?);
    let ratio = own / floor;
    let is_fine = ratio <= BOUND;
    println!(
        "memory without a window: {own:.1} MiB (PSS); an empty Tauri application with a tray icon: {floor:.1} MiB; \
         {ratio:.2} times (bound: {BOUND}{})",
        if is_fine { "" } else { ", OVER IT" }
    );
    Ok(is_fine)
}

/// Says what it takes in another state.
pub(super) fn tell(state: &str, app: &Running) -> Result<()> {
    println!("memory {state}: {:.1} MiB (PSS, all processes)", of_all(app.process.id())?);
    Ok(())
}

/// Of a process and all that it has started.
fn of_all(process: u32) -> Result<f64> {
    let mut own = own(process)?;
    for thread in std::fs::read_dir(format!("/proc/{process}/task"))?.flatten() {
        let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace() {
            // One that has just ended takes nothing.
            own += of_all(child.parse()?).unwrap_or_default();
        }
    }
    Ok(own)
}

fn own(process: u32) -> Result<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("no PSS")?;
    let kibibytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kibibytes / 1024.0)
}
