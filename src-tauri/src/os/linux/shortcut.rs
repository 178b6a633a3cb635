//! Keys that bring the prompt window forward, wherever the keyboard is: by the desktop's portal where there is one for that,
//! else from the X server. A Wayland compositor gives them to no program without its portal.

mod portal;
mod x11;

use gtk::gdk;
use gtk::prelude::ObjectExt;
use handraise_protocol::ShortcutState;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;

pub(crate) use portal::print_shortcut;

use crate::os::ShortcutEvent;
use crate::os::linux::send;
use crate::shortcut::Shortcut;
use crate::strings::Text;
use x11::X11Error;

/// Whether the windows are on an X server. Must be called on the main thread.
fn is_x11() -> bool {
    gdk::Display::default().is_some_and(|display| display.type_().name() == "GdkX11Display")
}

/// Watches the shortcut that is `wanted` at a time, until nobody wants any more. `words`: what the desktop shows for it. Must
/// be called on the main thread.
pub(crate) fn watch(
    mut wanted: watch::Receiver<Option<Shortcut>>,
    words: Text,
    events: UnboundedSender<ShortcutEvent>,
) -> impl Future<Output = ()> + Send {
    let is_x11 = is_x11();
    async move {
        loop {
            let shortcut = wanted.borrow_and_update().clone();
            tokio::select! {
                changed = wanted.changed() => if changed.is_err() { return },
                () = follow(shortcut, words, is_x11, &events) => {}
            }
        }
    }
}

/// Never returns: another shortcut may be wanted later.
async fn follow(shortcut: Option<Shortcut>, words: Text, is_x11: bool, events: &UnboundedSender<ShortcutEvent>) {
    send(events, ShortcutEvent::State(ShortcutState::Off));
    if let Some(shortcut) = shortcut {
        let state = portal::follow(&shortcut, &words.get(), events).await;
        match state {
            Ok(true) => {}
            _ if !is_x11 => send(events, ShortcutEvent::State(ShortcutState::Impossible)),
            _ => {
                let state = match x11::follow(&shortcut, events).await {
                    Err(X11Error::Taken) => ShortcutState::Taken,
                    Err(X11Error::NoKey) => ShortcutState::NoKey,
                    ended => {
                        tracing::warn!(error = ?ended.err(), "the shortcut does not work any more");
                        ShortcutState::Impossible
                    }
                };
                send(events, ShortcutEvent::State(state));
            }
        }
    }
    std::future::pending().await
}
