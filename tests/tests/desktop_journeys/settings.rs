//! The settings window, and both windows' accessibility.

use anyhow::{Context, Result, ensure};
use handraise_tests::desktop::{Options, PATIENCE, WebDriver, wait_until};

use crate::hook::EDIT;
use crate::scene::{SETTINGS, Scene, picture};

/// The rules of WCAG 2.2 AA that a program can check, by axe-core.
pub(crate) async fn check_accessibility(web: &WebDriver, what: &str) -> Result<()> {
    let axe = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/axe-core/axe.min.js"),
    )?;
    web.execute(&format!("{axe}; window.found = null; axe.run({{ runOnly: ['wcag2a','wcag2aa','wcag21aa','wcag22aa'] }}).then(r => {{ window.found = r.violations }});"), vec![])
        .await?;
    let found = wait_until("axe", PATIENCE, async || {
        let found = web.execute("return window.found", vec![]).await?;
        Ok((!found.is_null()).then_some(found))
    })
    .await?;
    let violations = found.as_array().cloned().unwrap_or_default();
    let told: Vec<String> =
        violations.iter().map(|one| format!("{}: {}", one["id"], one["nodes"][0]["html"])).collect();
    ensure!(violations.is_empty(), "{what}: {told:#?}");
    Ok(())
}

#[tokio::test]
async fn a_grant_can_be_seen_and_revoked() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    scene.answer(hook, "cart.ts", "For this session").await?;
    let asked = scene.desktop.notifications().await?.len();

    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    web.find("[data-testid=nav-sessions]").await?.click().await?;
    web.find("[data-testid=grant-row]").await?;
    web.screenshot(&picture("settings-sessions.png")).await?;
    web.click("[data-testid=revoke-grant]").await?;
    wait_until("the grant to be gone", PATIENCE, async || {
        let rows = web.execute("return document.querySelectorAll('[data-testid=grant-row]').length", vec![]).await?;
        Ok((rows == 0).then_some(()))
    })
    .await?;

    let hook = scene.ask(EDIT)?;
    wait_until("the prompt", PATIENCE, async || Ok((scene.desktop.heard_notifications().len() > asked).then_some(())))
        .await?;
    hook.kill()
}

#[tokio::test]
async fn settings_are_kept_and_both_windows_are_accessible() -> Result<()> {
    let mut scene = Scene::start_new(Options::default(), &[]).await?;
    let entry = scene.desktop.home().join("autostart/Handraise.desktop");
    assert!(!entry.exists(), "it starts at login, and nobody has been asked");
    let settings = SETTINGS.replace(r#""start_at_login_asked":true"#, r#""start_at_login_asked":false"#);
    scene.restart_with_settings(&settings).await?;
    assert!(!entry.exists(), "it starts at login, and nobody has been asked");

    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    // It is asked, in whatever section, until it is answered.
    check_accessibility(&web, "the question about the start at login").await?;
    web.click("[data-testid=login-yes]").await?;
    wait_until("the entry", PATIENCE, async || Ok(entry.exists().then_some(()))).await?;
    wait_until("the question to be gone", PATIENCE, async || {
        let asked = "return document.querySelectorAll('[data-testid=login-question]').length";
        Ok((web.execute(asked, vec![]).await? == 0).then_some(()))
    })
    .await?;
    for section in ["sessions", "agents", "rules", "policy", "general", "connections", "about"] {
        web.click(&format!("[data-testid=nav-{section}]")).await?;
        web.screenshot(&picture(&format!("settings-{section}.png"))).await?;
        check_accessibility(&web, section).await?;
    }
    web.click("[data-testid=nav-general]").await?;
    web.click("[data-testid=start-at-login]").await?;
    wait_until("the entry to be gone", PATIENCE, async || Ok((!entry.exists()).then_some(()))).await?;
    web.click("[data-testid=nav-policy]").await?;
    web.click("[data-testid=preset-strict]").await?;
    let policy = scene.desktop.home().join("config/policy.toml");
    wait_until("the preset", PATIENCE, async || {
        Ok(std::fs::read_to_string(&policy)?.contains("preset = \"strict\"").then_some(()))
    })
    .await?;
    drop(web);

    scene.crash_and_restart().await?;
    assert!(!entry.exists(), "it forgot that it must not start at login");
    let hook = scene.ask(&EDIT.replace("\"Edit\"", "\"Read\""))?;
    scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("inbox")).await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    check_accessibility(&web, "prompt").await?;
    hook.kill()
}

#[tokio::test]
async fn dark_and_large_text_stay_readable() -> Result<()> {
    let settings = SETTINGS.replace(r#""appearance":"system""#, r#""appearance":"dark""#);
    // As a theme, or Plasma for the colour that a person has chosen there.
    let colour = (".config/gtk-3.0/gtk.css", "@define-color theme_selected_bg_color #e95420;");
    let scene = Scene::start_with(Options::default(), &[("data/settings.json", &settings), colour]).await?;
    let hook = scene.ask(EDIT)?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("inbox")).await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    assert_eq!(web.execute("return document.documentElement.dataset.appearance", vec![]).await?, "dark");
    let accent = "return document.documentElement.style.getPropertyValue('--desktop-accent')";
    assert_eq!(web.execute(accent, vec![]).await?, "#e95420", "the accent colour of the desktop");
    web.screenshot(&picture("prompt-dark.png")).await?;
    check_accessibility(&web, "the prompt in dark").await?;

    web.execute("document.documentElement.style.fontSize = '200%'", vec![]).await?;
    web.screenshot(&picture("prompt-dark-large.png")).await?;
    let overflow = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(web.execute(overflow, vec![]).await?, 0, "it has to be scrolled sideways");
    web.find("[data-testid=approve]").await?;

    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    web.goto("settings").await?;
    web.click("[data-testid=nav-general]").await?;
    web.find("[data-testid=start-at-login]").await?;
    web.screenshot(&picture("settings-dark.png")).await?;
    check_accessibility(&web, "the settings in dark").await?;
    hook.kill()
}

#[tokio::test]
async fn damaged_settings_are_reported_and_set_aside() -> Result<()> {
    let damaged = r#"{"version":1,"settings":{"start_at_login":"#;
    let scene = Scene::start_with(Options::default(), &[("data/settings.json", damaged)]).await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    let notice = web.text("[data-testid=notice]").await?;
    ensure!(notice.contains("damaged") && notice.contains("settings.json"), "{notice}");
    web.screenshot(&picture("settings-damaged.png")).await?;
    let folder = std::fs::read_dir(scene.desktop.home().join("data"))?;
    let aside = folder.flatten().find(|entry| entry.file_name().to_string_lossy().contains("settings.json.damaged"));
    assert_eq!(std::fs::read_to_string(aside.context("it was not set aside")?.path())?, damaged);
    Ok(())
}
