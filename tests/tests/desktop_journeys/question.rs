//! A question of an agent, answered on the desktop.

use anyhow::{Context, Result};
use handraise_tests::api::{self, Reply};
use handraise_tests::desktop::{Notification, NotificationState, PATIENCE, wait_until};
use serde_json::{Value, json};

use crate::scene::{Scene, picture};
use crate::settings::check_accessibility;

/// An agent that waits for an answer.
struct Asking {
    reply: tokio::task::JoinHandle<Result<Reply>>,
}

impl Asking {
    fn start(scene: &Scene, question: &Value) -> Result<Self> {
        let stream = scene.requester("claude-code")?.open("POST", "/v1/questions", Some(question))?;
        Ok(Self { reply: tokio::task::spawn_blocking(move || api::read(stream)) })
    }

    async fn end(self) -> Result<Value> {
        Ok(self.reply.await??.body)
    }
}

fn database() -> Value {
    json!({
        "question": "Which database should the tests run against?\nBoth work.",
        "header": "Test database",
        "choices": [{ "label": "PostgreSQL", "description": "The one in production." }, { "label": "SQLite" }],
        "cwd": "/home/mira/shopfront",
    })
}

#[tokio::test]
async fn a_choice_on_the_notification_reaches_the_agent() -> Result<()> {
    let scene = Scene::start().await?;
    let asking = Asking::start(&scene, &database())?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("Which database")).await?;
    assert_eq!(shown.summary, "Claude Code in shopfront asks");
    let labels: Vec<&str> = shown.actions.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels[..2], ["PostgreSQL", "SQLite"]);
    scene.desktop.screenshot(&picture("question-notification.png"))?;
    // A click that comes faster than a person could have meant it does not count.
    wait_until("the answer", PATIENCE, async || {
        if asking.reply.is_finished() {
            return Ok(Some(()));
        }
        let is_open = |one: &Notification| one.state == NotificationState::Open && one.body.contains("Which database");
        let open = scene.desktop.heard_notifications().into_iter().find(is_open).context("no notification")?;
        let click = scene.desktop.click_notification_action(&open, "SQLite");
        tokio::time::timeout(std::time::Duration::from_secs(3), click).await??;
        Ok(None)
    })
    .await?;
    let result = asking.end().await?;
    assert_eq!((&result["status"], &result["answer"]), (&json!("answered"), &json!("SQLite")));
    scene.desktop.wait_for_notification_count(0).await
}

#[tokio::test]
async fn a_choice_and_words_in_the_prompt_window_reach_the_agent() -> Result<()> {
    let scene = Scene::start().await?;
    let asking = Asking::start(&scene, &database())?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("Which database")).await?;
    scene.desktop.click_notification_action(&shown, "Answer…").await?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=question-card]").await?;
    assert!(web.text("[data-testid=question-text]").await?.contains("Both work."));
    web.click("[data-testid=choice-1]").await?;
    web.fill("[data-testid=own-words]", "in a container").await?;
    web.screenshot(&picture("question-prompt.png")).await?;
    check_accessibility(&web, "a question").await?;
    web.find("[data-testid=answer][data-armed=true]").await?;
    web.click("[data-testid=answer]").await?;
    let result = asking.end().await?;
    assert_eq!((&result["status"], &result["selected"]), (&json!("answered"), &json!(["PostgreSQL"])));
    assert_eq!(result["answer"], "PostgreSQL\nin a container");
    web.find("[data-testid=empty]").await?;
    scene.desktop.wait_for_notification_count(0).await
}
