//! The built programs, from the same build as the test that uses them.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

/// `handraise`: command line, headless server.
///
/// # Errors
/// When it has not been built (`cargo build --workspace`).
pub fn handraise() -> Result<PathBuf> {
    built("handraise")
}

/// `handraise-hook`: the hook shim alone.
///
/// # Errors
/// When it has not been built (`cargo build --workspace`).
pub fn handraise_hook() -> Result<PathBuf> {
    built("handraise-hook")
}

/// `handraise-desktop`: the tray application.
///
/// # Errors
/// When it has not been built (`cargo build --workspace`).
pub fn desktop() -> Result<PathBuf> {
    built("handraise-desktop")
}

/// `empty_tray`: an application with a tray icon that does nothing (`src-tauri/examples`).
///
/// # Errors
/// When it has not been built (`cargo build --example empty_tray`).
pub fn empty_tray() -> Result<PathBuf> {
    built("examples/empty_tray")
}

fn built(name: &str) -> Result<PathBuf> {
    // A test is target/PROFILE/deps/NAME-HASH.
    let test = std::env::current_exe()?;
    let profile = test.parent().and_then(|deps| deps.parent()).context("the test is in no target folder")?;
    let path = profile.join(name);
    ensure!(path.exists(), "{} is missing; run `cargo build --workspace` first", path.display());
    Ok(path)
}
