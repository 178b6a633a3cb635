//! Answering on the native notification.

use anyhow::Result;
use handraise_tests::desktop::Options;

use crate::hook::{EDIT, PUSH, of_event};
use crate::scene::{Scene, picture};

#[tokio::test]
async fn approve_and_deny_on_the_notification_reach_the_agent() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    let labels: Vec<&str> = shown.actions.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["Approve", "Deny", "For this session", "Details"]);
    assert_eq!(shown.summary, "Claude Code in shopfront");
    scene.desktop.wait_for_notification_count(1).await?;
    scene.desktop.screenshot(&picture("notification.png"))?;
    let ended = scene.answer(hook, "cart.ts", "Approve").await?;
    assert_eq!((ended.code, ended.decision(), ended.stderr.as_str()), (Some(0), "allow", ""));
    scene.desktop.wait_for_notification_count(0).await?;

    let hook = scene.ask(PUSH)?;
    let ended = scene.answer(hook, "git push", "Deny").await?;
    assert_eq!((ended.code, ended.decision()), (Some(0), "deny"));
    assert!(ended.reason().contains("Denied in Handraise"), "{}", ended.reason());
    scene.desktop.wait_for_notification_count(0).await
}

#[tokio::test]
async fn for_this_session_on_the_notification_is_remembered_for_that_session() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    assert_eq!(scene.answer(hook, "cart.ts", "For this session").await?.decision(), "allow");

    let before = scene.desktop.notifications().await?.len();
    assert_eq!(scene.ask(EDIT)?.end().await?.decision(), "allow");
    assert_eq!(scene.desktop.notifications().await?.len(), before, "the second call was asked about");
    Ok(())
}

#[tokio::test]
async fn a_destructive_call_cannot_be_approved_on_its_notification() -> Result<()> {
    let policy = "version = 1\nrule = [{ pattern = \"drop_*\", action = \"ask\" }]\n";
    let scene = Scene::start_with(Options::default(), &[("config/policy.toml", policy)]).await?;
    let call = serde_json::json!({ "tool": "drop_table", "arguments": { "name": "users" }, "risk": "destructive" });
    let waiting = scene.requester("default")?.open("POST", "/v1/approvals", Some(&call))?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("drop_table")).await?;
    let labels: Vec<&str> = shown.actions.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["Deny", "Review"]);
    scene.desktop.click_notification_action(&shown, "Deny").await?;
    let reply = tokio::task::spawn_blocking(move || handraise_tests::api::read(waiting)).await??;
    assert_eq!(reply.body["status"], "denied");
    Ok(())
}

#[tokio::test]
async fn many_requests_become_one_notification() -> Result<()> {
    let scene = Scene::start().await?;
    let hooks: Vec<_> =
        (0..5).map(|number| scene.ask(&EDIT.replace("0.21", &format!("0.2{number}")))).collect::<Result<_>>()?;
    scene.desktop.wait_for_notification(|one| one.summary.contains('5') || one.body.contains("5 ")).await?;
    scene.desktop.wait_for_notification_count(1).await?;
    scene.desktop.screenshot(&picture("notification-many.png"))?;
    for hook in hooks {
        hook.kill()?;
    }
    scene.desktop.wait_for_notification_count(0).await
}

/// Claude Code shows its own question while its `PermissionRequest` hook waits, and says nothing to the hook
/// when the person answers there.
#[tokio::test]
async fn an_answer_given_in_the_agent_takes_prompt_and_notification_along() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(&of_event(EDIT, "PermissionRequest")?)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    scene.desktop.click_notification_action(&shown, "Details").await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    let told = scene.ask(&of_event(EDIT, "PostToolUse")?)?.end().await?;
    assert_eq!((told.code, told.answer), (Some(0), serde_json::json!({})));
    scene.desktop.wait_for_notification_count(0).await?;
    web.find("[data-testid=empty]").await?;
    assert_eq!(web.execute("return document.querySelectorAll('[data-testid=prompt-card]').length", vec![]).await?, 0);
    assert!(hook.end().await?.answer.to_string().contains("answered in the agent itself"));
    Ok(())
}

#[tokio::test]
async fn a_hook_that_goes_away_takes_prompt_and_notification_along() -> Result<()> {
    let scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    scene.desktop.click_notification_action(&shown, "Details").await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    hook.kill()?;
    scene.desktop.wait_for_notification_count(0).await?;
    // The person opened the window, so that it stays; the request in it is gone.
    web.find("[data-testid=empty]").await?;
    assert_eq!(web.execute("return document.querySelectorAll('[data-testid=prompt-card]').length", vec![]).await?, 0);
    Ok(())
}
