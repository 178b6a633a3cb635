//! GNOME Shell without a screen: one program that is compositor, panel and notification server. Scripts are run inside
//! of it (`org.gnome.Shell.Eval`, which `--unsafe-mode` opens) to look and to press.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use serde::Deserialize;
use serde_json::Value;

use super::Desktop;
use super::accessibility::Element;
use super::display::Rectangle;
use super::kind::SOCKET;
use super::wait::{PATIENCE, wait_until};
use super::windows::Window;

/// Its name on the bus, which is that of the interface, too, and the object.
pub(super) const NAME: &str = "org.gnome.Shell";
const PATH: &str = "/org/gnome/Shell";

/// Nothing is asked and nothing moves; no look at all windows at the start.
const SETTINGS: &str = "[org/gnome/shell]\nwelcome-dialog-last-shown-version='999'\nenabled-extensions=[EXTENSIONS]\n\n\
     [org/gnome/desktop/interface]\nenable-animations=false\ntoolkit-accessibility=true\n\n\
     [org/gnome/desktop/session]\nidle-delay=uint32 0\n";

/// The extension that shows tray icons (package gnome-shell-extension-appindicator).
const TRAY: &str = "'ubuntu-appindicators@ubuntu.com'";

/// A pointer and a keyboard of the shell's own.
const DEVICES: &str = "const C = imports.gi.Clutter; const S = C.get_default_backend().get_default_seat(); \
     const now = () => imports.gi.GLib.get_monotonic_time(); \
     global.testPointer ||= S.create_virtual_device(C.InputDeviceType.POINTER_DEVICE); \
     global.testKeys ||= S.create_virtual_device(C.InputDeviceType.KEYBOARD_DEVICE); ";

/// The windows, as [`Row`]s.
const WINDOWS: &str = "global.get_window_actors().map(a => a.meta_window).map(w => { const r = w.get_frame_rect(); \
     return { title: w.title ?? '', application: w.get_wm_class() ?? '', has_focus: w.has_focus(), \
     wants_attention: w.demands_attention || w.urgent, is_listed: !w.skip_taskbar, place: [r.x, r.y, r.width, r.height] } })";

/// The banner that is on the screen, as [`Part`]s: role, text, place.
const BANNER: &str = "(() => { const parts = []; const walk = a => { if (!a.visible) return; \
     const [x, y] = a.get_transformed_position(); const place = [x, y, a.width, a.height]; \
     if (a instanceof imports.gi.St.Button && a.label) parts.push(['push button', a.label, place]); \
     if (a instanceof imports.gi.St.Label) parts.push(['label', a.text, place]); \
     a.get_children().forEach(walk) }; \
     const b = Main.messageTray._banner; if (b) walk(b); return parts })()";

/// A part of a banner.
type Part = (String, String, (f64, f64, f64, f64));

/// A window, as the script gives it.
#[derive(Debug, Deserialize)]
struct Row {
    title: String,
    application: String,
    has_focus: bool,
    wants_attention: bool,
    is_listed: bool,
    place: (i32, i32, i32, i32),
}

/// Writes the settings into the home folder before anything starts.
pub(super) fn write_settings(home: &Path, has_tray: bool) -> Result<()> {
    let folder = home.join(".config/glib-2.0/settings");
    std::fs::create_dir_all(&folder)?;
    let settings = SETTINGS.replace("EXTENSIONS", if has_tray { TRAY } else { "" });
    Ok(std::fs::write(folder.join("keyfile"), settings)?)
}

/// The shell.
pub(super) fn compositor((width, height): (u32, u32)) -> Command {
    let mut command = Command::new("gnome-shell");
    command.args(["--headless", "--wayland", "--no-x11", "--unsafe-mode", "--wayland-display", SOCKET]);
    command.args(["--virtual-monitor", &format!("{width}x{height}")]);
    command.env_remove("WAYLAND_DISPLAY");
    command
}

/// Leaves the look at all windows that the shell starts with, and puts away what it says at the start itself: that
/// there is no lock without GDM. Only one notification is on its screen at a time.
pub(super) async fn make_ready(desktop: &Desktop) -> Result<()> {
    let script = "Main.layoutManager._startingUp ? false : \
                  (Main.overview.hide(), Main.messageTray.getSources().forEach(s => s.destroy()), true)";
    wait_until("GNOME Shell to be there", PATIENCE, async || {
        Ok((eval(desktop, script).await? == Value::Bool(true)).then_some(()))
    })
    .await
}

