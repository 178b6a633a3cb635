//! Linux: notifications, tray and panel over D-Bus, a desktop entry for the start at login.

mod accent;
mod application;
mod autostart;
mod input;
mod left;
mod notifier;
mod panel;
mod portal;
mod presence;
mod queue;
mod shortcut;
mod unseen;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tokio::sync::mpsc::UnboundedSender;

pub(crate) use accent::{in_force as accent, watch as watch_accent};
pub(crate) use application::{activate, call_attention, name_application};
pub(crate) use input::watch as watch_input;
pub(crate) use notifier::start as start_notifier;
pub(crate) use panel::watch as watch_panel;
pub(crate) use portal::print_color_scheme;
pub(crate) use presence::watch as watch_presence;
pub(crate) use shortcut::{print_shortcut, watch as watch_shortcut};
pub(crate) use unseen::{lay_out, put_away, read_size, show, uncover};

use crate::os::{LoginCommand, LoginItem};

/// The entry that starts `command` at login, in `folder` or in the user's own autostart folder.
///
/// That is `~/.config/autostart` of the user database. A session that keeps its configuration
/// elsewhere says so in `XDG_CONFIG_HOME`; it is not asked, as no location comes from the
/// environment (whoever starts a program chooses that), and such a session needs its own entry.
#[must_use]
pub(crate) fn login_item(command: LoginCommand, folder: Option<PathBuf>) -> Option<Box<dyn LoginItem>> {
    let folder = folder.or_else(|| {
        let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok().flatten()?;
        Some(user.dir.join(".config/autostart"))
    })?;
    Some(Box::new(autostart::DesktopEntry::new(&folder, command)))
}

/// Opens a file with the program that the desktop has for it.
///
/// # Errors
/// When there is nothing to open it with.
pub(crate) fn open_file(path: &Path) -> std::io::Result<()> {
    let null = || Stdio::null();
    let mut child = Command::new("xdg-open").arg(path).stdin(null()).stdout(null()).stderr(null()).spawn()?;
    // Waits for it, so that no dead child is left behind.
    std::thread::spawn(move || child.wait());
    Ok(())
}

/// Whether the session says that this is its desktop, as `GNOME`. What it says is taken for a hint only: whoever starts
/// the program chooses it.
fn is_desktop(name: &str) -> bool {
    std::env::var("XDG_CURRENT_DESKTOP").is_ok_and(|desktops| desktops.split(':').any(|desktop| desktop == name))
}

/// Sends until nobody listens any more.
fn send<T>(events: &UnboundedSender<T>, event: T) {
    // Nobody listens any more only while the program ends.
    let _ = events.send(event);
}
