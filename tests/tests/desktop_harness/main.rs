//! The private desktop itself, without the app: real buttons of notifications, a forged click, a notification server
//! that crashes, a tray menu, and nothing left behind.

#![cfg(target_os = "linux")]

mod notification_client;
mod tray_item;
mod web_windows;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use handraise_tests::desktop::{Desktop, NotificationState, Options, PATIENCE, wait_until};
use notification_client::NotificationClient;
use tokio::time::timeout;

/// Where pictures go, to be looked at by a person.
fn picture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures").join(name)
}

#[tokio::test]
async fn a_click_on_the_real_button_of_a_notification_reaches_the_program_that_sent_it() -> Result<()> {
    let desktop = Desktop::start(Options::default()).await?;
    let client = NotificationClient::connect(&desktop).await?;
    let older = client.notify("Run the tests?", "npm test").await?;
    let newer = client.notify("Delete the build folder?", "rm -rf <b>build</b>").await?;
    desktop.wait_for_notification_count(2).await?;
    desktop.screenshot(&picture("notifications.png"))?;

    let shown = desktop.wait_for_notification(|notification| notification.id == older).await?;
    assert_eq!(shown.summary, "Run the tests?");
    assert_eq!(shown.actions, [("approve".to_owned(), "Approve".to_owned()), ("deny".to_owned(), "Deny".to_owned())]);
    assert_eq!(Some(shown.sender.as_str()), client.name());

    desktop.click_notification_action(&shown, "Deny").await?;
    assert_eq!(client.next_action().await?, (older, "deny".to_owned(), shown.server.clone()));
    desktop.wait_for_notification_count(1).await?;
    assert!(desktop.notification_popups().await?.iter().any(|popup| popup.find("label", "rm -rf build").is_some()));

    client.close(newer).await?;
    desktop.wait_for_notification_count(0).await?;
    assert_eq!(desktop.close_calls().await?, [newer]);
    wait_until("both to be closed", PATIENCE, async || {
        let states: Vec<_> = desktop.notifications().await?.iter().map(|notification| notification.state).collect();
        Ok((states == [NotificationState::Closed(2), NotificationState::Closed(3)]).then_some(()))
    })
    .await
}

#[tokio::test]
async fn a_forged_click_comes_from_another_sender_than_the_notification_server() -> Result<()> {
    let desktop = Desktop::start(Options { window_manager: false, tray_host: false, ..Options::default() }).await?;
    let client = NotificationClient::connect(&desktop).await?;
    let id = client.notify("Run the tests?", "npm test").await?;
    let shown = desktop.wait_for_notification(|notification| notification.id == id).await?;

    desktop.forge_action_invoked(id, "approve").await?;

    let (forged_id, action, sender) = client.next_action().await?;
    assert_eq!((forged_id, action.as_str()), (id, "approve"));
    assert_ne!(sender, shown.server);
    assert_eq!(desktop.notification_count().await?, 1);
    Ok(())
}

#[tokio::test]
async fn a_notification_server_that_crashed_gives_the_same_ids_again() -> Result<()> {
    let mut desktop = Desktop::start(Options { window_manager: false, tray_host: false, ..Options::default() }).await?;
    let client = NotificationClient::connect(&desktop).await?;
    let before = client.notify("Before", "").await?;
    desktop.wait_for_notification_count(1).await?;

    desktop.stop_notification_server().await?;
    client.notify("While there is none", "").await.expect_err("no server can be started on demand");
    desktop.start_notification_server().await?;
    let after = client.notify("After", "").await?;

    assert_eq!(before, after);
    let [old, new] = desktop.notifications().await?.try_into().ok().context("two notifications")?;
    assert_ne!(old.server, new.server);
    desktop.click_notification_action(&new, "Approve").await?;
    assert_eq!(client.next_action().await?, (after, "approve".to_owned(), new.server));
    Ok(())
}

#[tokio::test]
async fn a_tray_menu_is_read_and_chosen_from_with_and_without_the_real_pointer() -> Result<()> {
    let desktop = Desktop::start(Options::default()).await?;
    let program = desktop.connect_to_bus().await?;
    let mut clicked = tray_item::show(&program).await?;
    let tray = desktop.tray().await?;
    assert_eq!(tray.property("Title").await?, "An example");
    let menu = tray.menu().await?;
    assert_eq!(menu.labels(), ["Approve", "-", "Never", "Quiet"]);
    assert_eq!(menu.children.iter().map(|item| item.checked).collect::<Vec<_>>(), [None, None, None, Some(true)]);

    tray.activate_menu_item(|item| item.label == "Approve").await?;
    assert_eq!(timeout(PATIENCE, clicked.recv()).await?, Some(1));

    tray.open_menu().await?;
    desktop.screenshot(&picture("tray-menu.png"))?;
    tray.close_menu().await?;
    tray.choose_menu_item(|item| item.label == "Quiet").await?;
    assert_eq!(timeout(PATIENCE, clicked.recv()).await?, Some(4));
    Ok(())
}

#[tokio::test]
async fn keys_go_to_the_window_that_has_the_focus() -> Result<()> {
    let desktop = Desktop::start(Options::default()).await?;
    let typed = desktop.home().join("typed");
    let mut terminal = Command::new("xterm");
    terminal.args(["-T", "a terminal", "-e", "sh", "-c", r#"read line; printf %s "$line" > "$HOME/typed"; read more"#]);
    let _terminal = desktop.spawn(&terminal)?;
    wait_until("the terminal to have the focus", PATIENCE, async || {
        Ok((desktop.active_window().as_deref() == Some("a terminal")).then_some(()))
    })
    .await?;
    assert!(desktop.window("a terminal")?.width > 100);
    desktop.type_text("Hello $1")?;
    desktop.press("Return")?;
    wait_until("the line", PATIENCE, async || Ok((std::fs::read_to_string(&typed)? == "Hello $1").then_some(())))
        .await?;
    desktop.screenshot(&picture("terminal.png"))
}

#[tokio::test]
async fn nothing_is_left_of_a_desktop_that_was_dropped() -> Result<()> {
    let desktop = Desktop::start(Options::default()).await?;
    let mut stubborn = Command::new("setsid");
    stubborn.args(["sh", "-c", "trap '' TERM HUP; echo ready; while :; do sleep 1; done"]);
    let process = desktop.spawn(&stubborn)?;
    wait_until("the process", PATIENCE, async || Ok(process.log().contains("ready").then_some(()))).await?;
    let home = desktop.home();
    let mark = home.to_string_lossy().into_owned();
    assert!(processes_with(&mark) >= 8);

    drop(desktop);

    assert_eq!(processes_with(&mark), 0);
    assert!(!home.exists());
    Ok(())
}

/// How many processes have `text` in their environment.
fn processes_with(text: &str) -> usize {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let environments = entries.filter_map(|entry| std::fs::read(entry.path().join("environ")).ok());
    environments.filter(|environment| String::from_utf8_lossy(environment).contains(text)).count()
}
