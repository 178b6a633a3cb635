//! An agent is found, connected, tried out and disconnected in the settings window.

use std::os::unix::fs::PermissionsExt;

use anyhow::{Context, Result, ensure};
use handraise_tests::application::agents_home;
use handraise_tests::desktop::{Options, PATIENCE, WebDriver, wait_until};

use crate::scene::{Scene, picture};
use crate::settings::check_accessibility;

/// Settings as a person has written them.
const SETTINGS: &str = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
/// The row of Claude Code.
const ROW: &str = "[data-agent=claude-code]";

/// Waits for a text in the row of Claude Code.
async fn row_says(web: &WebDriver, what: &str) -> Result<()> {
    wait_until(what, PATIENCE, async || Ok(web.text(ROW).await?.contains(what).then_some(()))).await
}

#[tokio::test]
async fn an_agent_is_connected_and_disconnected_byte_for_byte() -> Result<()> {
    let program = "#!/bin/sh\necho '2.1.329 (Claude Code)'\n";
    let files = [("agents/.claude/settings.json", SETTINGS), ("agents/bin/claude", program)];
    let scene = Scene::start_with(Options::default(), &files).await?;
    let home = agents_home(&scene.desktop);
    std::fs::set_permissions(home.join("bin/claude"), std::fs::Permissions::from_mode(0o755))?;
    let file = home.join(".claude/settings.json");

    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    web.click("[data-testid=nav-agents]").await?;
    wait_until("the list", PATIENCE, async || {
        let rows = web.execute("return document.querySelectorAll('[data-testid=agent-row]').length", vec![]).await?;
        Ok((rows == 12).then_some(()))
    })
    .await?;
    row_says(&web, "2.1.329 (Claude Code)").await?;
    row_says(&web, "Not connected").await?;

    web.click(&format!("{ROW} [data-testid=agent-connect]")).await?;
    row_says(&web, " hook claude-code").await?;
    web.screenshot(&picture("settings-agents-connect.png")).await?;
    check_accessibility(&web, "a change to an agent").await?;
    assert_eq!(std::fs::read_to_string(&file)?, SETTINGS, "it was written before anybody said so");

    web.click(&format!("{ROW} [data-testid=agent-change-make]")).await?;
    row_says(&web, "Asks before every call").await?;
    let connected = std::fs::read_to_string(&file)?;
    ensure!(connected.contains("// mine") && connected.contains("PreToolUse"), "{connected}");
    let backups = std::fs::read_dir(home.join(".claude"))?.flatten();
    let backup = backups.map(|entry| entry.path()).find(|path| path.display().to_string().contains("-backup-"));
    assert_eq!(std::fs::read_to_string(backup.context("no backup")?)?, SETTINGS);

    web.click(&format!("{ROW} [data-testid=agent-check]")).await?;
    row_says(&web, "A harmless call was answered").await?;
    web.screenshot(&picture("settings-agents.png")).await?;
    check_accessibility(&web, "what was found about an agent").await?;

    web.click(&format!("{ROW} [data-testid=agent-disconnect]")).await?;
    web.click(&format!("{ROW} [data-testid=agent-change-make]")).await?;
    row_says(&web, "Not connected").await?;
    assert_eq!(std::fs::read_to_string(&file)?, SETTINGS);
    Ok(())
}

#[tokio::test]
async fn a_change_that_was_not_shown_is_not_made() -> Result<()> {
    let scene = Scene::start_with(Options::default(), &[("agents/.claude/settings.json", SETTINGS)]).await?;
    let file = agents_home(&scene.desktop).join(".claude/settings.json");
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    web.click("[data-testid=nav-agents]").await?;
    web.click(&format!("{ROW} [data-testid=agent-connect]")).await?;
    row_says(&web, " hook claude-code").await?;
    let other = SETTINGS.replace("opus", "sonnet");
    std::fs::write(&file, &other)?;
    web.click(&format!("{ROW} [data-testid=agent-change-make]")).await?;
    let problem = web.text("[data-testid=agents-problem]").await?;
    ensure!(problem.contains("have changed meanwhile"), "{problem}");
    assert_eq!(std::fs::read_to_string(&file)?, other);
    Ok(())
}
