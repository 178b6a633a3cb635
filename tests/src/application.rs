//! The built tray application on a private desktop, with all that it keeps in the desktop's home.

use std::process::Command;

use anyhow::{Context, Result};

use crate::desktop::{Automation, Desktop, DesktopProcess};
use crate::{api, binaries, headless};

/// Starts the application; it listens a little later.
///
/// # Errors
/// When it has not been built.
pub fn start(desktop: &Desktop, automation: &Automation) -> Result<DesktopProcess> {
    let mut command = Command::new(binaries::desktop()?);
    command
        .args(headless::folder_flags(&desktop.home()))
        .arg("--agents-home")
        .arg(agents_home(desktop))
        .arg("--autostart-dir")
        .arg(desktop.home().join("autostart"))
        .args(["--port", "0", "--webdriver", "--confirm-policy"])
        .envs(automation.environment());
    let programs = agents_home(desktop).join("bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env("PATH", std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path)))?);
    desktop.spawn(&command)
}

/// The home folder that agents keep their settings in; their programs are in `bin`.
#[must_use]
pub fn agents_home(desktop: &Desktop) -> std::path::PathBuf {
    desktop.home().join("agents")
}

/// A client of the running application with the token of the requester called `name`.
///
/// # Errors
/// When the application does not answer, or there is no such requester.
pub fn requester(desktop: &Desktop, name: &str) -> Result<api::Client> {
    let home = desktop.home();
    let endpoint: serde_json::Value = serde_json::from_slice(&std::fs::read(home.join("run/endpoint.json"))?)?;
    let address = endpoint.get("address").and_then(serde_json::Value::as_str).context("no address")?;
    let token = std::fs::read_to_string(home.join(format!("config/tokens/{name}.token")))?;
    let client = api::Client::new(address, &token);
    let health = client.call("GET", "/v1/health", None)?;
    anyhow::ensure!(health.status == 200, "it does not answer: {health:?}");
    Ok(client)
}