/// Runs `script` in the shell, and gives its value.
pub(super) async fn eval(desktop: &Desktop, script: &str) -> Result<Value> {
    let reply = desktop.bus.connection.call_method(Some(NAME), PATH, Some(NAME), "Eval", &script).await?;
    let (worked, answer): (bool, String) = reply.body().deserialize()?;
    ensure!(worked, "the script failed: {answer}");
    Ok(if answer.is_empty() { Value::Null } else { serde_json::from_str(&answer)? })
}

/// Does something with the devices.
fn act(desktop: &Desktop, script: &str) -> Result<()> {
    let mut command = Command::new("gdbus");
    command.args(["call", "--session", "--dest", NAME, "--object-path", PATH, "--method"]);
    command.args(["org.gnome.Shell.Eval".to_owned(), format!("{DEVICES}{script} ''")]);
    let answer = desktop.run(&command)?;
    ensure!(answer.starts_with("(true"), "the script failed: {answer}");
    Ok(())
}

pub(super) fn move_pointer(desktop: &Desktop, x: i32, y: i32) -> Result<()> {
    act(desktop, &format!("global.testPointer.notify_absolute_motion(now(), {x}, {y});"))
}

pub(super) fn press_button(desktop: &Desktop) -> Result<()> {
    let one =
        |state: &str| format!("global.testPointer.notify_button(now(), C.BUTTON_PRIMARY, C.ButtonState.{state});");
    act(desktop, &(one("PRESSED") + &one("RELEASED")))
}

/// Presses or lets go of a key, by its number in `linux/input-event-codes.h`.
pub(super) fn key(desktop: &Desktop, key: u32, is_down: bool) -> Result<()> {
    act(desktop, &format!("global.testKeys.notify_key(now(), {key}, {});", u32::from(is_down)))
}

pub(super) fn screenshot(desktop: &Desktop, path: &Path) -> Result<()> {
    let mut command = Command::new("gdbus");
    command.args(["call", "--session", "--dest", "org.gnome.Shell.Screenshot"]);
    command.args(["--object-path", "/org/gnome/Shell/Screenshot"]);
    command.args(["--method", "org.gnome.Shell.Screenshot.Screenshot", "false", "false"]).arg(path);
    desktop.run(&command).map(drop)
}

/// The banner that is on the screen: there is one at a time. Its buttons are on it while the pointer is.
pub(super) async fn banners(desktop: &Desktop) -> Result<Vec<Element>> {
    let parts: Vec<Part> = serde_json::from_value(eval(desktop, BANNER).await?)?;
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let children = parts.into_iter().map(|(role, name, (x, y, width, height))| {
        #[expect(clippy::cast_possible_truncation, reason = "pixels of a small screen")]
        let place = Rectangle { x: x as i32, y: y as i32, width: width as i32, height: height as i32 };
        Element::drawn(role, name, place, Vec::new())
    });
    let place = Rectangle { x: 0, y: 0, width: 0, height: 0 };
    let children = children.collect();
    Ok(vec![Element::drawn("window".to_owned(), String::new(), place, children)])
}

/// The titles of all notifications that the shell has, on the screen or in its list. Its server does not tell the bus when
/// one goes whose sender is gone.
pub(super) async fn listed(desktop: &Desktop) -> Result<Vec<String>> {
    let script = "Main.messageTray.getSources().flatMap(source => source.notifications.map(one => \
                  `${one.title}: ${one.bannerBodyText}`))";
    Ok(serde_json::from_value(eval(desktop, script).await?)?)
}

/// The windows that the shell has.
pub(super) async fn windows(desktop: &Desktop) -> Result<Vec<Window>> {
    let rows: Vec<Row> = serde_json::from_value(eval(desktop, WINDOWS).await?)?;
    let windows = rows.into_iter().map(|row| {
        let (x, y, width, height) = row.place;
        Window {
            title: row.title,
            application: row.application,
            place: Rectangle { x, y, width, height },
            has_focus: row.has_focus,
            wants_attention: row.wants_attention,
            is_listed: row.is_listed,
        }
    });
    Ok(windows.collect())
}
