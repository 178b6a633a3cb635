//! Notifications over D-Bus, `org.freedesktop.Notifications` 1.2.
//!
//! A click may approve something, so it must be known where it comes from. A signal counts only when
//! its sender is the connection that answered the `Notify` call with that id; ids begin anew with
//! every server, and any program can emit a signal. While a call is under way, signals wait for its
//! answer, so that none is judged before its id is known.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use futures_util::{Future, StreamExt};
use handraise_display::escape_markup;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;
use tokio::time::Instant;
use zbus::fdo::{DBusProxy, NameOwnerChanged};
use zbus::names::{BusName, OwnedUniqueName, UniqueName};
use zbus::zvariant::{OwnedValue, Structure, Value};
use zbus::{Connection, MatchRule, Message, MessageStream, message::Type};

use crate::notification::content::{Buttons, NotificationAction, NotificationContent, NotificationKey};
use crate::os::linux::application::{self, APPLICATION, ICON};
use crate::os::linux::left::{Record, Shown};
use crate::os::linux::queue::{Command, Queue};
use crate::os::linux::send;
use crate::os::{Notifier, NotifierEvent};
use crate::strings::Text;

const SERVICE: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// The server that draws the `default` action as a button; one that says the same would be doubled.
const DRAWS_DEFAULT: &str = "Xfce Notify Daemon";
/// The server of GNOME Shell passes everything on to the shell, which gives the ids: they outlive the server.
const GNOME: (&str, &str) = ("gnome-shell", "org.gnome.Shell");
/// A server that takes longer is treated as if there were none.
const MAX_CALL: Duration = Duration::from_secs(5);
/// Servers whose buttons any program can have pressed, with a command that comes with them: `dunstctl`,
/// `makoctl invoke`, `swaync-client --action`. The first two draw no buttons at all.
const PRESSED_BY_ANYBODY: &[&str] = &["dunst", "mako", "SwayNotificationCenter"];
/// How long a server that went away may take to come back before it is looked for, which starts it.
const RESTART: Duration = Duration::from_secs(1);
/// A server that goes away sooner than this after it was found has failed.
const SHORT_LIFE: Duration = Duration::from_secs(30);
/// So many failures in a row are taken for a person's restarts. After each one more the wait doubles.
const RESTARTS_BY_PERSON: u32 = 3;
/// The longest wait for a server that fails again and again.
const MAX_WAIT: Duration = Duration::from_secs(15 * 60);
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
/// Nobody has the name, and nothing could be started that takes it.
const NOBODY: &str = "org.freedesktop.DBus.Error.ServiceUnknown";
/// Plasma refuses a notification that looks like the one before it when that was sent less than a second ago: after an
/// early click, or when do-not-disturb was on for a moment (`ServerPrivate::Notify` in libnotificationmanager).
const TOO_SOON: &str = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration";
/// How long such a one waits before it is sent again.
const AGAIN_AFTER: Duration = Duration::from_millis(1_100);
/// What the bus says of a program that has its name and does not answer under it yet: GNOME's server takes the name
/// first.
const STILL_STARTING: [&str; 3] = [
    "org.freedesktop.DBus.Error.UnknownMethod",
    "org.freedesktop.DBus.Error.UnknownObject",
    "org.freedesktop.DBus.Error.UnknownInterface",
];
/// How often such a one is asked once more, [`RESTART`] later, before it counts as none.
const MAX_UNANSWERED: u32 = 5;
/// Signals kept while a call is under way; nobody clicks that fast.
const MAX_HELD: usize = 64;
/// The urgency of a notification, of 0, 1 and 2.
const NORMAL: u8 = 1;
/// How long a notification stays that needs no answer, in milliseconds.
const PASSING: i32 = 10_000;
/// What is heard of one, by the name that sound themes have for it (Sound Naming Specification 0.8).
const SOUND: &str = "message-new-instant";

/// Starts the task that talks to the notification server, and has it take away what an earlier run left there, by its
/// record `left`. Must be called within a Tokio runtime.
#[must_use]
pub(crate) fn start(events: UnboundedSender<NotifierEvent>, left: Option<PathBuf>) -> Box<dyn Notifier> {
    let (commands, received) = mpsc::unbounded_channel();
    crate::essential_task::spawn("notifications", async move { run(received, events, left).await });
    Box::new(Client { commands })
}

