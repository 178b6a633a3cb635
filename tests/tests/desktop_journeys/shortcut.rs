//! Keys that bring the prompt window forward, wherever the keyboard is.

use anyhow::{Result, ensure};
use handraise_tests::desktop::Options;

use crate::hook::PUSH;
use crate::scene::{SETTINGS, Scene, picture};

const PROMPT: &str = "Handraise";
/// As `xdotool` calls them.
const KEYS: &str = "super+shift+h";

async fn scene(keys: &str) -> Result<Scene> {
    let settings =
        SETTINGS.replace(r#""version":1,"settings":{"#, &format!(r#""version":1,"settings":{{"shortcut":"{keys}","#));
    ensure!(settings != SETTINGS, "the settings have another form");
    Scene::start_with(Options::default(), &[("data/settings.json", &settings)]).await
}

/// Opens the settings that say how the keys stand, and waits until they say this.
async fn wait_for_state(scene: &Scene, words: &str) -> Result<()> {
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let web = scene.web_driver().await?;
    web.goto("settings").await?;
    web.click("[data-testid=nav-general]").await?;
    web.wait_for_text("#shortcut-keys-detail", |text| text.contains(words)).await?;
    web.screenshot(&picture("shortcut.png")).await?;
    Ok(())
}

#[tokio::test]
async fn the_window_comes_forward_with_the_keyboard_also_with_num_lock() -> Result<()> {
    let scene = scene("Super+Shift+H").await?;
    wait_for_state(&scene, "They work").await?;
    let mut hook = scene.ask(PUSH)?;
    scene.desktop.wait_for_notification(|one| one.body.contains("git push")).await?;
    for (terminal, lock) in [("typing here", None), ("typing elsewhere", Some("Num_Lock"))] {
        // It takes the keyboard, as whatever a person opens does.
        let typist = scene.desktop.typist(terminal).await?;
        if let Some(lock) = lock {
            scene.desktop.press(lock)?;
        }
        scene.desktop.press(KEYS)?;
        scene.desktop.wait_for_window(PROMPT, |window| window.has_focus).await?;
        ensure!(!hook.has_ended()?, "it was decided");
        assert_eq!(typist.typed(), "", "the letter went to the terminal as well");
    }
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.wait_until_drawn().await?;
    scene.desktop.screenshot(&picture("shortcut-prompt.png"))?;
    hook.kill()
}

#[tokio::test]
async fn keys_of_another_program_are_left_to_it_and_the_person_is_told() -> Result<()> {
    // The window manager has them.
    let scene = scene("Alt+F4").await?;
    wait_for_state(&scene, "Another program has these keys").await
}
