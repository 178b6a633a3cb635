//! Notification, window and tray.

use anyhow::{Context, Result};
use handraise_tests::desktop::{Kind, Notification, NotificationState, PATIENCE, WebDriver, wait_until};
use serde_json::json;

use crate::hook::{EDIT, Hook, PUSH, of_tool};
use crate::scene::{ONE_CLICK, Scene, picture};

/// The buttons; a click on the notification itself is none.
fn buttons(shown: &Notification) -> Vec<&str> {
    shown.actions.iter().filter(|(key, _)| key != "default").map(|(_, label)| label.as_str()).collect()
}

/// What stands on a notification of a harmless call. Any program can press mako's buttons, so that nothing is approved
/// there. Plasma has a field for a reason.
fn usual(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Sway => &["Deny", "Review"],
        Kind::Xfce | Kind::Gnome => &["Approve", "Deny", "For this session"],
        Kind::Plasma => &["Approve", "Deny", "For this session", "Reason…"],
    }
}

/// What stands there when nothing may be approved. Xfce draws the click on the notification itself as a button.
fn only_denies(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Xfce => &["Deny"],
        Kind::Gnome | Kind::Sway => &["Deny", "Review"],
        Kind::Plasma => &["Deny", "Reason…", "Review"],
    }
}

pub(super) fn name(kind: Kind) -> String {
    format!("{kind:?}").to_lowercase()
}

pub(super) async fn wait_until_withdrawn(scene: &Scene, notification: &Notification) -> Result<()> {
    let mut state = NotificationState::Open;
    let ended = wait_until("the notification to be withdrawn", PATIENCE, async || {
        let all = scene.desktop.notifications().await?;
        let same = all.iter().find(|one| one.id == notification.id && one.server == notification.server);
        state = same.context("it was never shown")?.state;
        Ok(matches!(state, NotificationState::Closed(_)).then_some(()))
    });
    ended.await.with_context(|| scene.app.log())
}

async fn prompt(scene: &Scene) -> Result<WebDriver> {
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    Ok(web)
}

pub(super) async fn a_notification_says_it_all_and_is_answered(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let hook = scene.ask(EDIT)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    assert_eq!(shown.summary, "Claude Code in shopfront");
    assert!(shown.body.contains("const tax = 0.21;"), "{}", shown.body);
    assert_eq!(buttons(&shown), usual(kind));
    if kind != Kind::Sway {
        // Drawn, not only sent.
        let title = scene.desktop.notification_title(&shown).await?;
        scene.desktop.point(title)?;
        scene.desktop.notification_button(&shown, "Approve").await?;
    }
    scene.desktop.screenshot(&picture(&format!("{}-notification.png", name(kind))))?;
    let (label, decision) = if kind == Kind::Sway { ("Deny", "deny") } else { ("Approve", "allow") };
    assert_eq!(scene.answer(hook, "cart.ts", label).await?.decision(), decision);
    wait_until_withdrawn(&scene, &shown).await
}

pub(super) async fn a_click_leads_to_the_very_request_and_the_window_has_the_keyboard(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let ask = |file: &str| {
        let path = format!("/home/ana/code/shopfront/{file}");
        scene.ask(&of_tool("Write", json!({ "file_path": path, "content": "x" }))?)
    };
    let desktop = &scene.desktop;
    // GNOME shows one banner at a time, the first that came.
    let mut hooks = vec![ask("first.txt")?];
    let first = desktop.wait_for_notification(|one| one.body.contains("first.txt")).await?;
    let _typist = desktop.typist("typing here").await?;
    desktop.click_notification(&first).await?;
    let web = prompt(&scene).await?;
    web.wait_for_text("[data-testid=prompt-card]", |text| text.contains("first.txt")).await?;
    let window = desktop.wait_for_window("Handraise", |window| window.has_focus).await?;
    assert_eq!(window.application, "Handraise");
    web.wait_until_drawn().await?;
    desktop.screenshot(&picture(&format!("{}-prompt.png", name(kind))))?;

    // The person goes back to work. The window is open, and behind; a click brings it forward.
    let _other = desktop.typist("typing elsewhere").await?;
    hooks.push(ask("second.txt")?);
    let shown = desktop.wait_for_notification(|one| one.body.contains("second.txt")).await?;
    wait_until("a click to lead there", PATIENCE, async || {
        tokio::time::timeout(ONE_CLICK, desktop.click_notification(&shown)).await??;
        let leads = web.wait_for_text("[data-testid=prompt-card]", |text| text.contains("second.txt"));
        tokio::time::timeout(ONE_CLICK, leads).await?.map(Some)
    })
    .await?;
    desktop.wait_for_window("Handraise", |window| window.has_focus).await?;
    web.wait_until_drawn().await?;
    desktop.screenshot(&picture(&format!("{}-prompt-again.png", name(kind))))?;
    hooks.into_iter().try_for_each(Hook::kill)
}