struct Client {
    commands: UnboundedSender<Command>,
}

impl Notifier for Client {
    fn show(&self, content: NotificationContent) {
        send(&self.commands, Command::Show(Box::new(content)));
    }

    fn close(&self, key: NotificationKey) {
        send(&self.commands, Command::Close(key));
    }

    fn close_all(&self) -> oneshot::Receiver<()> {
        let (done, receiver) = oneshot::channel();
        send(&self.commands, Command::CloseAll(done));
        receiver
    }
}

/// How a call ended.
enum Ended {
    Shown { content: Box<NotificationContent>, is_again: bool, result: Result<Shown, zbus::Error> },
    Server(Result<Server, zbus::Error>),
    Inhibited(bool),
    Closed,
}

/// A notification server.
struct Server {
    owner: OwnedUniqueName,
    /// Who gives the ids, where that is another program.
    giver: Option<OwnedUniqueName>,
    capabilities: Vec<String>,
    name: String,
}

type Call = Pin<Box<dyn Future<Output = Ended> + Send>>;

async fn run(mut commands: UnboundedReceiver<Command>, events: UnboundedSender<NotifierEvent>, left: Option<PathBuf>) {
    match Session::open(left).await {
        Ok((mut session, signals, owners, properties)) => {
            session.serve(&mut commands, &events, (signals, owners, properties)).await;
        }
        Err(error) => tracing::warn!(%error, "no session bus: notifications are not available"),
    }
    // No bus, or it went away: every request goes to the prompt window.
    send(&events, NotifierEvent::Server { answers: false, buttons: Buttons::Look });
    while let Some(command) = commands.recv().await {
        match command {
            Command::Show(content) | Command::ShowAgain(content) => {
                send(&events, NotifierEvent::Failed(content.key));
            }
            Command::CloseAll(done) => drop(done.send(())),
            Command::Close(_) | Command::FindServer | Command::AskInhibited | Command::CloseLeft(_) => {}
        }
    }
}

struct Session {
    connection: Connection,
    server: Option<OwnedUniqueName>,
    /// Who gives its ids, where that is another program.
    giver: Option<OwnedUniqueName>,
    /// What a server has left on the screen that went away before the one who gives its ids.
    lost: Vec<u32>,
    /// It has been said that there is none. Until then, what is to be shown waits for one.
    is_given_up: bool,
    /// How often the one that has the name now did not answer under it yet.
    unanswered: u32,
    /// The first server that was found while this program ran.
    first: Option<OwnedUniqueName>,
    /// When the present one was found.
    found_at: Option<Instant>,
    /// How often in a row a server did not start, or went away at once.
    failures: u32,
    markup: bool,
    /// It draws the action for a click on the notification itself as a button.
    draws_default: bool,
    /// A reason can be written on its notifications.
    takes_reasons: bool,
    shown: HashMap<NotificationKey, Shown>,
    /// Those of them on which a button was pressed; most servers take these away by themselves.
    clicked: HashSet<NotificationKey>,
    /// What would let a window take the keyboard, from the click that is just being told.
    token: Option<(NotificationKey, String)>,
    /// What is on the screen, for the next run.
    record: Record,
    queue: Queue,
    held: Vec<Message>,
}

