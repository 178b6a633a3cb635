//! Whether the person is there and may be disturbed, as the desktop tells it: the lock and the idle time of the
//! session (logind, the screen savers' `GetActive`), and do-not-disturb where the notification server does not tell it
//! itself (GNOME, Xfce).
//!
//! A signal only makes it ask: what counts is what the owner of the name answers. Nothing is started to be asked.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{SelectAll, select_all};
use gtk::gio::prelude::SettingsExt;
use gtk::gio::{Settings, SettingsSchemaSource};
use gtk::glib::MainContext;
use tauri::async_runtime;
use tokio::sync::mpsc::UnboundedSender;
use zbus::fdo::DBusProxy;
use zbus::names::BusName;
use zbus::zvariant::{OwnedValue, Value};
use zbus::{Connection, MatchRule, MessageStream, message::Type};

use crate::os::linux::{is_desktop, send};
use crate::presence::PresenceEvent;

/// Screen savers: the name on the bus, which is that of the interface too, and the object.
const SCREEN_SAVERS: [(&str, &str); 5] = [
    ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
    ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
    ("org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver"),
    ("org.mate.ScreenSaver", "/org/mate/ScreenSaver"),
    ("org.xfce.ScreenSaver", "/org/xfce/ScreenSaver"),
];
const LOGIND: &str = "org.freedesktop.login1";
const LOGIND_SESSIONS: &str = "/org/freedesktop/login1/session";
/// The caller's session, or the one that is on the user's screen (systemd 243).
const LOGIND_SESSION: &str = "/org/freedesktop/login1/session/auto";
const LOGIND_INTERFACE: &str = "org.freedesktop.login1.Session";
const XFCONF: &str = "org.xfce.Xfconf";
const XFCONF_PATH: &str = "/org/xfce/Xfconf";
/// The settings of Xfce's notification server, and the one that is its do-not-disturb.
const XFCE_QUIET: (&str, &str) = ("xfce4-notifyd", "/do-not-disturb");
/// The same of GNOME: off means do-not-disturb.
const GNOME_BANNERS: (&str, &str) = ("org.gnome.desktop.notifications", "show-banners");
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
const BUS: &str = "org.freedesktop.DBus";
/// Longest wait for an answer.
const MAX_CALL: Duration = Duration::from_secs(5);

/// Tells how it stands and every change, until nobody listens. Must be called on the main thread.
pub(crate) fn watch(events: UnboundedSender<PresenceEvent>) {
    if is_desktop("GNOME") {
        watch_gnome(events.clone());
    }
    let session = events.clone();
    async_runtime::spawn(async move {
        if let Err(error) = watch_session_bus(&session).await {
            tracing::info!(%error, "the session bus does not tell whether the screen is locked");
        }
    });
    async_runtime::spawn(async move {
        if let Err(error) = watch_logind(&events).await {
            tracing::info!(%error, "logind does not tell whether the session is locked or idle");
        }
    });
}

/// GNOME's own switch, in its settings: its notification server does not tell.
fn watch_gnome(events: UnboundedSender<PresenceEvent>) {
    let (schema, key) = GNOME_BANNERS;
    // To open settings without their schema would end the process.
    let known = SettingsSchemaSource::default().and_then(|source| source.lookup(schema, true));
    if !known.is_some_and(|schema| schema.has_key(key)) {
        return;
    }
    MainContext::default().spawn_local(async move {
        let settings = Settings::new(schema);
        let tell = move |settings: &Settings| send(&events, PresenceEvent::DoNotDisturb(!settings.boolean(key)));
        tell(&settings);
        settings.connect_changed(Some(key), move |settings, _| tell(settings));
        // The settings live as long as the program does.
        std::future::pending::<()>().await;
    });
}

/// What the session's bus tells.
async fn watch_session_bus(events: &UnboundedSender<PresenceEvent>) -> zbus::Result<()> {
    let connection = zbus::connection::Builder::session()?.method_timeout(MAX_CALL).build().await?;
    let is_xfce = is_desktop("XFCE");
    let mut names: Vec<&str> = SCREEN_SAVERS.iter().map(|(name, _)| *name).collect();
    let mut rules = Vec::new();
    for (name, _) in SCREEN_SAVERS {
        rules.push(rule()?.sender(name)?.interface(name)?.member("ActiveChanged")?.build());
    }
    if is_xfce {
        names.push(XFCONF);
        let changed = rule()?.sender(XFCONF)?.interface(XFCONF)?.member("PropertyChanged")?;
        rules.push(changed.arg(0, XFCE_QUIET.0)?.arg(1, XFCE_QUIET.1)?.build());
    }
    for name in names {
        rules.push(rule()?.sender(BUS)?.interface(BUS)?.member("NameOwnerChanged")?.arg(0, name)?.build());
    }
    let mut changes = listen(&connection, rules).await?;
    let bus = DBusProxy::new(&connection).await?;
    let mut locked = PresenceSource::new(PresenceEvent::Locked);
    let mut quiet = PresenceSource::new(PresenceEvent::DoNotDisturb);
    loop {
        let mut active = Some(false);
        for (name, path) in SCREEN_SAVERS {
            active = either(active, is_active(&connection, &bus, name, path).await);
        }
        locked.tell(active, events);
        if is_xfce {
            quiet.tell(is_quiet_in_xfce(&connection, &bus).await, events);
        }
        if changes.next().await.is_none() {
            return Ok(());
        }
    }
}

