//! sway with waybar and mako, and settings for them that ask nothing.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Desktop;
use super::display::Rectangle;
use super::windows::Window;

/// A bar at the top with the title of the focused window and the tray; no clock, so that two pictures of the same state
/// are the same.
const BAR: &str =
    r#"{"layer":"top","position":"top","height":30,"modules-left":["sway/window"],"modules-right":["tray"]}"#;
/// Notifications stay until they are answered; in the mode `away` none is drawn.
const NOTIFICATIONS: &str = "default-timeout=0\n[mode=away]\ninvisible=1\n";

/// Writes the settings into the home folder before anything starts.
pub(super) fn write_settings(home: &Path, (width, height): (u32, u32)) -> Result<()> {
    let settings = home.join(".config");
    for (path, text) in [
        ("waybar/config", BAR),
        ("mako/config", NOTIFICATIONS),
        (
            "sway/config",
            &format!("output HEADLESS-1 resolution {width}x{height} position 0 0\ndefault_border normal\n"),
        ),
    ] {
        let path = settings.join(path);
        std::fs::create_dir_all(path.parent().context("no folder")?)?;
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// The compositor, on a screen that is nowhere, painted by the processor.
pub(super) fn compositor() -> Command {
    let mut command = Command::new("sway");
    command.env_remove("WAYLAND_DISPLAY");
    command.envs([("WLR_BACKENDS", "headless"), ("WLR_LIBINPUT_NO_DEVICES", "1"), ("WLR_RENDERER", "pixman")]);
    command
}

/// The bar, which shows tray icons.
pub(super) fn panel() -> Command {
    Command::new("waybar")
}

/// The notification server.
pub(super) fn notification_server() -> Command {
    Command::new("mako")
}

/// Has mako act as if the button `action` of this notification were pressed.
pub(super) fn invoke(desktop: &Desktop, id: u32, action: &str) -> Result<()> {
    desktop.run(Command::new("makoctl").args(["invoke", "-n", &id.to_string(), action])).map(drop)
}

/// Where mako draws the newest notification: below the bar, at the right (mako(5), `anchor` and `margin`).
pub(super) fn newest_notification((width, _): (u32, u32)) -> Rectangle {
    Rectangle { x: i32::try_from(width).unwrap_or_default() - 260, y: 50, width: 200, height: 20 }
}

/// The windows that sway has.
pub(super) fn windows(desktop: &Desktop) -> Result<Vec<Window>> {
    let mut command = Command::new("swaymsg");
    command.args(["--raw", "--type", "get_tree"]);
    let mut found = Vec::new();
    collect(&serde_json::from_str(&desktop.run(&command)?)?, &mut found);
    Ok(found)
}

fn collect(node: &Value, found: &mut Vec<Window>) {
    let text = |name: &str| node.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    if node.get("pid").is_some_and(Value::is_number) && node.get("app_id").is_some_and(Value::is_string) {
        let place = node.get("rect").cloned().unwrap_or_default();
        let pixels = |name: &str| place.get(name).and_then(Value::as_i64).and_then(|at| i32::try_from(at).ok());
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| pixels(name).unwrap_or_default());
        found.push(Window {
            title: text("name"),
            application: text("app_id"),
            place: Rectangle { x, y, width, height },
            has_focus: node.get("focused") == Some(&Value::Bool(true)),
            wants_attention: node.get("urgent") == Some(&Value::Bool(true)),
            is_listed: true,
        });
    }
    for name in ["nodes", "floating_nodes"] {
        for child in node.get(name).and_then(Value::as_array).into_iter().flatten() {
            collect(child, found);
        }
    }
}
