//! The application dies, nobody answers, files are damaged.

use anyhow::{Context, Result};
use handraise_tests::desktop::{Options, PATIENCE, wait_until};

use crate::hook::{EDIT, PUSH};
use crate::scene::Scene;

#[tokio::test]
async fn a_killed_application_denies_and_says_what_to_do() -> Result<()> {
    let mut scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    scene.crash()?;
    let ended = hook.end().await?;
    assert_eq!((ended.code, ended.decision()), (Some(2), "deny"));

    let absent = scene.ask(EDIT)?.end().await?;
    assert_eq!((absent.code, absent.decision()), (Some(2), "deny"));
    assert!(absent.stderr.contains("handraise"), "{}", absent.stderr);
    Ok(())
}

#[tokio::test]
async fn a_request_that_nobody_answers_is_denied_as_unanswered() -> Result<()> {
    let scene =
        Scene::start_with(Options::default(), &[("config/policy.toml", "version = 1\ntimeout = \"2s\"\n")]).await?;
    let ended = scene.ask(EDIT)?.end().await?;
    assert_eq!((ended.code, ended.decision()), (Some(0), "deny"));
    assert!(ended.reason().to_lowercase().contains("no person answered"), "{}", ended.reason());
    scene.desktop.wait_for_notification_count(0).await
}

#[tokio::test]
async fn a_crash_loses_no_grant_and_damage_never_widens() -> Result<()> {
    let mut scene = Scene::start().await?;
    let hook = scene.ask(EDIT)?;
    assert_eq!(scene.answer(hook, "cart.ts", "For this session").await?.decision(), "allow");
    scene.crash_and_restart().await?;
    assert_eq!(scene.ask(EDIT)?.end().await?.decision(), "allow", "the grant is gone");

    // Damaged: set aside; the audit log has the grants.
    let grants = scene.desktop.home().join("data/grants.json");
    scene.crash()?;
    std::fs::write(&grants, "{ this is not what was written")?;
    scene.crash_and_restart().await?;
    let aside = wait_until("the damaged file", PATIENCE, async || {
        let folder = std::fs::read_dir(grants.parent().context("no folder")?)?;
        Ok(folder.flatten().find(|entry| entry.file_name().to_string_lossy().contains("damaged")))
    })
    .await?;
    assert_eq!(std::fs::read_to_string(aside.path())?, "{ this is not what was written");
    assert_eq!(scene.ask(EDIT)?.end().await?.decision(), "allow", "what the audit log has was not restored");

    // Written by somebody else: a grant that no decision backs does not count.
    scene.crash()?;
    let text = std::fs::read_to_string(&grants)?;
    assert!(text.contains("\"Edit\""), "{text}");
    std::fs::write(&grants, text.replace("\"Edit\"", "\"Bash\"").replace("\"exact\"", "\"tool\""))?;
    scene.crash_and_restart().await?;
    let hook = scene.ask(PUSH)?;
    scene.desktop.wait_for_notification(|one| one.body.contains("git push")).await?;
    hook.kill()
}

#[tokio::test]
async fn a_second_start_shows_the_first_one_and_ends() -> Result<()> {
    let scene = Scene::start().await?;
    let mut second = scene.start_again()?;
    let status = wait_until("the second start to end", PATIENCE, async || second.exit_status()).await?;
    assert!(status.success(), "{}", second.log());
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=empty]").await?;
    Ok(())
}