pub(super) async fn an_answer_elsewhere_takes_the_notification_along(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let hook = scene.ask(EDIT)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    hook.kill()?;
    wait_until_withdrawn(&scene, &shown).await?;
    let push = scene.ask(PUSH)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("git push")).await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label == "Deny").await?;
    assert_eq!(push.end().await?.decision(), "deny");
    wait_until_withdrawn(&scene, &shown).await
}

/// Waits until the shell shows and lists so many notifications about the file.
async fn wait_until_gnome_has(scene: &Scene, count: usize) -> Result<()> {
    let mut last = Vec::new();
    let found = wait_until("GNOME Shell to tidy up", PATIENCE, async || {
        last = scene.desktop.gnome_notifications().await?;
        Ok((last.iter().filter(|one| one.contains("cart.ts")).count() == count).then_some(()))
    });
    found.await.with_context(|| format!("{last:#?}"))
}

pub(super) async fn a_new_notification_server_only_denies_and_opens(kind: Kind) -> Result<()> {
    let mut scene = Scene::start_on(kind).await?;
    let hook = scene.ask(EDIT)?;
    let old = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    assert_eq!(buttons(&old), usual(kind));
    scene.desktop.restart_notification_server().await?;
    let is_new = |one: &Notification| one.server != old.server && one.body.contains("cart.ts");
    let new = scene.desktop.wait_for_notification(is_new).await?;
    assert_eq!(buttons(&new), only_denies(kind));
    assert!(new.body.contains("Another program shows notifications now"), "{}", new.body);
    if kind == Kind::Gnome {
        // The shell itself went on, and what the old server had left there is gone.
        wait_until_gnome_has(&scene, 1).await?;
    }
    assert_eq!(scene.answer(hook, "cart.ts", "Deny").await?.decision(), "deny");
    Ok(())
}

pub(super) async fn what_a_killed_application_left_goes_when_it_starts_again(kind: Kind) -> Result<()> {
    let mut scene = Scene::start_on(kind).await?;
    let hook = scene.ask(EDIT)?;
    let left = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    let record = scene.desktop.home().join("run/notifications.json");
    wait_until("the record", PATIENCE, async || {
        Ok(std::fs::read_to_string(&record).unwrap_or_default().contains(&left.server).then_some(()))
    })
    .await?;
    scene.crash_and_restart().await?;
    if kind == Kind::Gnome {
        // Its server tells nobody of it, since whoever sent it is gone.
        wait_until_gnome_has(&scene, 0).await?;
        return hook.kill();
    }
    wait_until_withdrawn(&scene, &left).await?;
    hook.kill()
}

/// Any program can start it once more, so that the window may show itself, and take nothing.
pub(super) async fn a_second_start_shows_the_window_and_leaves_the_keyboard(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("inbox")).await?;
    scene.desktop.wait_for_window("Handraise", |_| true).await?;
    if kind == Kind::Xfce {
        // It was asked for, and takes the keyboard some time after it is there.
        let has_it = async || Ok((scene.desktop.focus().await? == "Handraise").then_some(()));
        wait_until("the window to have the keyboard", PATIENCE, has_it).await?;
    }
    let _typist = scene.desktop.typist("typing here").await?;
    let mut second = scene.start_again()?;
    let status = wait_until("the second start to end", PATIENCE, async || second.exit_status()).await?;
    anyhow::ensure!(status.success(), "{}", second.log());
    if kind != Kind::Xfce {
        scene.desktop.wait_for_window("Handraise", |window| window.wants_attention).await?;
    }
    assert_eq!(scene.desktop.focus().await?, "typing here");
    scene.desktop.screenshot(&picture(&format!("{}-started-again.png", name(kind))))?;
    Ok(())
}

pub(super) async fn the_tray_says_what_waits(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let hook = scene.ask(EDIT)?;
    let tray = scene.desktop.tray().await?;
    tray.wait_for_menu_item(|item| item.label.contains("cart.ts")).await?;
    scene.desktop.screenshot(&picture(&format!("{}-tray.png", name(kind))))?;
    tray.activate_menu_item(|item| item.label == "Approve").await?;
    assert_eq!(hook.end().await?.decision(), "allow");
    tray.wait_for_menu_item(|item| item.label.contains("Nothing")).await?;
    Ok(())
}
