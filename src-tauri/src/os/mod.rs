//! What differs from system to system, behind small traits.
//!
//! Each system has one file with the same names in it: [`accent`], [`watch_accent`], [`start_notifier`], [`login_item`],
//! [`watch_input`], [`watch_panel`], [`watch_presence`], [`activate`], [`call_attention`], [`lay_out`], [`show`],
//! [`read_size`], [`uncover`], [`put_away`], [`watch_shortcut`], [`name_application`] and [`open_file`].

use std::path::PathBuf;

use handraise_protocol::ShortcutState;
use tokio::sync::oneshot;

use crate::notification::content::{Buttons, NotificationContent, NotificationKey};

mod input;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(not(target_os = "linux"))]
mod toast;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub(crate) use linux::{
    accent, activate, call_attention, lay_out, login_item, name_application, open_file, print_color_scheme,
    print_shortcut, put_away, read_size, show, start_notifier, uncover, watch_accent, watch_input, watch_panel,
    watch_presence, watch_shortcut,
};
#[cfg(target_os = "macos")]
pub(crate) use macos::{login_item, open_file, start_notifier, watch_panel};
#[cfg(windows)]
pub(crate) use windows::{login_item, open_file, start_notifier, watch_panel};

pub(crate) use input::InputWatch;

/// The desktop's own accent colour is not asked for here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn watch_accent() {}

/// None: the windows keep the colour of Handraise.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub(crate) fn accent() -> Option<String> {
    None
}

/// Nobody tells here who presses buttons and keys.
#[cfg(not(target_os = "linux"))]
pub(crate) fn watch_input() -> InputWatch {
    InputWatch::new(input::PressVisibility::Nothing)
}

/// Brings a window that is open to the front, because of a click that a person made.
///
/// # Errors
/// When the system refuses.
#[cfg(not(target_os = "linux"))]
pub(crate) fn activate(window: &tauri::WebviewWindow, _token: Option<String>) -> tauri::Result<()> {
    window.set_focus()
}

/// Marks a window that is open, and leaves the keyboard where it is.
///
/// # Errors
/// When the system refuses.
#[cfg(not(target_os = "linux"))]
pub(crate) fn call_attention(window: &tauri::WebviewWindow) -> tauri::Result<()> {
    window.request_user_attention(Some(tauri::UserAttentionType::Informational))
}

/// How a window comes up that nobody sees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Appearing {
    /// Its width in logical pixels.
    pub width: f64,
    /// Its height in logical pixels.
    pub height: f64,
    /// A person asked for it: it may take the keyboard.
    pub is_asked: bool,
    /// It stays above other windows, on every workspace.
    pub stays_above: bool,
    /// What lets it take the keyboard, from the click that it comes up for.
    pub token: Option<String>,
}

/// Whether a window can wait hidden and be shown without being given the keyboard. Elsewhere Tauri can leave the keyboard
/// where it is only with a window that is new.
pub(crate) const CAN_WAIT_HIDDEN: bool = cfg!(target_os = "linux");

/// The window is on the screen already, see [`CAN_WAIT_HIDDEN`].
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub(crate) fn lay_out(_window: &tauri::WebviewWindow, _width: f64, _height: f64) -> tauri::Result<()> {
    Ok(())
}

/// Gives a window that is on the screen already its size.
///
/// # Errors
/// When the system refuses.
#[cfg(not(target_os = "linux"))]
pub(crate) fn show(window: &tauri::WebviewWindow, appearing: Appearing) -> tauri::Result<()> {
    window.set_size(tauri::LogicalSize::new(appearing.width, appearing.height))?;
    window.center()
}

/// Hands the size of a window to `then`, in logical pixels: the one that it would be given to stay as large as it is.
///
/// # Errors
/// When the system refuses.
#[cfg(not(target_os = "linux"))]
pub(crate) fn read_size(window: &tauri::WebviewWindow, then: impl FnOnce(f64, f64)) -> tauri::Result<()> {
    let size = window.inner_size()?.to_logical::<f64>(window.scale_factor()?);
    then(size.width, size.height);
    Ok(())
}

/// It was never covered.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub(crate) fn uncover(_window: &tauri::WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// Takes a window from the screen.
///
/// # Errors
/// When the system refuses.
#[cfg(not(target_os = "linux"))]
pub(crate) fn put_away(window: &tauri::WebviewWindow) -> tauri::Result<()> {
    window.hide()
}

/// There is no portal to ask.
#[cfg(not(target_os = "linux"))]
pub(crate) fn print_color_scheme() -> std::process::ExitCode {
    std::process::ExitCode::FAILURE
}

/// There is no portal to ask.
#[cfg(not(target_os = "linux"))]
pub(crate) fn print_shortcut(_keys: &str, _words: &str) -> std::process::ExitCode {
    std::process::ExitCode::FAILURE
}

/// Whether keys can bring the prompt window forward here, at least on some desktops.
pub(crate) const HAS_SHORTCUT: bool = cfg!(target_os = "linux");