impl Session {
    /// Connects, and listens before anything is shown.
    async fn open(left: Option<PathBuf>) -> zbus::Result<(Self, MessageStream, MessageStream, MessageStream)> {
        let connection = zbus::connection::Builder::session()?.method_timeout(MAX_CALL).build().await?;
        let signals =
            MatchRule::builder().msg_type(Type::Signal).sender(SERVICE)?.interface(SERVICE)?.path(PATH)?.build();
        let signals = MessageStream::for_match_rule(signals, &connection, Some(MAX_HELD)).await?;
        let owners = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender("org.freedesktop.DBus")?
            .interface("org.freedesktop.DBus")?
            .member("NameOwnerChanged")?
            .arg(0, SERVICE)?
            .build();
        let owners = MessageStream::for_match_rule(owners, &connection, Some(MAX_HELD)).await?;
        let properties = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender(SERVICE)?
            .interface(PROPERTIES)?
            .member("PropertiesChanged")?
            .path(PATH)?
            .build();
        let properties = MessageStream::for_match_rule(properties, &connection, Some(MAX_HELD)).await?;
        let (record, left) = Record::open(left, connection.server_guid().as_str());
        let session = Self {
            connection,
            server: None,
            giver: None,
            lost: Vec::new(),
            is_given_up: false,
            unanswered: 0,
            first: None,
            found_at: None,
            failures: 0,
            markup: false,
            draws_default: false,
            takes_reasons: false,
            shown: HashMap::new(),
            clicked: HashSet::new(),
            token: None,
            record,
            queue: Queue::new([Command::CloseLeft(left), Command::FindServer]),
            held: Vec::new(),
        };
        Ok((session, signals, owners, properties))
    }

