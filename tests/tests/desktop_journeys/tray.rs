//! Answering in the tray's menu.

use anyhow::Result;

use crate::hook::{EDIT, PUSH};
use crate::scene::{Scene, picture};

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
