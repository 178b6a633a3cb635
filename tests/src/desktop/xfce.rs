//! The programs of Xfce that make the desktop, and settings for them that ask nothing and animate nothing.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

/// One panel at the top with a window list and the tray (`xfce4-panel`, channel `xfce4-panel`); no clock, so that two
/// pictures of the same state are the same.
const PANEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="true"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="30"/>
      <property name="icon-size" type="uint" value="20"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
        <value type="int" value="3"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="tasklist"/>
    <property name="plugin-2" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
      <property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-3" type="string" value="systray">
      <property name="square-icons" type="bool" value="true"/>
    </property>
  </property>
</channel>
"#;

/// Popups at the top right, at once and without fading (`xfce4-notifyd`, channel `xfce4-notifyd`).
const NOTIFICATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-notifyd" version="1.0">
  <property name="do-fadeout" type="bool" value="false"/>
  <property name="do-slideout" type="bool" value="false"/>
  <property name="initial-opacity" type="double" value="1.0"/>
  <property name="notification-log" type="bool" value="false"/>
  <property name="notify-location" type="uint" value="2"/>
</channel>
"#;

/// Writes the settings into the home folder before anything of Xfce starts.
pub(super) fn write_settings(home: &Path) -> Result<()> {
    let channels = home.join(".config/xfce4/xfconf/xfce-perchannel-xml");
    std::fs::create_dir_all(&channels)?;
    std::fs::write(channels.join("xfce4-panel.xml"), PANEL)?;
    std::fs::write(channels.join("xfce4-notifyd.xml"), NOTIFICATIONS)?;
    Ok(())
}

/// The window manager, without compositing.
pub(super) fn window_manager() -> Command {
    let mut command = Command::new("xfwm4");
    command.arg("--compositor=off");
    command
}

/// The panel; without the check it would wait ten seconds for a window manager that comes up beside it.
pub(super) fn panel() -> Command {
    let mut command = Command::new("xfce4-panel");
    command.arg("--disable-wm-check");
    command
}

/// The notification server. It is in no `PATH`: the folder carries the machine's architecture in its name.
pub(super) fn notification_server() -> Result<Command> {
    let libraries = std::fs::read_dir("/usr/lib")?.flatten().map(|entry| entry.path());
    libraries
        .map(|folder| folder.join("xfce4/notifyd/xfce4-notifyd"))
        .find(|program| program.is_file())
        .map(Command::new)
        .context("xfce4-notifyd is not installed; run: scripts/setup test")
}
