//! Everything said about notifications on the session bus, as a monitor of the bus hears it.
//!
//! Calls and signals are those of the Desktop Notifications Specification 1.2; listening is `BecomeMonitor` of the
//! D-Bus specification, which takes no part in the conversation.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use futures_util::StreamExt;
use tokio::task::JoinHandle;
use zbus::message::Type;
use zbus::zvariant::OwnedValue;
use zbus::{Connection, MatchRule, Message, MessageStream, fdo};

use super::notification_server::{NAME, PATH};
use super::session_bus::connect;
use super::wait::{PATIENCE, wait_until};

/// The signal of [`BusRecord::catch_up`], which no notification server sends.
const MARK: &str = "TestMark";
/// Who answers for a name that nobody has.
const BUS: &str = "org.freedesktop.DBus";

/// One `Notify` call that a server answered, or refused.
#[derive(Debug, Clone)]
pub struct Notification {
    /// The id the server gave it.
    pub id: u32,
    /// The id of the notification it was to replace, or 0.
    pub replaces: u32,
    /// Unique bus name of the program that sent it.
    pub sender: String,
    /// Unique bus name of the server that showed it; two servers may give the same id.
    pub server: String,
    /// The program's name as it told the server.
    pub app_name: String,
    /// Icon name or path.
    pub icon: String,
    /// The title.
    pub summary: String,
    /// The text, with markup as sent.
    pub body: String,
    /// The buttons: key and label.
    pub actions: Vec<(String, String)>,
    /// The hints, such as `urgency`.
    pub hints: HashMap<String, OwnedValue>,
    /// Milliseconds until it expires; 0 never, -1 as the server likes.
    pub timeout: i32,
    /// Whether it is still up.
    pub state: NotificationState,
}

/// What became of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotificationState {
    /// Nothing said it went away.
    Open,
    /// The server answered with an error, and showed nothing.
    Refused,
    /// Another `Notify` took its id over.
    Replaced,
    /// The server said it closed, for this reason: 1 expired, 2 dismissed, 3 by `CloseNotification`.
    Closed(u32),
}

/// An `ActionInvoked` signal, real or forged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ActionSignal {
    /// Unique bus name of whoever sent the signal.
    pub(super) sender: String,
    /// The notification's id.
    pub(super) id: u32,
    /// The key of the action.
    pub(super) action: String,
}

/// The record so far, and the task that goes on writing it.
#[derive(Debug)]
pub(super) struct BusRecord {
    heard: Arc<Mutex<Heard>>,
    marks: AtomicU32,
    listener: JoinHandle<()>,
}

/// What a monitor has heard.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) notifications: Vec<Notification>,
    pub(super) actions: Vec<ActionSignal>,
    pub(super) close_calls: Vec<u32>,
    /// The highest mark of [`BusRecord::catch_up`] that came by.
    mark: u32,
    /// `Notify` calls without an answer yet, by caller and serial number.
    unanswered: HashMap<(String, u32), Notification>,
}

impl BusRecord {
    /// Starts listening; what is said after this has returned is in the record.
    pub(super) async fn start(address: &str) -> Result<Self> {
        let connection = connect(address).await?;
        let replies = [Type::MethodReturn, Type::Error].map(|kind| MatchRule::builder().msg_type(kind).build());
        let [returned, refused] = replies;
        let rules = [MatchRule::builder().interface(NAME)?.build(), returned, refused];
        fdo::MonitoringProxy::new(&connection).await?.become_monitor(&rules, 0).await?;
        let heard = Arc::new(Mutex::new(Heard::default()));
        let listener = tokio::spawn({
            let heard = Arc::clone(&heard);
            async move {
                let mut messages = MessageStream::from(connection);
                while let Some(Ok(message)) = messages.next().await {
                    // A message that does not look like the specification is none of these tests' business.
                    let _other = lock(&heard).hear(&message);
                }
            }
        });
        Ok(Self { heard, marks: AtomicU32::new(0), listener })
    }

