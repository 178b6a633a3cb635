//! The built tray application on a private desktop, with all that it keeps in the desktop's home.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::desktop::{Automation, Desktop, DesktopProcess};
use crate::{api, binaries, headless};

/// Starts the application; it listens a little later.
///
/// # Errors
/// When it has not been built.
pub fn start(desktop: &Desktop, automation: &Automation) -> Result<DesktopProcess> {
    start_with(desktop, automation, &[])
}

/// The same with more flags.
///
/// # Errors
/// When it has not been built.
pub fn start_with(desktop: &Desktop, automation: &Automation, flags: &[&str]) -> Result<DesktopProcess> {
    let mut command = Command::new(binaries::desktop()?);
    command
        .args(headless::folder_flags(&desktop.home()))
        .arg("--agents-home")
        .arg(agents_home(desktop))
        .arg("--autostart-dir")
        .arg(desktop.home().join("autostart"))
        .args(["--port", "0", "--webdriver", "--confirm-policy"])
        .args(flags)
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

/// Installs desktop entry and icon as the packages do (`src-tauri/desktop-entry.hbs`), so that the desktop knows the
/// application by its name.
///
/// # Errors
/// When they cannot be written.
pub fn install(desktop: &Desktop) -> Result<()> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let data = desktop.home().join(".local/share");
    let entry = std::fs::read_to_string(source.join("src-tauri/desktop-entry.hbs"))?;
    let entry: String = entry
        .lines()
        .filter(|line| !line.contains("comment}}") && !line.starts_with("{{"))
        .fold(String::new(), |entry, line| entry + line + "\n");
    let program = binaries::desktop()?;
    let entry = entry.replace("{{name}}", "Handraise").replace("{{icon}}", "handraise-desktop");
    let entry = entry.replace("{{categories}}", "Development;").replace("{{exec}}", &program.to_string_lossy());
    anyhow::ensure!(!entry.contains("{{"), "the template of the desktop entry has something new: {entry}");
    put(&data.join("applications/Handraise.desktop"), entry.as_bytes())?;
    for (size, file) in [("32x32", "32x32.png"), ("128x128", "128x128.png")] {
        let icon = std::fs::read(source.join("icons").join(file))?;
        put(&data.join(format!("icons/hicolor/{size}/apps/handraise-desktop.png")), &icon)?;
    }
    Ok(())
}

fn put(path: &Path, content: &[u8]) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("no folder")?)?;
    Ok(std::fs::write(path, content)?)
}
