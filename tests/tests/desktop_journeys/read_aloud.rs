//! What somebody has of the application who uses a screen reader: names and roles over AT-SPI.

use anyhow::{Context, Result, ensure};
use handraise_tests::desktop::{Element, Options};

use crate::scene::{SETTINGS, Scene};

/// What the application calls itself on the accessibility bus, and what its main window is called.
const PROGRAM: &str = "Handraise";
const MAIN: &str = "Handraise settings";

/// The application on a desktop with a screen reader.
async fn scene(settings: &str) -> Result<Scene> {
    let options = Options { screen_reader: true, ..Options::default() };
    Scene::start_with(options, &[("data/settings.json", settings)]).await
}

/// The names of what is shown in this role, in the order in which it is read.
fn names<'a>(window: &'a Element, role: &str) -> Vec<&'a str> {
    let shown = window.all().filter(|element| element.showing && element.role == role);
    shown.map(|element| element.name.as_str()).collect()
}

#[tokio::test]
async fn the_sections_of_the_main_window_are_read() -> Result<()> {
    let scene = scene(SETTINGS).await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("Settings")).await?;
    let has = |window: &Element, heading: &str| names(window, "heading").contains(&heading);
    let window = scene.desktop.read_window(PROGRAM, MAIN, |window| !names(window, "heading").is_empty()).await?;
    let buttons = names(&window, "push button");
    for section in ["Inbox", "Activity", "Rules", "Policy", "Agents", "Sessions", "General"] {
        ensure!(buttons.iter().any(|name| name.starts_with(section)), "{section}: {buttons:?}");
        if section == "Inbox" {
            continue;
        }
        let button = window.find("push button", section).context("no section")?;
        scene.desktop.press_as_reader(button).await?;
        scene.desktop.read_window(PROGRAM, MAIN, |window| has(window, section)).await?;
    }
    Ok(())
}
