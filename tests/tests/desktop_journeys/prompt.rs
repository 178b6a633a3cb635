//! Answering in the prompt window, driven through WebKit.

use anyhow::Result;
use handraise_tests::desktop::{Options, PATIENCE, WebDriver, wait_until};

use crate::hook::{EDIT, Hook, PUSH, of_session};
use crate::scene::{Scene, deny, picture};

/// Opens the prompt window from the notification that contains `text`.
async fn open_prompt(scene: &Scene, text: &str) -> Result<WebDriver> {
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains(text)).await?;
    scene.desktop.click_notification_action(&shown, "Details").await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    Ok(web)
}

#[tokio::test]
async fn for_this_session_in_the_prompt_window_and_not_for_another() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    let web = open_prompt(&scene, "cart.ts").await?;
    web.screenshot(&picture("prompt-edit.png")).await?;
    // Not before it is armed: the button says so itself.
    web.find("[data-testid=approve-session][data-armed=true]").await?;
    web.click("[data-testid=approve-session]").await?;
    assert_eq!(hook.end().await?.decision(), "allow");

    let again = scene.ask(EDIT)?.end().await?;
    assert_eq!((again.code, again.decision()), (Some(0), "allow"));
    // A person works in the window, so that no notification comes on top of it.
    web.find("[data-testid=empty]").await?;
    let other = scene.ask(&of_session(EDIT, "another-session")?)?;
    web.find("[data-testid=prompt-card]").await?;
    other.kill()
}

#[tokio::test]
async fn the_reason_of_a_denial_reaches_the_model() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(PUSH)?;
    let web = open_prompt(&scene, "git push").await?;
    web.screenshot(&picture("prompt-command.png")).await?;
    web.click("[data-testid=deny-with-reason]").await?;
    web.fill("[data-testid=reason]", "open a pull request instead").await?;
    web.click("[data-testid=deny]").await?;
    let ended = hook.end().await?;
    assert_eq!(ended.decision(), "deny");
    assert_eq!(ended.reason(), "Denied in Handraise: open a pull request instead");
    Ok(())
}

#[tokio::test]
async fn the_window_takes_no_keyboard_and_opens_by_itself_without_notifications() -> Result<()> {
    let options = Options { notification_server: false, ..Options::default() };
    let scene = Scene::start_with(options, &[]).await?;
    let terminal = scene.desktop.spawn(std::process::Command::new("xterm").args(["-T", "typing here"]))?;
    wait_until("the terminal", PATIENCE, async || {
        scene.desktop.window("typing here")?;
        Ok((scene.desktop.active_window().as_deref() == Some("typing here")).then_some(()))
    })
    .await?;

    let hook = scene.ask(EDIT)?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    assert_eq!(scene.desktop.active_window().as_deref(), Some("typing here"));
    scene.desktop.press("Return")?;
    scene.desktop.press("a")?;
    scene.desktop.screenshot(&picture("prompt-unfocused.png"))?;
    deny(hook, &web).await?;
    drop(terminal);
    Ok(())
}

#[tokio::test]
async fn ten_requests_at_once_are_answered_one_by_one() -> Result<()> {
    let scene = Scene::start().await?;
    let hooks: Vec<Hook> =
        (0..10).map(|number| scene.ask(&EDIT.replace("0.21", &format!("0.3{number}")))).collect::<Result<_>>()?;
    scene.desktop.wait_for_notification(|one| one.summary.contains("10") || one.body.contains("10 ")).await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("inbox")).await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    let count = "return document.querySelectorAll('[data-testid=list-item]').length";
    wait_until("all ten", PATIENCE, async || Ok((web.execute(count, vec![]).await? == 10).then_some(()))).await?;
    web.screenshot(&picture("prompt-ten.png")).await?;
    for hook in hooks {
        hook.kill()?;
    }
    Ok(())
}
