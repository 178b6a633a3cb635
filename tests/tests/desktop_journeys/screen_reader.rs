//! The windows as a screen reader finds them in the running application (AT-SPI).

use anyhow::{Context, Result, ensure};
use handraise_tests::desktop::{Element, PATIENCE, wait_until};

use crate::hook::EDIT;
use crate::scene::Scene;

/// The windows of the application, when `wanted` is in one of them.
async fn window_with(scene: &Scene, what: &str, wanted: impl Fn(&Element) -> bool) -> Result<Element> {
    let mut seen = String::new();
    let found = wait_until(what, PATIENCE, async || {
        let windows = scene.desktop.accessible_windows("Handraise").await?;
        seen = windows.iter().flat_map(Element::all).map(|one| format!("{}: {}\n", one.role, one.name)).collect();
        Ok(windows.into_iter().find(|window| window.all().any(&wanted)))
    });
    found.await.with_context(|| seen)
}

#[tokio::test]
async fn a_prompt_is_heard_with_its_name_its_call_and_its_buttons() -> Result<()> {
    let mut scene = Scene::start().await?;
    scene.restart_accessible().await?;
    let hook = scene.ask(EDIT)?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("inbox")).await?;
    let is_dialog = |one: &Element| one.role == "alert" && one.showing;
    let window = window_with(&scene, "the prompt", is_dialog).await?;
    let dialog = window.all().find(|one| is_dialog(one)).context("no prompt")?;
    ensure!(dialog.name.contains("Claude Code"), "{:?}", dialog.name);
    for name in ["Deny", "Approve once", "Edit"] {
        ensure!(dialog.find("push button", name).is_some(), "{name}");
    }
    // Each has a name that is heard.
    let silent = ["push button", "check box", "radio button", "entry", "combo box"];
    let unnamed: Vec<&Element> =
        window.all().filter(|one| one.showing && silent.contains(&one.role.as_str()) && one.name.is_empty()).collect();
    ensure!(unnamed.is_empty(), "{unnamed:#?}");
    hook.kill()
}

#[tokio::test]
async fn the_settings_are_heard_with_their_sections() -> Result<()> {
    let mut scene = Scene::start().await?;
    scene.restart_accessible().await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let is_activity = |one: &Element| one.showing && one.name == "Activity";
    let window = window_with(&scene, "the settings", is_activity).await?;
    ensure!(window.all().any(|one| one.role == "heading" && one.showing), "no heading");
    Ok(())
}
