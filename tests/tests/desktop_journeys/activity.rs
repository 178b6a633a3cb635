//! What has happened, looked at afterwards: found, opened, undone, made a rule of, and written to a file.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use handraise_tests::desktop::{Options, PATIENCE, WebDriver, wait_until};
use serde_json::Value;

use crate::hook::{EDIT, PUSH, of_event};
use crate::scene::{Scene, picture};

const BEFORE: &str = "const tax = 0.2;\nexport { tax };\n";
const ROWS: &str = "return document.querySelectorAll('[data-testid=activity-row]').length";

async fn wait_for_rows(web: &WebDriver, count: u32) -> Result<()> {
    let what = format!("{count} calls");
    wait_until(&what, PATIENCE, async || Ok((web.execute(ROWS, vec![]).await? == count).then_some(()))).await
}

/// Writes the calls that are listed to a file, and gives its place.
async fn export(scene: &Scene, web: &WebDriver, format: &str) -> Result<PathBuf> {
    web.click(&format!("[data-testid=activity-export-{format}]")).await?;
    let told = web.wait_for_text("[data-testid=activity-exported] .code", |text| text.ends_with(format)).await?;
    let path = PathBuf::from(told.trim());
    ensure!(path.starts_with(scene.desktop.home()), "{}", path.display());
    let mode = std::fs::metadata(&path)?.permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "others can read it");
    Ok(path)
}

#[tokio::test]
async fn a_call_of_the_past_is_found_undone_made_a_rule_of_and_exported() -> Result<()> {
    let scene = Scene::start_with(Options::default(), &[("code/shopfront/src/cart.ts", BEFORE)]).await?;
    let file = scene.desktop.home().join("code/shopfront/src/cart.ts");
    let hook = scene.ask(EDIT)?;
    assert_eq!(scene.answer(hook, "cart.ts", "Approve").await?.decision(), "allow");
    // What the agent does now.
    std::fs::write(&file, BEFORE.replace("0.2;", "0.21;"))?;
    scene.ask(&of_event(EDIT, "PostToolUse")?)?.end().await?;
    let hook = scene.ask(PUSH)?;
    assert_eq!(scene.answer(hook, "git push", "Deny").await?.decision(), "deny");

    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    web.click("[data-testid=nav-activity]").await?;
    wait_for_rows(&web, 2).await?;
    web.fill("[data-testid=activity-text]", "0.21").await?;
    wait_for_rows(&web, 1).await?;
    web.click("[data-testid=activity-open]").await?;
    web.wait_for_text("[data-testid=activity-detail]", |text| text.contains("const tax = 0.21;")).await?;
    web.find("[data-testid=activity-kept]").await?;
    web.screenshot(&picture("activity-detail.png")).await?;

    web.click("[data-testid=activity-rule-open]").await?;
    let rule = web.text("[data-testid=rule-text]").await?;
    web.click("[data-testid=activity-rule-add]").await?;
    web.find("[data-testid=activity-rule-added]").await?;
    ensure!(rule.contains("class = \"file_write\""), "{rule}");
    let policy = scene.desktop.home().join("config/policy.toml");
    wait_until("the rule in the policy", PATIENCE, async || {
        Ok(std::fs::read_to_string(&policy)?.contains("class = \"file_write\"").then_some(()))
    })
    .await?;

    web.click("[data-testid=history-undo]").await?;
    wait_until("the file as it was", PATIENCE, async || Ok((std::fs::read_to_string(&file)? == BEFORE).then_some(())))
        .await?;

    // The page learns of it later than the disk, and what lies below moves then.
    let is_busy = "return document.querySelector('[data-testid=activity-kept] [data-testid=history-undo]') !== null";
    wait_until("the page to know", PATIENCE, async || Ok((web.execute(is_busy, vec![]).await? == false).then_some(())))
        .await?;

    web.click("[data-testid=activity-clear]").await?;
    wait_for_rows(&web, 2).await?;
    let lines = std::fs::read_to_string(export(&scene, &web, "jsonl").await?)?;
    let calls: Vec<Value> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let statuses: Vec<&Value> = calls.iter().map(|call| &call["result"]["status"]).collect();
    assert_eq!(statuses, ["denied", "approved"], "the latest first");
    let table = std::fs::read_to_string(export(&scene, &web, "csv").await?)?;
    assert_eq!(table.matches("\r\n").count(), 3, "{table}");
    ensure!(table.starts_with("\"id\",\"requested_at\",") && table.contains("git push origin main"), "{table}");
    web.screenshot(&picture("activity-exported.png")).await?;
    Ok(())
}