    /// Runs until the bus goes away.
    async fn serve(
        &mut self,
        commands: &mut UnboundedReceiver<Command>,
        events: &UnboundedSender<NotifierEvent>,
        (mut signals, mut owners, mut properties): (MessageStream, MessageStream, MessageStream),
    ) {
        let mut call: Option<Call> = None;
        let mut look_again: Option<Instant> = None;
        loop {
            if call.is_none() {
                self.record.keep(self.shown.values());
                call = self.next_call();
            }
            tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => self.queue.order(command),
                    None => return,
                },
                ended = async { match call.as_mut() { Some(call) => call.await, None => std::future::pending().await } } => {
                    call = None;
                    look_again = self.end_call(ended, events).or(look_again);
                    for message in std::mem::take(&mut self.held) {
                        self.take_signal(&message, events);
                    }
                }
                message = signals.next() => match message {
                    Some(Ok(message)) if call.is_some() => if self.held.len() < MAX_HELD { self.held.push(message) },
                    Some(Ok(message)) => self.take_signal(&message, events),
                    Some(Err(_)) => {}
                    None => return,
                },
                message = owners.next() => match message {
                    Some(Ok(message)) => look_again = self.take_owner(message).or(look_again),
                    Some(Err(_)) => {}
                    None => return,
                },
                message = properties.next() => match message {
                    // Whatever has changed: it is asked for, from the server that is known.
                    Some(_) => self.queue.order(Command::AskInhibited),
                    None => return,
                },
                () = sleep_until(look_again) => {
                    look_again = None;
                    self.queue.order(Command::FindServer);
                }
                () = sleep_until(self.queue.next_due()) => self.queue.order_due(Instant::now()),
            }
        }
    }

    /// Begins with the command that has waited longest. While a server is being looked for, nothing is shown.
    fn next_call(&mut self) -> Option<Call> {
        let is_held = self.server.is_none() && !self.is_given_up;
        loop {
            match self.queue.take(is_held)? {
                Command::Show(content) => return Some(self.show(content, false)),
                Command::ShowAgain(content) => return Some(self.show(content, true)),
                Command::CloseLeft(left) if left.is_empty() => {}
                Command::CloseLeft(left) => return Some(close(self.connection.clone(), left, None)),
                Command::FindServer => return Some(find_server(self.connection.clone())),
                Command::AskInhibited => {
                    let Some(server) = self.server.clone() else { continue };
                    return Some(ask_inhibited(self.connection.clone(), server));
                }
                Command::Close(key) => {
                    self.clicked.remove(&key);
                    if let Some(shown) = self.shown.remove(&key) {
                        return Some(close(self.connection.clone(), vec![shown], None));
                    }
                }
                Command::CloseAll(done) => {
                    let shown = self.shown.drain().map(|(_, shown)| shown).collect();
                    return Some(close(self.connection.clone(), shown, Some(done)));
                }
            }
        }
    }

    fn show(&mut self, mut content: Box<NotificationContent>, is_again: bool) -> Call {
        if self.draws_default {
            content.actions.retain(|button| button.action != NotificationAction::Review);
        }
        if !self.takes_reasons {
            content.actions.retain(|button| button.action != NotificationAction::DenyWithReason);
        }
        let connection = self.connection.clone();
        let before = self.shown.remove(&content.key);
        // The id of one that is about to go away must not be taken over: the news that it has gone
        // would be taken for news about the new one.
        let is_going = self.clicked.remove(&content.key);
        let (old, replaces) = match before {
            Some(shown) if is_going => (vec![shown], 0),
            // An id of another server would replace a stranger's notification.
            Some((owner, id)) if Some(&owner) == self.server.as_ref() => (Vec::new(), id),
            _ => (Vec::new(), 0),
        };
        let body = if self.markup { escape_markup(&content.body) } else { content.body.clone() };
        Box::pin(async move {
            close_each(&connection, old).await;
            let result = notify(&connection, &content, replaces, &body).await;
            Ended::Shown { content, is_again, result }
        })
    }

    /// Returns when to look for the server again that did not answer.
    fn end_call(&mut self, ended: Ended, events: &UnboundedSender<NotifierEvent>) -> Option<Instant> {
        match ended {
            Ended::Closed => {}
            Ended::Inhibited(inhibited) => send(events, NotifierEvent::Inhibited(inhibited)),
            Ended::Shown { content, result: Ok(shown), .. } => {
                self.shown.insert(content.key, shown);
            }
            Ended::Shown { content, is_again: false, result: Err(error) } if is_called(&error, &[TOO_SOON]) => {
                self.queue.order_later(content, Instant::now() + AGAIN_AFTER);
            }
            Ended::Shown { content, result: Err(error), .. } => {
                tracing::warn!(%error, "a notification could not be shown");
                send(events, NotifierEvent::Failed(content.key));
            }
            Ended::Server(Ok(server)) => {
                let has = |name: &str| server.capabilities.iter().any(|capability| capability == name);
                self.markup = has("body-markup");
                self.draws_default = server.name == DRAWS_DEFAULT;
                self.takes_reasons = has(NotificationAction::DenyWithReason.name());
                let is_first = *self.first.get_or_insert_with(|| server.owner.clone()) == server.owner;
                let buttons = match is_first {
                    false => Buttons::Changed,
                    true if PRESSED_BY_ANYBODY.contains(&server.name.as_str()) => Buttons::Look,
                    true => Buttons::Decide,
                };
                // Whoever asks may close what nobody shows any more.
                let lost = std::mem::take(&mut self.lost).into_iter();
                let lost: Vec<Shown> = lost.map(|id| (server.owner.clone(), id)).collect();
                if server.giver.is_some() && server.giver == self.giver {
                    self.queue.order(Command::CloseLeft(lost));
                }
                self.giver = server.giver;
                self.server = Some(server.owner);
                self.is_given_up = false;
                self.unanswered = 0;
                self.found_at = Some(Instant::now());
                self.queue.order(Command::AskInhibited);
                send(events, NotifierEvent::Server { answers: has("actions"), buttons });
            }
            Ended::Server(Err(error)) if self.unanswered < MAX_UNANSWERED && is_called(&error, &STILL_STARTING) => {
                self.unanswered = self.unanswered.saturating_add(1);
                return Some(Instant::now() + RESTART);
            }
            Ended::Server(Err(error)) => {
                // Said once: nobody reads it again and again.
                if self.failures == 0 {
                    tracing::warn!(%error, "there is no notification server");
                }
                self.failures = self.failures.saturating_add(1);
                self.server = None;
                self.is_given_up = true;
                self.found_at = None;
                send(events, NotifierEvent::Server { answers: false, buttons: Buttons::Look });
                // Where nobody has the name, a signal tells of the next who takes it. Who has it and does not answer is
                // still starting: Plasma takes the name before it draws its panel.
                if !is_called(&error, &[NOBODY]) {
                    return Some(Instant::now() + wait(self.failures, false));
                }
            }
        }
        None
    }

    /// A click or a closing, if it comes from the server that showed the notification.
    fn take_signal(&mut self, message: &Message, events: &UnboundedSender<NotifierEvent>) {
        let header = message.header();
        let (Some(sender), Some(member)) = (header.sender(), header.member()) else { return };
        match member.as_str() {
            "ActionInvoked" => {
                let Ok((id, name)) = message.body().deserialize::<(u32, String)>() else { return };
                if let Some(key) = self.key(sender, id) {
                    self.clicked.insert(key);
                    let token = self.token.take().filter(|(clicked, _)| *clicked == key);
                    let token = token.and_then(|(_, token)| application::token(token));
                    send(events, NotifierEvent::Action { key, name, token });
                }
            }
            // In place of the action.
            "NotificationReplied" => {
                let Ok((id, text)) = message.body().deserialize::<(u32, String)>() else { return };
                if let Some(key) = self.key(sender, id) {
                    self.clicked.insert(key);
                    send(events, NotifierEvent::Reason { key, text });
                }
            }
            // Comes just before the action.
            "ActivationToken" => {
                let Ok((id, token)) = message.body().deserialize::<(u32, String)>() else { return };
                self.token = self.key(sender, id).map(|key| (key, token));
            }
            "NotificationClosed" => {
                let Ok((id, _reason)) = message.body().deserialize::<(u32, u32)>() else { return };
                if let Some(key) = self.key(sender, id) {
                    self.shown.remove(&key);
                    self.clicked.remove(&key);
                    send(events, NotifierEvent::Closed(key));
                }
            }
            _ => {}
        }
    }

    fn key(&self, sender: &UniqueName<'_>, id: u32) -> Option<NotificationKey> {
        let found = self.shown.iter().find(|(_, (owner, known))| owner.as_str() == sender.as_str() && *known == id);
        found.map(|(key, _)| *key)
    }

    /// Another server, or none. Returns when to look for it.
    fn take_owner(&mut self, message: Message) -> Option<Instant> {
        let changed = NameOwnerChanged::from_message(message)?;
        let arguments = changed.args().ok()?;
        let new = arguments.new_owner.as_ref();
        let is_new = |owner: &OwnedUniqueName| new.is_some_and(|new| new.as_str() == owner.as_str());
        let gone = self.shown.extract_if(|_, (owner, _)| !is_new(owner)).map(|(_, (_, id))| id);
        match self.giver {
            Some(_) => self.lost.extend(gone),
            None => gone.for_each(drop),
        }
        if self.server.as_ref().is_some_and(is_new) {
            return None;
        }
        match self.found_at.take().map(|found_at| found_at.elapsed() < SHORT_LIFE) {
            Some(true) => self.failures = self.failures.saturating_add(1),
            Some(false) => self.failures = 0,
            None => {}
        }
        self.server = None;
        self.unanswered = 0;
        Some(Instant::now() + wait(self.failures, new.is_some()))
    }
}

