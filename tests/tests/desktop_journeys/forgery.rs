//! What only looks like a person's click decides nothing.

use anyhow::Result;
use handraise_tests::desktop::{Notification, NotificationState};

use crate::hook::{EDIT, PUSH};
use crate::scene::Scene;

#[tokio::test]
async fn a_forged_click_decides_nothing() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    for action in ["approve", "session", "default"] {
        scene.desktop.forge_action_invoked(shown.id, action).await?;
    }
    // A real click comes after the forged ones on the same bus: had they counted, it would be too late.
    let ended = scene.answer(hook, "cart.ts", "Deny").await?;
    assert_eq!(ended.decision(), "deny", "{ended:?}");
    Ok(())
}

#[tokio::test]
async fn after_a_restart_of_the_notification_server_one_click_answers_one_request() -> Result<()> {
    let mut scene = Scene::start().await?;
    let edit = scene.ask(EDIT)?;
    let old = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    scene.desktop.restart_notification_server().await?;

    // Both requests are shown on the new server, whose ids begin at 1 again.
    let push = scene.ask(PUSH)?;
    let new_edit = scene.desktop.wait_for_notification(shown_anew(&old.server, "cart.ts")).await?;
    let new_push = scene.desktop.wait_for_notification(shown_anew(&old.server, "git push")).await?;
    assert!([new_edit.id, new_push.id].contains(&old.id), "the ids were not used again");

    // Its buttons approve nothing until the person has answered in the window.
    assert_eq!(scene.answer(push, "git push", "Deny").await?.decision(), "deny");
    let still_open = scene.desktop.wait_for_notification(shown_anew(&old.server, "cart.ts")).await?;
    assert_eq!(still_open.id, new_edit.id, "one click answered both");
    assert_eq!(scene.answer(edit, "cart.ts", "Deny").await?.decision(), "deny");
    Ok(())
}

/// Open on another server than `old_server`, and about `text`.
fn shown_anew(old_server: &str, text: &'static str) -> impl Fn(&Notification) -> bool {
    let old_server = old_server.to_owned();
    move |one| one.server != old_server && one.state == NotificationState::Open && one.body.contains(text)
}