/// Whether the screen saver `name` covers the screen; `None` when it does not say.
async fn is_active(connection: &Connection, bus: &DBusProxy<'_>, name: &str, path: &str) -> Option<bool> {
    let Some(owner) = owner(bus, name).await else { return Some(false) };
    match connection.call_method(Some(&owner), path, Some(name), "GetActive", &()).await {
        Ok(reply) => reply.body().deserialize().ok(),
        // It has no such object or method: it covers nothing.
        Err(zbus::Error::MethodError(..)) => Some(false),
        Err(_) => None,
    }
}

async fn is_quiet_in_xfce(connection: &Connection, bus: &DBusProxy<'_>) -> Option<bool> {
    let Some(owner) = owner(bus, XFCONF).await else { return Some(false) };
    match connection.call_method(Some(&owner), XFCONF_PATH, Some(XFCONF), "GetProperty", &XFCE_QUIET).await {
        Ok(reply) => reply.body().deserialize::<OwnedValue>().ok().map(|value| is_true(&value)),
        // It was never switched.
        Err(zbus::Error::MethodError(..)) => Some(false),
        Err(_) => None,
    }
}

/// Who owns `name`, without starting anybody.
async fn owner(bus: &DBusProxy<'_>, name: &str) -> Option<BusName<'static>> {
    let owner = bus.get_name_owner(BusName::try_from(name).ok()?).await.ok()?;
    Some(BusName::from(owner.into_inner()))
}

/// What logind tells of the session: lockers and desktops say it there.
async fn watch_logind(events: &UnboundedSender<PresenceEvent>) -> zbus::Result<()> {
    let connection = zbus::connection::Builder::system()?.method_timeout(MAX_CALL).build().await?;
    let changed = rule()?.sender(LOGIND)?.interface(PROPERTIES)?.member("PropertiesChanged")?;
    let changed = changed.path_namespace(LOGIND_SESSIONS)?.arg(0, LOGIND_INTERFACE)?.build();
    let mut changes = listen(&connection, vec![changed]).await?;
    let mut locked = PresenceSource::new(PresenceEvent::SessionLocked);
    let mut idle = PresenceSource::new(PresenceEvent::Idle);
    loop {
        locked.tell(hint(&connection, "LockedHint").await, events);
        idle.tell(hint(&connection, "IdleHint").await, events);
        if changes.next().await.is_none() {
            return Ok(());
        }
    }
}

async fn hint(connection: &Connection, name: &str) -> Option<bool> {
    let arguments = (LOGIND_INTERFACE, name);
    match connection.call_method(Some(LOGIND), LOGIND_SESSION, Some(PROPERTIES), "Get", &arguments).await {
        Ok(reply) => reply.body().deserialize::<OwnedValue>().ok().map(|value| is_true(&value)),
        // There is no logind, or this is no session of it.
        Err(zbus::Error::MethodError(..)) => Some(false),
        Err(_) => None,
    }
}

fn rule<'rule>() -> zbus::Result<zbus::match_rule::Builder<'rule>> {
    Ok(MatchRule::builder().msg_type(Type::Signal))
}

async fn listen(connection: &Connection, rules: Vec<MatchRule<'_>>) -> zbus::Result<SelectAll<MessageStream>> {
    let mut streams = Vec::new();
    for rule in rules {
        streams.push(MessageStream::for_match_rule(rule.into_owned(), connection, None).await?);
    }
    Ok(select_all(streams))
}

fn is_true(value: &Value<'_>) -> bool {
    match value {
        Value::Value(inner) => is_true(inner),
        Value::Bool(value) => *value,
        _ => false,
    }
}

/// True when one is; not known when the other is not.
fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// What was told last. Who does not answer in time has not changed: a lock that hangs is not taken for open.
struct PresenceSource {
    event: fn(bool) -> PresenceEvent,
    last: Option<bool>,
}

impl PresenceSource {
    fn new(event: fn(bool) -> PresenceEvent) -> Self {
        Self { event, last: None }
    }

    fn tell(&mut self, now: Option<bool>, events: &UnboundedSender<PresenceEvent>) {
        let Some(now) = now else { return };
        if self.last.replace(now) != Some(now) {
            send(events, (self.event)(now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_does_not_answer_changes_nothing() {
        let (events, mut told) = tokio::sync::mpsc::unbounded_channel();
        let mut locked = PresenceSource::new(PresenceEvent::Locked);
        for now in [Some(true), None, Some(true), Some(false)] {
            locked.tell(now, &events);
        }
        drop(events);
        let told: Vec<_> = std::iter::from_fn(|| told.blocking_recv()).collect();
        assert_eq!(told, [PresenceEvent::Locked(true), PresenceEvent::Locked(false)]);
    }

    #[test]
    fn one_lock_is_enough_and_silence_is_no_answer() {
        assert_eq!(either(Some(false), Some(true)), Some(true));
        assert_eq!(either(None, Some(true)), Some(true));
        assert_eq!(either(Some(false), None), None);
        assert_eq!(either(Some(false), Some(false)), Some(false));
    }
}