/// Whether a call was answered with one of these errors.
fn is_called(error: &zbus::Error, names: &[&str]) -> bool {
    matches!(error, zbus::Error::MethodError(name, ..) if names.contains(&name.as_str()))
}

async fn sleep_until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// How long to wait before a server is looked for after so many failures in a row. One that was replaced
/// is usually there again at once.
fn wait(failures: u32, is_there: bool) -> Duration {
    match failures.checked_sub(RESTARTS_BY_PERSON) {
        None | Some(0) if is_there => Duration::ZERO,
        None | Some(0) => RESTART,
        Some(more) => RESTART.saturating_mul(2u32.saturating_pow(more)).min(MAX_WAIT),
    }
}

async fn notify(
    connection: &Connection,
    content: &NotificationContent,
    replaces: u32,
    body: &str,
) -> zbus::Result<Shown> {
    let actions: Vec<&str> =
        content.actions.iter().flat_map(|button| [button.action.name(), button.label.as_str()]).collect();
    // A server lets a critical one through although the person is not to be disturbed.
    let urgency = NORMAL;
    let timeout = if content.stays() { 0 } else { PASSING };
    let icon = tauri::include_image!("../icons/128x128.png");
    let picture = Structure::from((
        i32::try_from(icon.width()).unwrap_or_default(),
        i32::try_from(icon.height()).unwrap_or_default(),
        i32::try_from(icon.width()).unwrap_or_default() * 4,
        true,
        8i32,
        4i32,
        icon.rgba().to_vec(),
    ));
    let mut hints: HashMap<&str, Value<'_>> = HashMap::from([
        ("urgency", Value::U8(urgency)),
        ("desktop-entry", Value::from(APPLICATION)),
        ("image-data", Value::from(picture)),
    ]);
    if content.stays() {
        hints.insert("resident", Value::Bool(true));
    }
    if let Some(placeholder) = content.actions.iter().find_map(|button| button.placeholder.as_deref()) {
        hints.insert("x-kde-reply-placeholder-text", Value::from(placeholder));
        hints.insert("x-kde-reply-submit-button-text", Value::from(Text::NotificationDeny.get()));
    }
    // Some servers have a sound of their own for each.
    hints.insert("suppress-sound", Value::Bool(!content.sound));
    if content.sound {
        hints.insert("sound-name", Value::from(SOUND));
    }
    let arguments = (APPLICATION, replaces, ICON, content.summary.as_str(), body, actions.as_slice(), hints, timeout);
    let reply = connection.call_method(Some(SERVICE), PATH, Some(SERVICE), "Notify", &arguments).await?;
    Ok((sender(&reply)?, reply.body().deserialize()?))
}

