//! A shortcut that the desktop's portal keeps (`org.freedesktop.portal.GlobalShortcuts`). The desktop asks the person, and
//! may give other keys than those that were wished for.
//!
//! The portal looks at who asks, which a release build may not be ([`portal`](crate::os::linux::portal)). So a process of
//! its own asks and listens, and says on its output, a line each, what becomes of it. It holds nothing and decides nothing:
//! whoever gets at it can have the window come forward.

use std::collections::HashMap;
use std::io::Read;
use std::process::{ExitCode, Stdio};

use futures_util::StreamExt;
use handraise_protocol::ShortcutState;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::sync::mpsc::UnboundedSender;
use zbus::message::Type;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};
use zbus::{Connection, MatchRule, Message, MessageStream};

use crate::os::ShortcutEvent;
use crate::os::linux::application::{APPLICATION, token};
use crate::os::linux::portal::{PATH, PORTAL};
use crate::os::linux::send;
use crate::shortcut::Shortcut;

/// The argument before the keys, of a process that only watches a shortcut.
const WATCH_SHORTCUT: &str = "--watch-shortcut";
/// The argument before the words that the desktop shows for it.
const SHORTCUT_WORDS: &str = "--shortcut-words";

const SHORTCUTS: &str = "org.freedesktop.portal.GlobalShortcuts";
/// Where a program without a sandbox says which one it is (xdg-desktop-portal 1.20).
const REGISTRY: &str = "org.freedesktop.host.portal.Registry";
/// The name of the one shortcut.
const FORWARD: &str = "come-forward";
/// Signals that may queue up.
const QUEUE: usize = 64;

/// What the process says.
const BOUND: &str = "bound";
const REFUSED: &str = "refused";
const PRESSED: &str = "pressed";

/// Watches the shortcut, until the task is dropped or the portal ends it. `false`: there is no such portal.
pub(super) async fn follow(
    shortcut: &Shortcut,
    words: &str,
    events: &UnboundedSender<ShortcutEvent>,
) -> std::io::Result<bool> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([WATCH_SHORTCUT, &shortcut.to_string(), SHORTCUT_WORDS, words]);
    // It ends with its input, and so with this process.
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut process = command.spawn()?;
    let Some(output) = process.stdout.take() else { return Ok(false) };
    let mut lines = BufReader::new(output).lines();
    let mut is_there = false;
    while let Some(line) = lines.next_line().await? {
        is_there = true;
        let event = match line.split_once(' ').unwrap_or((&line, "")) {
            (BOUND, _) => ShortcutEvent::State(ShortcutState::Works),
            (REFUSED, _) => ShortcutEvent::State(ShortcutState::Refused),
            (PRESSED, activation) => ShortcutEvent::Pressed(token(activation.to_owned())),
            _ => continue,
        };
        send(events, event);
    }
    if is_there {
        send(events, ShortcutEvent::State(ShortcutState::Refused));
    }
    Ok(is_there)
}

/// Watches a shortcut: all that a process does that was started with [`WATCH_SHORTCUT`].
pub(crate) fn print_shortcut(keys: &str, words: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    std::thread::spawn(end_with_input);
    let watched = runtime.is_ok_and(|runtime| runtime.block_on(watch(keys, words)).is_ok());
    if watched { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Nobody listens any more.
#[expect(clippy::exit, reason = "the thread that waits for the portal has nothing to put in order")]
fn end_with_input() {
    // An error is an end as well.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    std::process::exit(0);
}

async fn watch(keys: &str, words: &str) -> zbus::Result<()> {
    let connection = zbus::connection::Builder::session()?.build().await?;
    let version = (SHORTCUTS, "version");
    connection.call_method(Some(PORTAL), PATH, Some("org.freedesktop.DBus.Properties"), "Get", &version).await?;
    let register = (APPLICATION, HashMap::<&str, Value<'_>>::new());
    // Older portals have no such thing, and find out by themselves.
    let _ = connection.call_method(Some(PORTAL), PATH, Some(REGISTRY), "Register", &register).await;

    let rule = MatchRule::builder().msg_type(Type::Signal).sender(PORTAL)?.build();
    let mut signals = MessageStream::for_match_rule(rule, &connection, Some(QUEUE)).await?;
    let options = HashMap::from([
        ("handle_token", Value::from("session")),
        ("session_handle_token", Value::from(FORWARD.replace('-', "_"))),
    ]);
    let created = ask(&connection, &mut signals, "session", "CreateSession", &(options,)).await?;
    let session = created.and_then(|answer| String::try_from(answer.get("session_handle")?.try_clone().ok()?).ok());
    let Some(session) = session.and_then(|session| OwnedObjectPath::try_from(session).ok()) else {
        println!("{REFUSED}");
        return Ok(());
    };
    let wished = HashMap::from([("description", Value::from(words)), ("preferred_trigger", Value::from(keys))]);
    let options = HashMap::from([("handle_token", Value::from("bind"))]);
    let arguments = (&session, vec![(FORWARD, wished)], "", options);
    if ask(&connection, &mut signals, "bind", "BindShortcuts", &arguments).await?.is_none() {
        println!("{REFUSED}");
        return Ok(());
    }
    println!("{BOUND}");
    while let Some(signal) = signals.next().await {
        let signal = signal?;
        let header = signal.header();
        let is_of = |interface| header.interface().is_some_and(|name| name.as_str() == interface);
        match header.member().map(|member| member.as_str()) {
            Some("Activated") if is_of(SHORTCUTS) => {
                if let Some(activation) = pressed(&signal, &session) {
                    println!("{PRESSED} {activation}");
                }
            }
            Some("Closed") if header.path().is_some_and(|path| *path == *session) => break,
            _ => {}
        }
    }
    Ok(())
}

/// Asks something that the portal answers with a signal (`org.freedesktop.portal.Request`). `None`: the person or the desktop
/// says no.
async fn ask<A>(
    connection: &Connection,
    signals: &mut MessageStream,
    name: &str,
    method: &str,
    arguments: &A,
) -> zbus::Result<Option<HashMap<String, OwnedValue>>>
where
    A: serde::Serialize + zbus::zvariant::DynamicType + Sync,
{
    let own = connection.unique_name().map(|name| name.trim_start_matches(':').replace('.', "_")).unwrap_or_default();
    let request = format!("{PATH}/request/{own}/{name}");
    connection.call_method(Some(PORTAL), PATH, Some(SHORTCUTS), method, arguments).await?;
    while let Some(signal) = signals.next().await {
        let signal = signal?;
        let header = signal.header();
        let is_answer = header.member().is_some_and(|member| member.as_str() == "Response")
            && header.path().is_some_and(|path| path.as_str() == request);
        if is_answer {
            let (response, answer): (u32, HashMap<String, OwnedValue>) = signal.body().deserialize()?;
            return Ok((response == 0).then_some(answer));
        }
    }
    Ok(None)
}

/// What lets the window take the keyboard, empty where the desktop gives nothing; `None`: it is about another session.
fn pressed(signal: &Message, session: &OwnedObjectPath) -> Option<String> {
    let (of, _name, _time, options): (OwnedObjectPath, String, u64, HashMap<String, OwnedValue>) =
        signal.body().deserialize().ok()?;
    let activation = options.get("activation_token").and_then(|token| token.downcast_ref::<&str>().ok());
    (of == *session).then(|| activation.unwrap_or_default().to_owned())
}
