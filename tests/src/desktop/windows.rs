//! The windows of a desktop, as its compositor or window manager tells them.

use std::process::Command;

use anyhow::{Context, Result};

use super::display::Rectangle;
use super::wait::{PATIENCE, wait_until};
use super::{Desktop, DesktopProcess, Kind, gnome, plasma, sway, x11_windows};

/// A window on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// What its title bar says.
    pub title: String,
    /// What the desktop knows its application by: the `app_id` of Wayland, which is the name of the desktop entry, or the
    /// class of X11.
    pub application: String,
    /// Where it is.
    pub place: Rectangle,
    /// Whether it has the keyboard.
    pub has_focus: bool,
    /// Whether it asks to be looked at.
    pub wants_attention: bool,
    /// Whether it is in the list of windows: on the panel, and where Alt+Tab goes.
    pub is_listed: bool,
}

/// A window to type in that writes its text into a file.
const TYPIST: &str = "imports.gi.versions.Gtk = '3.0'; const { Gtk, GLib } = imports.gi; Gtk.init(null); \
     const w = new Gtk.Window({ title: ARGV[1], default_width: 640, default_height: 200 }); \
     const e = new Gtk.Entry(); w.add(e); w.show_all(); \
     e.connect('changed', () => GLib.file_set_contents(ARGV[0], e.get_text())); \
     e.connect('activate', () => e.set_text(e.get_text() + '|')); Gtk.main();";

/// The same in a terminal, which writes each key at once; its first argument is the file.
const TERMINAL_TYPIST: &str = "stty -icanon; exec cat > \"$0\"";

/// Somebody who types into a window of their own.
#[derive(Debug)]
pub struct Typist {
    file: std::path::PathBuf,
    _window: DesktopProcess,
}

impl Typist {
    /// What has been typed.
    #[must_use]
    pub fn typed(&self) -> String {
        std::fs::read_to_string(&self.file).unwrap_or_default()
    }
}

impl Desktop {
    /// The windows there are, those of the desktop itself left out.
    ///
    /// # Errors
    /// When the compositor or window manager does not tell.
    pub async fn windows(&self) -> Result<Vec<Window>> {
        match self.kind {
            Kind::Xfce => x11_windows::windows(self),
            Kind::Gnome => gnome::windows(self).await,
            Kind::Plasma => plasma::windows(self).await,
            Kind::Sway => sway::windows(self),
        }
    }

    /// The title of the window that has the keyboard; empty when none has it.
    ///
    /// # Errors
    /// When the compositor does not tell.
    pub async fn focus(&self) -> Result<String> {
        let windows = self.windows().await?;
        Ok(windows.into_iter().find(|window| window.has_focus).map(|window| window.title).unwrap_or_default())
    }

    /// Waits for a window with this title that `wanted` accepts.
    ///
    /// # Errors
    /// When there is none in time; the message lists those there are.
    pub async fn wait_for_window(&self, title: &str, wanted: impl Fn(&Window) -> bool) -> Result<Window> {
        let mut last = Vec::new();
        let found = wait_until(&format!("the window {title:?}"), PATIENCE, async || {
            last = self.windows().await?;
            Ok(last.iter().find(|window| window.title == title && wanted(window)).cloned())
        })
        .await;
        found.with_context(|| format!("the windows are {last:#?}"))
    }

    /// Opens a window with this title to type in, and waits until it has the keyboard.
    ///
    /// # Errors
    /// When gjs or, on Xfce, xterm is not installed, or the window does not come up.
    pub async fn typist(&self, title: &str) -> Result<Typist> {
        let file = self.home().join(title);
        let mut command = Command::new(if self.kind == Kind::Xfce { "xterm" } else { "gjs" });
        match self.kind {
            Kind::Xfce => command.args(["-T", title, "-e", "sh", "-c", TERMINAL_TYPIST]).arg(&file),
            Kind::Gnome | Kind::Plasma | Kind::Sway => command.args(["-c", TYPIST]).arg(&file).arg(title),
        };
        let window = self.spawn(&command)?;
        self.wait_for_window(title, |window| window.has_focus).await.with_context(|| window.log())?;
        Ok(Typist { file, _window: window })
    }
}
