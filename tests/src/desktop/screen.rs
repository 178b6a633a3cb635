//! Eyes and hands on any desktop: pictures, the real pointer, the real keyboard.

use std::path::Path;
use std::process::Command;
use std::sync::PoisonError;

use anyhow::{Context, Result, bail};

use super::display::Rectangle;
use super::kind::SOCKET;
use super::wayland::Hands;
use super::{Desktop, DesktopProcess, Kind, gnome, plasma};

/// `BTN_LEFT` of `linux/input-event-codes.h`.
const LEFT: u32 = 0x110;

/// A key that is held down; it comes up when this is dropped.
#[derive(Debug)]
pub struct HeldKey<'desktop> {
    desktop: &'desktop Desktop,
    key: String,
    _wtype: Option<DesktopProcess>,
}

impl Drop for HeldKey<'_> {
    fn drop(&mut self) {
        // The desktop may be ending; wtype lets go when it ends.
        let _ = match self.desktop.kind {
            Kind::Sway => Ok(()),
            Kind::Xfce => self.desktop.xdotool(&["keyup", &self.key]).map(drop),
            Kind::Gnome | Kind::Plasma => self.desktop.key(&self.key, false),
        };
    }
}

impl Desktop {
    /// Saves a picture (PNG) of the whole screen.
    ///
    /// # Errors
    /// When the program for it fails.
    pub fn screenshot(&self, path: &Path) -> Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        match self.kind {
            Kind::Xfce => self.run(Command::new("import").args(["-silent", "-window", "root"]).arg(path)).map(drop),
            Kind::Gnome => gnome::screenshot(self, path),
            Kind::Plasma => plasma::screenshot(self, path),
            Kind::Sway => self.run(Command::new("grim").arg(path)).map(drop),
        }
    }

    /// Moves the real pointer to the middle of `place` and presses the left button.
    ///
    /// # Errors
    /// When the desktop refuses.
    pub fn click(&self, place: Rectangle) -> Result<()> {
        self.point(place)?;
        self.press_button()
    }

    /// Moves the real pointer to the middle of `place`.
    ///
    /// # Errors
    /// When the desktop refuses.
    pub fn point(&self, place: Rectangle) -> Result<()> {
        let (x, y) = place.center();
        self.move_pointer(x, y)
    }

    /// Moves the pointer out of the way, to the bottom left corner. On sway, where the window under the pointer has the
    /// keyboard, to the bar.
    ///
    /// # Errors
    /// When the desktop refuses.
    pub fn park_pointer(&self) -> Result<()> {
        if self.kind == Kind::Sway {
            return self.move_pointer(1, 1);
        }
        self.move_pointer(0, i32::try_from(self.size.1)? - 1)
    }

    /// Presses the left button where the pointer is.
    ///
    /// # Errors
    /// When the desktop refuses.
    pub fn press_button(&self) -> Result<()> {
        match self.kind {
            Kind::Xfce => self.xdotool(&["click", "1"]).map(drop),
            Kind::Gnome => gnome::press_button(self),
            Kind::Plasma | Kind::Sway => self.with_hands(|hands| {
                hands.button(LEFT, true)?;
                hands.button(LEFT, false)
            }),
        }
    }

    fn move_pointer(&self, x: i32, y: i32) -> Result<()> {
        match self.kind {
            Kind::Xfce => self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]).map(drop),
            Kind::Gnome => gnome::move_pointer(self, x, y),
            // From beside it, so that it moves even when it is there already.
            Kind::Plasma | Kind::Sway => self.with_hands(|hands| {
                hands.move_to(x - 1, y)?;
                hands.move_to(x, y)
            }),
        }
    }

    /// Presses keys in the focused window, in xdotool's spelling: `Return`, `ctrl+Return`, `Escape`. On Wayland single
    /// keys alone.
    ///
    /// # Errors
    /// When the desktop refuses.
    pub fn press(&self, keys: &str) -> Result<()> {
        match self.kind {
            Kind::Xfce => self.xdotool(&["key", "--clearmodifiers", keys]).map(drop),
            // The pause: the first key of a new keyboard is lost. And a window that gets a new keyboard counts none of its
            // keys at first.
            Kind::Sway => self.run(Command::new("wtype").args(["-s", "1500", "-k", keys])).map(drop),
            Kind::Gnome | Kind::Plasma => {
                self.key(keys, true)?;
                self.key(keys, false)
            }
        }
    }

    /// Presses a key and holds it.
    ///
    /// # Errors
    /// When the desktop refuses.
    pub fn hold(&self, key: &str) -> Result<HeldKey<'_>> {
        let mut wtype = None;
        match self.kind {
            Kind::Xfce => self.xdotool(&["keydown", key]).map(drop)?,
            Kind::Sway => {
                // Until it is ended: a day.
                wtype = Some(self.spawn(Command::new("wtype").args(["-s", "300", "-P", key, "-s", "86400000"]))?);
            }
            Kind::Gnome | Kind::Plasma => self.key(key, true)?,
        }
        Ok(HeldKey { desktop: self, key: key.to_owned(), _wtype: wtype })
    }

    fn key(&self, name: &str, is_down: bool) -> Result<()> {
        let code = code(name)?;
        match self.kind {
            Kind::Gnome => gnome::key(self, code, is_down),
            Kind::Plasma => self.with_hands(|hands| hands.key(code, is_down)),
            Kind::Xfce | Kind::Sway => bail!("its keys have names"),
        }
    }

    fn with_hands<T>(&self, act: impl FnOnce(&mut Hands) -> Result<T>) -> Result<T> {
        let mut hands = self.hands.lock().unwrap_or_else(PoisonError::into_inner);
        if hands.is_none() {
            *hands = Some(Hands::connect(&self.runtime_folder().join(SOCKET), self.size)?);
        }
        act(hands.as_mut().context("no hands")?)
    }
}

/// The number of a key in `linux/input-event-codes.h`.
fn code(name: &str) -> Result<u32> {
    const CODES: [(&str, u32); 9] = [
        ("Escape", 1),
        ("Return", 28),
        ("space", 57),
        ("Tab", 15),
        ("a", 30),
        ("d", 32),
        ("s", 31),
        ("x", 45),
        ("r", 19),
    ];
    let found = CODES.iter().find(|(known, _)| *known == name);
    found.map(|(_, code)| *code).with_context(|| format!("add the number of the key {name:?}"))
}
