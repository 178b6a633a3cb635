//! What the panel is like, and whether one shows tray icons at all.

use std::time::Duration;

use futures_util::StreamExt;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{Instant, sleep_until};
use zbus::names::BusName;
use zbus::zvariant::{OwnedValue, Value};
use zbus::{Connection, MatchRule, MessageStream, message::Type};

use crate::os::linux::portal::{self, PORTAL};
use crate::os::linux::{is_desktop, send};
use crate::os::{PanelEvent, PanelTone};

const WATCHER: &str = "org.kde.StatusNotifierWatcher";
const WATCHER_PATH: &str = "/StatusNotifierWatcher";
/// Longest wait for an answer.
const MAX_CALL: Duration = Duration::from_secs(5);
/// After a start by hand the panel is there already; at login it may still be coming.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);
const HOST_TIMEOUT_AT_LOGIN: Duration = Duration::from_secs(30);

/// The colour scheme "prefer light" (org.freedesktop.appearance).
const LIGHT: u32 = 2;

/// Tells what is found out about the panel, and every change of it, until nobody listens.
pub(crate) async fn watch(at_login: bool, events: UnboundedSender<PanelEvent>) {
    match connect().await {
        Ok(connection) => {
            let tone = watch_tone(&connection, &events);
            let host = watch_host(&connection, at_login, &events);
            let (tone, host) = tokio::join!(tone, host);
            for error in [tone.err(), host.err()].into_iter().flatten() {
                tracing::info!(%error, "the panel cannot be watched");
            }
        }
        Err(error) => {
            tracing::info!(%error, "no session bus: no tray");
            send(&events, PanelEvent::TrayHost(false));
        }
    }
}

async fn connect() -> zbus::Result<Connection> {
    zbus::connection::Builder::session()?.method_timeout(MAX_CALL).build().await
}

/// The tone of the panel, as far as it can be known: most panels are dark, and those that follow a
/// light colour scheme are on desktops that say so. GNOME's top bar is dark in both.
async fn watch_tone(connection: &Connection, events: &UnboundedSender<PanelEvent>) -> zbus::Result<()> {
    let rule = MatchRule::builder()
        .msg_type(Type::Signal)
        .sender(PORTAL)?
        .interface(portal::SETTINGS)?
        .member("SettingChanged")?
        .path(portal::PATH)?
        .arg(0, portal::APPEARANCE)?
        .build();
    let mut changes = MessageStream::for_match_rule(rule, connection, None).await?;
    // Plasma's own panel is light as long as nobody says otherwise.
    let unsaid = is_desktop("KDE").then_some(LIGHT);
    if let Some(scheme) = portal::color_scheme().await.or(unsaid) {
        send(events, PanelEvent::Tone(tone(scheme)));
    }
    while let Some(change) = changes.next().await {
        let Ok(change) = change else { continue };
        let Ok((_, key, value)) = change.body().deserialize::<(String, String, OwnedValue)>() else { continue };
        if key == portal::COLOR_SCHEME {
            send(events, PanelEvent::Tone(tone(portal::scheme(&value).unwrap_or_default())));
        }
    }
    Ok(())
}

/// 2 means "prefer light"; 0 and 1 mean "no preference" and "prefer dark".
fn tone(scheme: u32) -> PanelTone {
    match scheme {
        LIGHT if !is_desktop("GNOME") => PanelTone::Light,
        _ => PanelTone::Dark,
    }
}

/// Whether something shows tray icons: at first after a time-out, then whenever it changes.
async fn watch_host(connection: &Connection, at_login: bool, events: &UnboundedSender<PanelEvent>) -> zbus::Result<()> {
    let owners = MatchRule::builder()
        .msg_type(Type::Signal)
        .sender("org.freedesktop.DBus")?
        .interface("org.freedesktop.DBus")?
        .member("NameOwnerChanged")?
        .arg(0, WATCHER)?
        .build();
    let hosts =
        MatchRule::builder().msg_type(Type::Signal).sender(WATCHER)?.interface(WATCHER)?.path(WATCHER_PATH)?.build();
    let owners = MessageStream::for_match_rule(owners, connection, None).await?;
    let hosts = MessageStream::for_match_rule(hosts, connection, None).await?;
    let mut changes = futures_util::stream::select(owners, hosts);
    let mut told = None;
    let mut deadline = Some(Instant::now() + if at_login { HOST_TIMEOUT_AT_LOGIN } else { HOST_TIMEOUT });
    loop {
        let there = is_host_there(connection).await;
        if there || deadline.is_none_or(|deadline| deadline <= Instant::now()) {
            deadline = None;
            if told.replace(there) != Some(there) {
                send(events, PanelEvent::TrayHost(there));
            }
        }
        let timeout = async {
            match deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            change = changes.next() => if change.is_none() { return Ok(()) },
            () = timeout => {}
        }
    }
}

async fn is_host_there(connection: &Connection) -> bool {
    let arguments = (WATCHER, "IsStatusNotifierHostRegistered");
    let watcher = BusName::try_from(WATCHER).ok();
    let properties = Some("org.freedesktop.DBus.Properties");
    let reply = connection.call_method(watcher, WATCHER_PATH, properties, "Get", &arguments).await;
    let value = reply.ok().and_then(|reply| reply.body().deserialize::<OwnedValue>().ok());
    value.is_some_and(|value| matches!(*value, Value::Bool(true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_light_preference_makes_a_light_panel() {
        assert_eq!([0, 1, 2, 3].map(tone), [PanelTone::Dark, PanelTone::Dark, PanelTone::Light, PanelTone::Dark]);
    }
}