fn find_server(connection: Connection) -> Call {
    Box::pin(async move { Ended::Server(server(&connection).await) })
}

async fn server(connection: &Connection) -> zbus::Result<Server> {
    let ask = async |method| connection.call_method(Some(SERVICE), PATH, Some(SERVICE), method, &()).await;
    let information = ask("GetServerInformation").await?;
    let (name, _vendor, _version, _specification): (String, String, String, String) =
        information.body().deserialize()?;
    let reply = ask("GetCapabilities").await?;
    let giver = if name == GNOME.0 { owner_of(connection, GNOME.1).await } else { None };
    Ok(Server { owner: sender(&reply)?, giver, capabilities: reply.body().deserialize()?, name })
}

async fn owner_of(connection: &Connection, name: &'static str) -> Option<OwnedUniqueName> {
    let bus = DBusProxy::new(connection).await.ok()?;
    bus.get_name_owner(BusName::from_static_str(name).ok()?).await.ok()
}

fn ask_inhibited(connection: Connection, server: OwnedUniqueName) -> Call {
    Box::pin(async move {
        let arguments = (SERVICE, "Inhibited");
        let asked = connection.call_method(Some(&server), PATH, Some(PROPERTIES), "Get", &arguments).await;
        let value = asked.ok().and_then(|reply| reply.body().deserialize::<OwnedValue>().ok());
        // Most servers have no such property.
        Ended::Inhibited(value.is_some_and(|value| matches!(*value, Value::Bool(true))))
    })
}

fn close(connection: Connection, shown: Vec<Shown>, done: Option<oneshot::Sender<()>>) -> Call {
    Box::pin(async move {
        close_each(&connection, shown).await;
        if let Some(done) = done {
            // Nobody waits for it any more: fine.
            let _ = done.send(());
        }
        Ended::Closed
    })
}

/// Asks the very connections that showed the notifications, so that an id never closes a stranger's.
async fn close_each(connection: &Connection, shown: Vec<Shown>) {
    for (owner, id) in shown {
        let owner = Some(owner.into_inner());
        let closed = connection.call_method(owner, PATH, Some(SERVICE), "CloseNotification", &(id,)).await;
        if let Err(error) = closed {
            tracing::debug!(%error, "a notification was not closed");
        }
    }
}

fn sender(reply: &Message) -> zbus::Result<OwnedUniqueName> {
    let header = reply.header();
    header.sender().map(|sender| sender.to_owned().into()).ok_or(zbus::Error::MissingField)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_fails_again_and_again_is_looked_for_less_and_less() {
        assert_eq!(wait(0, true), Duration::ZERO, "a restart");
        assert_eq!(wait(0, false), RESTART);
        let waits: Vec<u64> = (3..9).map(|failures| wait(failures, failures > 3).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32]);
        assert_eq!(wait(u32::MAX, true), MAX_WAIT);
    }
}
