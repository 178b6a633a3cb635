//! Many wait at once.

use std::net::TcpStream;

use anyhow::{Context, Result, bail, ensure};
use handraise_tests::api;
use handraise_tests::desktop::{Kind, Options, PATIENCE, WebDriver, wait_until};
use serde_json::{Value, json};

use super::journeys::name;
use crate::scene::{Scene, picture};

const AGENTS: [&str; 10] =
    ["claude-code", "codex", "gemini-cli", "copilot-cli", "opencode", "qwen-code", "cursor", "amp", "goose", "cline"];

/// Every call is asked about, and waits as long as the test takes.
const POLICY: &str = "version = 1\ntimeout = \"1h\"\nrule = [{ pattern = \"*\", action = \"ask\" }]\n";

async fn scene(kind: Kind) -> Result<Scene> {
    Scene::start_with(Options::from(kind), &[("config/policy.toml", POLICY)]).await
}

fn call(agent: &str, file: &str, session: usize) -> Value {
    json!({
        "tool": "Bash", "arguments": { "command": format!("touch {file}") }, "agent": agent,
        "session": format!("session {session}"),
    })
}

/// Opens the prompt window by a click on the notification that says how many wait.
async fn open(scene: &Scene, count: &str) -> Result<WebDriver> {
    let shown = scene.desktop.wait_for_notification(|one| one.summary.contains(count)).await?;
    scene.desktop.click_notification(&shown).await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    Ok(web)
}

async fn listed(web: &WebDriver) -> Result<Value> {
    web.execute("return document.querySelectorAll('[data-testid=list-item]').length", vec![]).await
}

/// Ten agents ask, each with a credential of its own. One notification says so; the tray's entry leads to the very
/// request that it stands for, and the answer there reaches the agent that asked, and no other.
pub(super) async fn ten_agents_at_once_and_each_is_found(kind: Kind) -> Result<()> {
    let scene = scene(kind).await?;
    let asking: Vec<TcpStream> = AGENTS
        .iter()
        .map(|agent| {
            let call = call(agent, &format!("{agent}.txt"), 1);
            scene.requester(agent)?.open("POST", "/v1/approvals", Some(&call))
        })
        .collect::<Result<_>>()?;
    let shown = scene.desktop.wait_for_notification(|one| one.summary.contains("10")).await?;
    ensure!(!shown.actions.iter().any(|(key, _)| key == "approve"), "{shown:?}");
    let web = open(&scene, "10").await?;
    wait_until("all ten", PATIENCE, async || Ok((listed(&web).await? == json!(10)).then_some(()))).await?;
    web.wait_until_drawn().await?;
    scene.desktop.screenshot(&picture(&format!("{}-ten.png", name(kind))))?;

    let tray = scene.desktop.tray().await?;
    // The oldest have entries; which of ten that ask at once came in first is open.
    tray.wait_for_menu_item(|item| item.label.contains("more in the inbox")).await?;
    let menu = tray.menu().await?;
    let entry = |agent: &str| format!("touch {agent}.txt");
    let listed_agents = AGENTS.iter().filter(|agent| menu.all().any(|item| item.label.contains(&entry(agent))));
    let chosen: Vec<&str> = listed_agents.copied().take(2).collect();
    let [_, answered] = chosen.as_slice() else { bail!("entries of {chosen:?}: {menu:#?}") };
    for agent in &chosen {
        let entry = tray.wait_for_menu_item(|item| item.label.contains(&entry(agent))).await?;
        let open = entry.children.iter().find(|item| item.label == "Open").context("no Open")?.id;
        tray.activate_menu_item(|item| item.id == open).await?;
        web.wait_for_text("#card-subject", |text| text.contains(&format!("{agent}.txt"))).await?;
    }
    web.click("[data-testid=deny]").await?;
    wait_until("nine to be left", PATIENCE, async || Ok((listed(&web).await? == json!(9)).then_some(()))).await?;
    for (agent, stream) in AGENTS.iter().zip(asking) {
        if agent == answered {
            let reply = tokio::task::spawn_blocking(move || api::read(stream)).await??;
            assert_eq!(reply.body["status"], "denied");
        } else {
            stream.set_nonblocking(true)?;
            let answer = stream.peek(&mut [0]);
            assert!(answer.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock), "{agent} has an answer");
        }
    }
    Ok(())
}

/// As many wait as may: 250 of each of four agents, 50 of each session.
pub(super) async fn a_thousand_wait_and_one_is_answered(kind: Kind) -> Result<()> {
    let scene = scene(kind).await?;
    for agent in AGENTS.iter().take(4) {
        let requester = scene.requester(agent)?;
        for number in 0..250 {
            let call = call(agent, &format!("{agent}-{number}.txt"), number / 50);
            let reply = requester.call("POST", "/v1/approvals?wait=0", Some(&call))?;
            ensure!(reply.status == 202, "{agent} {number}: {reply:?}");
        }
    }
    let web = open(&scene, "1000").await?;
    // Those that look alike are one row, so that there are fewer rows than requests.
    let heading = "nav[aria-label] h2";
    web.wait_for_text(heading, |text| text == "1,000 waiting").await?;
    web.wait_for_text("#card-subject", |text| text.contains("claude-code-0.txt")).await?;
    web.wait_until_drawn().await?;
    scene.desktop.screenshot(&picture(&format!("{}-thousand.png", name(kind))))?;
    web.fill("[data-testid=inbox-search]", "codex-249").await?;
    wait_until("the one that is looked for", PATIENCE, async || Ok((listed(&web).await? == json!(1)).then_some(())))
        .await?;
    web.click("[data-testid=list-item]").await?;
    web.wait_for_text("#card-subject", |text| text.contains("codex-249.txt")).await?;
    web.click("[data-testid=deny]").await?;
    web.wait_for_text(heading, |text| text == "999 waiting").await?;
    let tray = scene.desktop.tray().await?;
    tray.wait_for_menu_item(|item| item.label.contains("999")).await?;
    Ok(())
}