    /// Waits until all that was said on the bus before this call is in the record: `bus` says one thing more, which a
    /// monitor hears after it.
    pub(super) async fn catch_up(&self, bus: &Connection) -> Result<()> {
        let mark = self.marks.fetch_add(1, Ordering::Relaxed) + 1;
        bus.emit_signal(None::<&str>, PATH, NAME, MARK, &mark).await?;
        wait_until("the record to catch up", PATIENCE, async || Ok((self.heard().mark >= mark).then_some(()))).await
    }

    pub(super) fn heard(&self) -> MutexGuard<'_, Heard> {
        lock(&self.heard)
    }
}

impl Drop for BusRecord {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

fn lock(heard: &Mutex<Heard>) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Heard {
    fn hear(&mut self, message: &Message) -> zbus::Result<()> {
        let header = message.header();
        let sender = header.sender().map(ToString::to_string).unwrap_or_default();
        let body = message.body();
        match (message.message_type(), header.member().map(|member| member.as_str())) {
            // To the service itself: GNOME's passes each on to the shell.
            (Type::MethodCall, Some("Notify")) if header.destination().is_some_and(|to| to.as_str() == NAME) => {
                let serial = message.primary_header().serial_num().get();
                let notification = read_notify(message, sender.clone())?;
                self.unanswered.insert((sender, serial), notification);
            }
            (Type::MethodCall, Some("CloseNotification")) => self.close_calls.push(body.deserialize()?),
            (Type::MethodReturn, _) => {
                let caller = header.destination().map(ToString::to_string).unwrap_or_default();
                let Some(serial) = header.reply_serial() else { return Ok(()) };
                if let Some(notification) = self.unanswered.remove(&(caller, serial.get())) {
                    self.shown(Notification { id: body.deserialize()?, server: sender, ..notification });
                }
            }
            (Type::Error, _) => {
                let caller = header.destination().map(ToString::to_string).unwrap_or_default();
                let Some(serial) = header.reply_serial() else { return Ok(()) };
                let unanswered = self.unanswered.remove(&(caller, serial.get()));
                // The bus answers where there is no server.
                if let Some(notification) = unanswered.filter(|_| sender != BUS) {
                    let state = NotificationState::Refused;
                    self.notifications.push(Notification { server: sender, state, ..notification });
                }
            }
            (Type::Signal, Some("NotificationClosed")) => {
                let (id, reason) = body.deserialize()?;
                self.end(id, &sender, NotificationState::Closed(reason));
            }
            (Type::Signal, Some("ActionInvoked")) => {
                let (id, action) = body.deserialize()?;
                self.actions.push(ActionSignal { sender, id, action });
            }
            (Type::Signal, Some(MARK)) => self.mark = self.mark.max(body.deserialize()?),
            _ => {}
        }
        Ok(())
    }

    fn shown(&mut self, notification: Notification) {
        self.end(notification.id, &notification.server, NotificationState::Replaced);
        self.notifications.push(notification);
    }

    fn end(&mut self, id: u32, server: &str, how: NotificationState) {
        for notification in &mut self.notifications {
            if notification.id == id && notification.server == server && notification.state == NotificationState::Open {
                notification.state = how;
            }
        }
    }
}

/// Reads the arguments of `Notify`: `susssasa{sv}i`.
fn read_notify(message: &Message, sender: String) -> zbus::Result<Notification> {
    type Arguments = (String, u32, String, String, String, Vec<String>, HashMap<String, OwnedValue>, i32);
    let (app_name, replaces, icon, summary, body, actions, mut hints, timeout): Arguments =
        message.body().deserialize()?;
    let mut words = actions.into_iter();
    let mut actions = Vec::new();
    while let (Some(key), Some(label)) = (words.next(), words.next()) {
        actions.push((key, label));
    }
    // Thousands of numbers in each message of failure.
    hints.remove("image-data");
    let (id, server, state) = (0, String::new(), NotificationState::Open);
    Ok(Notification { id, replaces, sender, server, app_name, icon, summary, body, actions, hints, timeout, state })
}
