//! A program that sends notifications with two buttons and hears what becomes of them; it stands for an app.

use std::collections::HashMap;

use anyhow::{Context, Result};
use futures_util::StreamExt;
use handraise_tests::desktop::{Desktop, PATIENCE};
use tokio::sync::Mutex;
use zbus::zvariant::Value;
use zbus::{Connection, MatchRule, Message, MessageStream};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

/// A connection that sends notifications and listens for `ActionInvoked`.
pub(crate) struct NotificationClient {
    connection: Connection,
    actions: Mutex<MessageStream>,
}

impl NotificationClient {
    pub(crate) async fn connect(desktop: &Desktop) -> Result<Self> {
        let connection = desktop.connect_to_bus().await?;
        let rule = MatchRule::builder().interface(NAME)?.member("ActionInvoked")?.build();
        let actions = MessageStream::for_match_rule(rule, &connection, None).await?;
        Ok(Self { connection, actions: Mutex::new(actions) })
    }

    /// The unique name of this program on the bus.
    pub(crate) fn name(&self) -> Option<&str> {
        self.connection.unique_name().map(|name| name.as_str())
    }

    /// Sends a notification that stays, with the buttons "Approve" and "Deny"; returns its id.
    pub(crate) async fn notify(&self, summary: &str, body: &str) -> Result<u32> {
        let actions = ["approve", "Approve", "deny", "Deny"];
        let hints = HashMap::from([("urgency", Value::U8(2))]);
        let arguments = ("Example", 0_u32, "dialog-question", summary, body, &actions[..], hints, 0_i32);
        Ok(self.call("Notify", &arguments).await?.body().deserialize()?)
    }

    pub(crate) async fn close(&self, id: u32) -> Result<()> {
        self.call("CloseNotification", &id).await.map(drop)
    }

    /// The next `ActionInvoked` signal from anyone: id, action, sender.
    pub(crate) async fn next_action(&self) -> Result<(u32, String, String)> {
        let mut actions = self.actions.lock().await;
        let signal = tokio::time::timeout(PATIENCE, actions.next()).await?.context("the bus is gone")??;
        let (id, action) = signal.body().deserialize()?;
        Ok((id, action, signal.header().sender().context("a signal has a sender")?.to_string()))
    }

    async fn call<A>(&self, method: &str, arguments: &A) -> Result<Message>
    where
        A: serde::Serialize + zbus::zvariant::DynamicType + Sync,
    {
        Ok(self.connection.call_method(Some(NAME), PATH, Some(NAME), method, arguments).await?)
    }
}
