//! The first steps, as a new user goes through them.

use std::os::unix::fs::PermissionsExt;

use anyhow::{Result, ensure};
use handraise_tests::application::agents_home;
use handraise_tests::desktop::{Notification, NotificationState, Options, PATIENCE, WebDriver, wait_until};

use crate::scene::{ONE_CLICK, SETTINGS, Scene, picture};

/// What Claude Code did, in its own words. The times in it are of another year.
const TRANSCRIPT: &str = include_str!("../../../crates/agents/tests/transcripts/claude-code.jsonl");
const CLAUDE: &str = "#!/bin/sh\necho '2.1.329 (Claude Code)'\n";
const SAMPLE: &str = "Hello from Handraise";

/// The transcript as if all of it had been said now.
fn said_now() -> String {
    let now = jiff::Timestamp::now().strftime("\"timestamp\":\"%Y-%m-%dT%H:%M:%S.000Z").to_string();
    let mut parts = TRANSCRIPT.split("\"timestamp\":\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + &now + part.find('"').and_then(|end| part.get(end..)).unwrap_or_default())
}

async fn told(web: &WebDriver) -> Result<String> {
    web.find("[data-testid=guide-sample][data-state=ended]").await?;
    web.text("[data-testid=guide-told]").await
}

/// Clicks `Deny` on the notification of the sample until the guide has taken it in. It has no `Approve`: nothing proves that
/// Handraise itself asks.
async fn deny_sample(scene: &Scene, web: &WebDriver) -> Result<()> {
    let waits = "return document.querySelector('[data-testid=guide-sample]').dataset.state === 'waiting'";
    wait_until("the sample to be answered", PATIENCE, async || {
        if web.execute(waits, vec![]).await? == false {
            return Ok(Some(()));
        }
        let is_open = |one: &Notification| one.state == NotificationState::Open && one.body.contains(SAMPLE);
        let Some(open) = scene.desktop.heard_notifications().into_iter().find(is_open) else { return Ok(None) };
        tokio::time::timeout(ONE_CLICK, scene.desktop.click_notification_action(&open, "Deny")).await??;
        Ok(None)
    })
    .await
}

#[tokio::test]
async fn the_first_steps_lead_from_the_choice_to_two_answered_prompts() -> Result<()> {
    let settings =
        SETTINGS.replace(r#""start_at_login_asked":true"#, r#""start_at_login_asked":false,"guide_left":false"#);
    let transcript = said_now();
    let files = [
        ("data/settings.json", settings.as_str()),
        ("agents/.claude/settings.json", "{}\n"),
        ("agents/bin/claude", CLAUDE),
        ("agents/.claude/projects/-home-ana-code-shopfront/7c1f0a52.jsonl", transcript.as_str()),
    ];
    let scene = Scene::start_new(Options::default(), &files).await?;
    let home = agents_home(&scene.desktop);
    std::fs::set_permissions(home.join("bin/claude"), std::fs::Permissions::from_mode(0o755))?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;

    // How do you want to be asked? With figures of what Claude Code did on this machine.
    web.find("[data-testid=guide-replay][data-state=done]").await?;
    web.find("[data-testid=guide-figure]").await?;
    let replayed = web.text("[data-testid=guide-replay]").await?;
    ensure!(replayed.contains("Claude Code"), "{replayed}");
    web.screenshot(&picture("guide-presets.png")).await?;
    web.click("[data-testid=guide-preset-workspace] input").await?;
    let policy = scene.desktop.home().join("config/policy.toml");
    wait_until("the preset", PATIENCE, async || {
        Ok(std::fs::read_to_string(&policy)?.contains("preset = \"workspace\"").then_some(()))
    })
    .await?;

    web.click("[data-testid=guide-next]").await?;
    web.click("[data-agent=claude-code] [data-testid=agent-connect]").await?;
    web.screenshot(&picture("guide-agents.png")).await?;
    web.click("[data-agent=claude-code] [data-testid=agent-change-make]").await?;
    let file = home.join(".claude/settings.json");
    wait_until("the agent to be connected", PATIENCE, async || {
        Ok(std::fs::read_to_string(&file)?.contains("PreToolUse").then_some(()))
    })
    .await?;
    // What was done is told above the button, which moves.
    web.find("[data-agent=claude-code] [data-testid=agent-done]").await?;

    // A harmless prompt, answered on its notification, and once more in the window.
    web.click("[data-testid=guide-next]").await?;
    web.click("[data-testid=guide-ask]").await?;
    scene.desktop.wait_for_notification(|one| one.body.contains(SAMPLE)).await?;
    scene.desktop.screenshot(&picture("guide-sample.png"))?;
    deny_sample(&scene, &web).await?;
    ensure!(told(&web).await?.contains("You denied it"));
    web.click("[data-testid=guide-ask]").await?;
    web.click("[data-testid=guide-open-inbox]").await?;
    web.goto("prompt").await?;
    web.wait_for_text("[data-testid=prompt-card]", |text| text.contains(SAMPLE)).await?;
    web.find("[data-testid=approve][data-armed=true]").await?;
    web.screenshot(&picture("guide-window.png")).await?;
    web.click("[data-testid=approve]").await?;
    web.find("[data-testid=empty]").await?;
    web.goto("settings").await?;
    ensure!(told(&web).await?.contains("You approved it"));

    web.click("[data-testid=login-no]").await?;
    web.find("[data-testid=guide-login]").await?;
    web.click("[data-testid=guide-done]").await?;
    let kept = scene.desktop.home().join("data/settings.json");
    wait_until("the guide to be left for good", PATIENCE, async || {
        let text = std::fs::read_to_string(&kept)?.replace([' ', '\n'], "");
        Ok((text.contains(r#""guide_left":true"#) && text.contains(r#""start_at_login_asked":true"#)).then_some(()))
    })
    .await?;
    ensure!(!scene.desktop.home().join("autostart/Handraise.desktop").exists(), "it starts at login");
    Ok(())
}

/// Whoever leaves in the middle takes the sample back, and finds the steps again.
#[tokio::test]
async fn the_first_steps_can_be_left_and_found_again() -> Result<()> {
    let scene = Scene::start_new(Options::default(), &[]).await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    web.click("[data-testid=guide-step-sample]").await?;
    web.click("[data-testid=guide-ask]").await?;
    tray.wait_for_menu_item(|item| item.label.contains(SAMPLE)).await?;
    web.click("[data-testid=nav-sessions]").await?;
    tray.wait_for_menu_item(|item| item.label.contains("Nothing")).await?;
    web.click("[data-testid=nav-guide]").await?;
    web.find("[data-testid=guide-title]").await?;
    Ok(())
}
