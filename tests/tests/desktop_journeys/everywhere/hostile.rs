//! Calls that are made to be misread.

use anyhow::{Context, Result, ensure};
use handraise_tests::desktop::{Kind, Notification, Options, PATIENCE, WebDriver, wait_until};
use serde_json::{Value, json};

use super::journeys::{name, wait_until_withdrawn};
use crate::hook::of_tool;
use crate::scene::{Scene, picture};

const POLICY: &str = "version = 1\nrule = [{ pattern = \"*\", action = \"ask\" }]\n";
/// Texts that mislead, and what of them never may be shown as it is.
const SPOOFS: &str = include_str!("../../../../crates/display/tests/data/display_spoof.jsonl");

/// How many of them are shown, each once.
const SPOOFS_SHOWN: usize = 16;

/// It can be denied there, and not approved.
fn only_denies(shown: &Notification) -> Result<()> {
    let keys: Vec<&str> = shown.actions.iter().map(|(key, _)| key.as_str()).collect();
    ensure!(keys.contains(&"deny") && !keys.contains(&"approve") && !keys.contains(&"session"), "{shown:?}");
    Ok(())
}

async fn open(scene: &Scene, shown: &Notification) -> Result<WebDriver> {
    scene.desktop.click_notification(shown).await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    Ok(web)
}

/// 200 KB of a harmless program's arguments, and what they hide at the end.
pub(super) async fn a_very_long_command_is_read_in_the_window(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let words = "harmless ".repeat(200 * 1024 / 9);
    let hook = scene.ask(&of_tool("Bash", json!({ "command": format!("touch {words}; git push --force") }))?)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("touch harmless")).await?;
    only_denies(&shown)?;
    ensure!(shown.body.len() < 4096, "{} bytes", shown.body.len());
    let web = open(&scene, &shown).await?;
    web.find("[data-testid=approve][data-reading=true]").await?;
    // Approve leads through it, and counts what is left.
    let label = web.text("[data-testid=approve]").await?;
    ensure!(label.contains("Read on") && label.contains("more lines"), "{label}");
    web.wait_until_drawn().await?;
    scene.desktop.screenshot(&picture(&format!("{}-long.png", name(kind))))?;
    web.click("[data-testid=deny]").await?;
    assert_eq!(hook.end().await?.decision(), "deny");
    Ok(())
}

/// A character of `spoof` that never may reach a screen.
fn forbidden(spoof: &Value) -> Result<Vec<char>> {
    let named = spoof["forbid_raw"].as_array().context("no list")?;
    let character = |named: &Value| {
        let number = u32::from_str_radix(named.as_str()?.strip_prefix("U+")?, 16).ok()?;
        char::from_u32(number)
    };
    named.iter().map(|named| character(named).context("no character")).collect()
}

fn has_none(text: &str, forbidden: &[char], spoof: &Value) -> Result<()> {
    ensure!(!text.contains(forbidden), "{} is shown as it is: {text:?}", spoof["id"]);
    Ok(())
}

pub(super) async fn a_text_that_misleads_is_marked_and_not_approved_on_its_notification(kind: Kind) -> Result<()> {
    let scene = Scene::start_with(Options::from(kind), &[("config/policy.toml", POLICY)]).await?;
    let tray = scene.desktop.tray().await?;
    let requester = scene.requester("default")?;
    let (mut web, mut denied) = (None, 0);
    let spoofs: Vec<Value> = SPOOFS.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    // Those with a character that acts.
    let acts = |spoof: &Value| spoof["forbid_raw"].as_array().is_some_and(|forbidden| !forbidden.is_empty());
    let spoofs = spoofs.iter().filter(|spoof| spoof["field"] == "args.command" && acts(spoof)).take(SPOOFS_SHOWN);
    for spoof in spoofs {
        let forbidden = forbidden(spoof)?;
        let call = json!({ "tool": "Bash", "arguments": { "command": spoof["payload"] } });
        // `rm -rf ~` would remove what is Handraise's own: nobody is asked.
        if requester.call("POST", "/v1/evaluate", Some(&call))?.body["action"] == "deny" {
            denied += 1;
            continue;
        }
        let asked = requester.open("POST", "/v1/approvals", Some(&call))?;
        let shown = scene.desktop.wait_for_notification(|_| true).await?;
        has_none(&format!("{}\n{}", shown.summary, shown.body), &forbidden, spoof)?;
        only_denies(&shown)?;
        tray.wait_for_menu_item(|item| item.label == "Deny").await?;
        let menu = tray.menu().await?;
        let labels: Vec<&str> = menu.all().map(|item| item.label.as_str()).collect();
        has_none(&labels.join("\n"), &forbidden, spoof)?;
        ensure!(!labels.contains(&"Approve"), "{spoof}: {labels:?}");
        if web.is_none() {
            let window = open(&scene, &shown).await?;
            window.find("[data-testid=findings]").await?;
            has_none(&window.text("[data-testid=prompt-card]").await?, &forbidden, spoof)?;
            scene.desktop.screenshot(&picture(&format!("{}-spoof.png", name(kind))))?;
            window
                .execute("setTimeout(() => window.__TAURI_INTERNALS__.invoke('hide_window'), 100); return null", vec![])
                .await?;
            web = Some(window);
            wait_until("the window to close", PATIENCE, async || {
                let windows = scene.desktop.windows().await?;
                Ok((!windows.iter().any(|window| window.title == "Handraise")).then_some(()))
            })
            .await?;
        }
        drop(asked);
        wait_until_withdrawn(&scene, &shown).await?;
    }
    ensure!(web.is_some() && denied < SPOOFS_SHOWN / 4, "{denied} were denied");
    Ok(())
}