/// There are no such keys.
#[cfg(not(target_os = "linux"))]
pub(crate) async fn watch_shortcut(
    _wanted: tokio::sync::watch::Receiver<Option<crate::shortcut::Shortcut>>,
    _words: crate::strings::Text,
    _events: tokio::sync::mpsc::UnboundedSender<ShortcutEvent>,
) {
}

/// What is told of the keys that bring the prompt window forward.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has them"))]
pub(crate) enum ShortcutEvent {
    /// How they stand.
    State(ShortcutState),
    /// They were pressed; with what lets a window take the keyboard because of it, where the desktop hands that out.
    Pressed(Option<String>),
}

/// The system knows the application by its bundle.
#[cfg(not(target_os = "linux"))]
pub(crate) fn name_application() {}

/// Neither system is asked here whether the person is there: both hold notifications back by themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn watch_presence(events: tokio::sync::mpsc::UnboundedSender<crate::presence::PresenceEvent>) {
    drop(events);
}

/// Shows native notifications. The calls return at once; what happens is told by [`NotifierEvent`]s.
pub(crate) trait Notifier: Send + Sync {
    /// Shows a notification, in place of the one with the same key.
    fn show(&self, content: NotificationContent);
    /// Closes a notification.
    fn close(&self, key: NotificationKey);
    /// Closes all of them; the receiver is told when that is done.
    fn close_all(&self) -> oneshot::Receiver<()>;
}

/// What a [`Notifier`] tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotifierEvent {
    /// This is now the notification server; nothing that was shown before counts any more.
    Server {
        /// Its notifications have buttons. Not so as well when there is no server.
        answers: bool,
        /// What they may do.
        buttons: Buttons,
    },
    /// The server holds notifications back for now, because the person is not to be disturbed.
    #[cfg_attr(not(any(target_os = "linux", test)), expect(dead_code, reason = "only some Linux desktops tell"))]
    Inhibited(bool),
    /// A button was pressed.
    Action {
        /// On which notification.
        key: NotificationKey,
        /// Name of the action.
        name: String,
        /// What lets a window take the keyboard because of it, where the server hands that out.
        token: Option<String>,
    },
    /// A reason was written on the notification and sent, and the request is denied with it.
    #[cfg_attr(not(any(target_os = "linux", test)), expect(dead_code, reason = "only some Linux desktops offer it"))]
    Reason {
        /// On which notification.
        key: NotificationKey,
        /// What was written.
        text: String,
    },
    /// The notification is not on the screen any more. Never an answer.
    Closed(NotificationKey),
    /// The notification could not be shown.
    Failed(NotificationKey),
}

/// The panel that the tray icon sits on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PanelTone {
    /// Needs a light glyph.
    Dark,
    /// Needs a dark glyph.
    #[cfg_attr(
        all(target_os = "macos", not(test)),
        expect(dead_code, reason = "the menu bar colours its icons itself")
    )]
    Light,
}

/// What is found out about the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PanelEvent {
    /// Its tone.
    #[cfg_attr(target_os = "macos", expect(dead_code, reason = "the menu bar colours its icons itself"))]
    Tone(PanelTone),
    /// Whether there is one that shows tray icons.
    TrayHost(bool),
}

/// The entry that starts Handraise at login.
pub(crate) trait LoginItem: Send + Sync {
    /// How it stands.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn state(&self) -> Result<LoginItemState, LoginItemError>;
    /// Makes or repairs it.
    ///
    /// # Errors
    /// When it cannot be written.
    fn enable(&self) -> Result<(), LoginItemError>;
    /// Removes it.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    fn disable(&self) -> Result<(), LoginItemError>;
}

/// How the entry that starts Handraise at login stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoginItemState {
    /// There is none.
    Missing,
    /// It starts this program.
    Current,
    /// It starts a program at another place: this one was moved.
    Outdated,
    /// It is there and was switched off with the means of the desktop.
    #[cfg_attr(
        all(target_os = "macos", not(test)),
        expect(dead_code, reason = "a LaunchAgent that is switched off looks like any other")
    )]
    SwitchedOff,
}

/// Why the entry that starts Handraise at login cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoginItemError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The entry.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: std::io::Error,
    },
    /// It could not be written safely.
    #[error(transparent)]
    Write(#[from] handraise_locations::PrivateFileError),
    /// The format cannot express the path.
    #[error("`{}` cannot be started at login: its path contains {what}", path.display())]
    Path {
        /// The program.
        path: PathBuf,
        /// What is in the way.
        what: &'static str,
    },
}

/// What a start at login has to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoginCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// A system without such entries, or a run that must not touch the user's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoLoginItem;

impl LoginItem for NoLoginItem {
    fn state(&self) -> Result<LoginItemState, LoginItemError> {
        Ok(LoginItemState::Missing)
    }

    fn enable(&self) -> Result<(), LoginItemError> {
        Ok(())
    }

    fn disable(&self) -> Result<(), LoginItemError> {
        Ok(())
    }
}
