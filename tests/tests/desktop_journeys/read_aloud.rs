//! What somebody has of the application who uses a screen reader: names and roles over AT-SPI, and keys.

use anyhow::{Context, Result, ensure};
use handraise_tests::desktop::{Element, Options, PATIENCE, wait_until};

use crate::hook::{EDIT, PUSH};
use crate::scene::{SETTINGS, Scene};

/// What the application calls itself on the accessibility bus, and what its windows are called.
const PROGRAM: &str = "Handraise";
const PROMPT: &str = "Handraise";
const MAIN: &str = "Handraise settings";

/// The application on a desktop with a screen reader.
async fn scene(settings: &str) -> Result<Scene> {
    let options = Options { screen_reader: true, ..Options::default() };
    Scene::start_with(options, &[("data/settings.json", settings)]).await
}

/// The prompt window as it is read, once a call with these words is in it.
async fn read_prompt(scene: &Scene, words: &str) -> Result<Element> {
    scene.desktop.read_window(PROGRAM, PROMPT, |window| window.words().contains(words)).await
}

/// The names of what is shown in this role, in the order in which it is read.
fn names<'a>(window: &'a Element, role: &str) -> Vec<&'a str> {
    let shown = window.all().filter(|element| element.showing && element.role == role);
    shown.map(|element| element.name.as_str()).collect()
}

/// Opens the prompt window from the notification about `text`, with the keyboard in it.
async fn open(scene: &Scene, text: &str) -> Result<Element> {
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains(text)).await?;
    scene.desktop.click_notification_action(&shown, "Details").await?;
    let window = read_prompt(scene, text).await?;
    scene.desktop.wait_for_window(PROMPT, |window| window.has_focus).await?;
    Ok(window)
}

/// What has the keyboard.
async fn focused(scene: &Scene) -> Result<String> {
    let window = read_prompt(scene, "").await?;
    let innermost = window.all().filter(|element| element.focused).last();
    Ok(innermost.map(|element| element.name.clone()).unwrap_or_default())
}

#[tokio::test]
async fn the_call_its_risk_and_its_buttons_are_read_and_reached_by_keys() -> Result<()> {
    let scene = scene(SETTINGS).await?;
    let hook = scene.ask(PUSH)?;
    let window = open(&scene, "git push").await?;
    let words = window.words();
    ensure!(names(&window, "alert").iter().any(|name| name.contains("Claude Code wants to run")), "{words}");
    ensure!(names(&window, "heading").iter().any(|name| name.contains("Claude Code wants to run")), "{words}");
    for part in ["git push origin main", "Write:", "Why am I asked?"] {
        ensure!(words.contains(part), "`{part}` is not read: {words}");
    }
    let buttons = names(&window, "push button");
    for button in ["Pause", "Settings", "Deny", "Deny with reason…", "For this session", "Approve once"] {
        ensure!(buttons.contains(&button), "{button}: {buttons:?}");
    }
    ensure!(names(&window, "radio button").contains(&"Once"), "{window:#?}");

    // Tab goes through it in the order in which it is read, and the last stop approves.
    let mut stops = vec![focused(&scene).await?];
    while stops.last().is_none_or(|stop| stop != "Approve once") {
        ensure!(stops.len() < 30, "the keyboard does not get there: {stops:#?}");
        let last = stops.last().cloned().unwrap_or_default();
        scene.desktop.press("Tab")?;
        let next = wait_until("the keyboard to go on", PATIENCE, async || {
            Ok(Some(focused(&scene).await?).filter(|stop| *stop != last))
        });
        stops.push(next.await.with_context(|| format!("{stops:#?}"))?);
    }
    let place = |name: &str| stops.iter().position(|stop| stop == name);
    let order = ["Once", "Deny", "Deny with reason…", "For this session", "Approve once"].map(place);
    ensure!(order.is_sorted() && order[0].is_some(), "{stops:#?}");
    hook.kill()
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

#[tokio::test]
async fn a_request_that_arrives_is_announced() -> Result<()> {
    let scene = scene(SETTINGS).await?;
    let first = scene.ask(PUSH)?;
    open(&scene, "git push").await?;
    let mut announcements = scene.desktop.announcements().await?;
    let second = scene.ask(EDIT)?;
    announcements.wait_for("cart.ts").await?;
    first.kill()?;
    second.kill()
}

#[tokio::test]
async fn a_press_over_the_accessibility_bus_approves_only_where_simulated_clicks_may() -> Result<()> {
    let guarded = SETTINGS.replace(r#""accept_made_input":true"#, r#""accept_made_input":false"#);
    for (settings, is_accepted) in [(SETTINGS, true), (guarded.as_str(), false)] {
        let scene = scene(settings).await?;
        let mut hook = scene.ask(PUSH)?;
        open(&scene, "git push").await?;
        // Pressed only while it says that it can be: a press that comes too early makes the button wait anew. The window
        // goes with the approval, so each look is one of a moment.
        let press_approve = async || -> Result<bool> {
            let windows = scene.desktop.readable_windows(PROGRAM).await?;
            let button = windows.iter().find_map(|window| window.find("push button", "Approve once"));
            if let Some(button) = button.filter(|button| button.enabled) {
                // It may be gone by now.
                let _ = scene.desktop.press_as_reader(button).await;
            }
            Ok(windows.iter().any(|window| window.words().contains("real mouse")))
        };
        if is_accepted {
            wait_until("the approval", PATIENCE, async || {
                if hook.has_ended()? {
                    return Ok(Some(()));
                }
                press_approve().await.map(|_| None)
            })
            .await?;
            ensure!(hook.end().await?.decision() == "allow", "it was not approved");
            continue;
        }
        wait_until("the refusal", PATIENCE, async || Ok(press_approve().await?.then_some(()))).await?;
        ensure!(!hook.has_ended()?, "it was decided");
        // To deny harms nobody.
        let window = read_prompt(&scene, "git push").await?;
        scene.desktop.press_as_reader(window.find("push button", "Deny").context("no button")?).await?;
        ensure!(hook.end().await?.decision() == "deny", "it was not denied");
    }
    Ok(())
}
