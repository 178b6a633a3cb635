//! The WebDriver against a browser of WebKitGTK in place of the app.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use handraise_tests::desktop::{Automation, Desktop, Options};

use super::picture;

/// Says that it is the window "settings", the way Tauri's own script does.
const PAGE: &str = r#"<!doctype html>
<script>window.__TAURI_INTERNALS__ = { metadata: { currentWindow: { label: "settings" } } }</script>
<h1>Not yet</h1>
<input>
<button onclick="document.querySelector('h1').textContent = 'Hello ' + document.querySelector('input').value">Go</button>
"#;

#[tokio::test]
async fn a_page_is_found_by_its_label_clicked_read_and_photographed() -> Result<()> {
    let desktop =
        Desktop::start(Options { tray_host: false, notification_server: false, ..Options::default() }).await?;
    let page = desktop.home().join("page.html");
    std::fs::write(&page, PAGE)?;
    let automation = Automation::new()?;
    let mut browser = Command::new("sh");
    browser.args(["-c", r#"sleep 0.5; exec "$@""#, "sh"]).arg(browser_program()?).arg("--automation");
    let _browser = desktop.spawn(browser.envs(automation.environment()))?;

    let driver = automation.attach(&desktop).await?;
    driver.client.goto(&format!("file://{}", page.display())).await?;
    driver.goto("settings").await?;
    assert_eq!(driver.labels().await?, ["settings"]);
    driver.goto("settings").await?;
    driver.fill("input", "you").await?;
    driver.click("button").await?;
    assert_eq!(driver.wait_for_text("h1", |text| text != "Not yet").await?, "Hello you");
    assert_eq!(driver.text("button").await?, "Go");
    assert_eq!(driver.execute("return 1 + arguments[0]", vec![2.into()]).await?, 3);
    driver.screenshot(&picture("page.png")).await?;
    assert!(std::fs::read(picture("page.png"))?.starts_with(b"\x89PNG"));
    Ok(())
}

/// The little browser that comes with the library; its folder carries the machine's architecture in its name.
fn browser_program() -> Result<PathBuf> {
    let libraries = std::fs::read_dir(Path::new("/usr/lib"))?.flatten();
    let mut programs = libraries.map(|entry| entry.path().join("webkit2gtk-4.1/MiniBrowser"));
    programs.find(|program| program.is_file()).context("libwebkit2gtk-4.1-0 has no MiniBrowser")
}
