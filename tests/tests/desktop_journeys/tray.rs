//! Answering in the tray's menu.

use std::path::Path;

use anyhow::{Result, ensure};
use handraise_tests::desktop::{MenuItem, Options};
use serde_json::Value;

use crate::hook::{EDIT, PUSH, of_event};
use crate::scene::{Scene, picture};

/// What the agent's edit begins with.
const BEFORE: &str = "const tax = 0.2;\nexport { tax };\n";
const EDITS_PASS: &str = "version = 1\npreset = \"autonomous\"\n";

#[tokio::test]
async fn approve_and_deny_in_the_menu_reach_the_agent() -> Result<()> {
    let scene = Scene::start().await?;
    let tray = scene.desktop.tray().await?;
    let hook = scene.ask(EDIT)?;
    let request = tray.wait_for_menu_item(|item| item.label.contains("cart.ts")).await?;
    tray.open_menu().await?;
    scene.desktop.screenshot(&picture("tray.png"))?;
    tray.close_menu().await?;
    assert!(request.children.iter().any(|item| item.label == "Approve"), "{request:?}");
    tray.activate_menu_item(|item| item.label == "Approve").await?;
    assert_eq!(hook.end().await?.decision(), "allow");

    let hook = scene.ask(PUSH)?;
    tray.wait_for_menu_item(|item| item.label.contains("git push")).await?;
    tray.activate_menu_item(|item| item.label == "Deny").await?;
    assert_eq!(hook.end().await?.decision(), "deny");
    tray.wait_for_menu_item(|item| item.label.contains("Nothing")).await?;
    Ok(())
}

#[tokio::test]
async fn pausing_denies_everything_until_it_is_resumed() -> Result<()> {
    let scene = Scene::start().await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.to_lowercase().contains("deny everything")).await?;
    tray.wait_for_menu_item(|item| item.label.contains("Resume")).await?;
    let ended = scene.ask(EDIT)?.end().await?;
    assert_eq!(ended.decision(), "deny");
    assert!(ended.reason().contains("paused"), "{}", ended.reason());
    tray.activate_menu_item(|item| item.label.contains("Resume")).await?;
    tray.wait_for_menu_item(|item| item.label.to_lowercase().contains("deny everything")).await?;
    let hook = scene.ask(EDIT)?;
    scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    hook.kill()
}

#[tokio::test]
async fn quitting_denies_what_is_open() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    let tray = scene.desktop.tray().await?;
    tray.wait_for_menu_item(|item| item.label.contains("cart.ts")).await?;
    // The first click only says what it would end.
    let quit = tray.wait_for_menu_item(|item| item.label == "Quit").await?;
    assert_eq!(quit.labels(), ["Deny what waits (1) and quit"]);
    tray.activate_menu_item(|item| item.label == "Deny what waits (1) and quit").await?;
    let ended = hook.end().await?;
    assert_eq!(ended.decision(), "deny");
    scene.desktop.wait_for_notification_count(0).await
}

#[tokio::test]
async fn what_changed_without_a_question_is_undone_in_the_menu_unless_somebody_changed_it_since() -> Result<()> {
    let files = [("code/shopfront/src/cart.ts", BEFORE), ("config/policy.toml", EDITS_PASS)];
    let scene = Scene::start_with(Options::default(), &files).await?;
    let file = scene.desktop.home().join(files[0].0);
    let tray = scene.desktop.tray().await?;
    let is_undo = |item: &MenuItem| item.label == "Undo";
    edit(&scene, &file, 1).await?;
    let list = tray.wait_for_menu_item(|item| item.label == "Changed without asking").await?;
    ensure!(list.all().any(|item| item.label.contains("cart.ts") && item.children.iter().any(is_undo)), "{list:#?}");
    tray.open_menu().await?;
    // Down to the list, into it, and into its first call.
    for key in ["Down", "Down", "Right", "Right"] {
        scene.desktop.press(key)?;
    }
    scene.desktop.screenshot(&picture("tray-lately.png"))?;
    scene.desktop.press("Left")?;
    scene.desktop.press("Left")?;
    tray.close_menu().await?;

    tray.activate_menu_item(is_undo).await?;
    scene.desktop.wait_for_notification(|one| one.summary.starts_with("Undone: Claude Code")).await?;
    assert_eq!(std::fs::read_to_string(&file)?, BEFORE);

    // The same once more, and the person works on the file after it.
    edit(&scene, &file, 2).await?;
    let own = std::fs::read_to_string(&file)? + "// mine\n";
    std::fs::write(&file, &own)?;
    tray.wait_for_menu_item(|item| item.label == "Changed without asking" && item.children.len() == 2).await?;
    tray.activate_menu_item(is_undo).await?;
    scene.desktop.wait_for_notification(|one| one.summary.starts_with("Not undone: Claude Code")).await?;
    assert_eq!(std::fs::read_to_string(&file)?, own);
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    web.wait_for_text("[data-testid=activity-detail]", |text| text.contains("const tax = 0.21;")).await?;
    web.find("[data-testid=activity-kept] [data-testid=history-undo]").await?;
    web.screenshot(&picture("tray-lately-shown.png")).await?;
    Ok(())
}

#[tokio::test]
async fn the_last_answers_stand_in_the_menu_and_lead_to_their_calls() -> Result<()> {
    let scene = Scene::start().await?;
    let tray = scene.desktop.tray().await?;
    let hook = scene.ask(PUSH)?;
    assert_eq!(scene.answer(hook, "git push", "Deny").await?.decision(), "deny");
    let hook = scene.ask(EDIT)?;
    assert_eq!(scene.answer(hook, "cart.ts", "Approve").await?.decision(), "allow");
    let list = tray.wait_for_menu_item(|item| item.label == "Your last answers" && item.children.len() == 2).await?;
    let labels = list.labels();
    ensure!(
        labels[0].starts_with("Approved: Claude Code") && labels[1].starts_with("Denied: Claude Code"),
        "{labels:?}"
    );
    tray.activate_menu_item(|item| item.label.starts_with("Denied: ")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    web.wait_for_text("[data-testid=activity-detail]", |text| text.contains("git push origin main")).await?;
    // Another one, while the window is open.
    tray.activate_menu_item(|item| item.label.starts_with("Approved: ")).await?;
    web.wait_for_text("[data-testid=activity-detail]", |text| text.contains("cart.ts")).await.map(drop)
}

/// An agent changes the file in its call `number`, as the policy lets it.
async fn edit(scene: &Scene, file: &Path, number: u32) -> Result<()> {
    let mut call: Value = serde_json::from_str(EDIT)?;
    call["tool_use_id"] = format!("toolu_{number}").into();
    let call = call.to_string();
    assert_eq!(scene.ask(&call)?.end().await?.decision(), "allow");
    std::fs::write(file, BEFORE.replace("0.2;", "0.21;"))?;
    scene.ask(&of_event(&call, "PostToolUse")?)?.end().await.map(drop)
}
