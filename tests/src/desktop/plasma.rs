//! KDE Plasma on KWin without a screen, and settings for them that ask nothing and animate nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Desktop;
use super::display::Rectangle;
use super::kind::SOCKET;
use super::wait::{PATIENCE, wait_until};
use super::windows::Window;

const NAME: &str = "org.kde.KWin";
/// Stands before what the script of [`windows`] prints in KWin's log.
const MARK: &str = "HANDRAISE_WINDOWS";

const SETTINGS: [(&str, &str); 4] = [
    (".config/kscreenlockerrc", "[Daemon]\nAutolock=false\nLockOnResume=false\n"),
    (".config/kdeglobals", "[KDE]\nAnimationDurationFactor=0\n"),
    (".config/baloofilerc", "[Basic Settings]\nIndexing-Enabled=false\n"),
    (".config/ksmserverrc", "[General]\nloginMode=emptySession\n"),
];

/// A window, as the script gives it.
#[derive(Debug, Deserialize)]
struct Row {
    title: String,
    application: String,
    has_focus: bool,
    wants_attention: bool,
    is_listed: bool,
    place: (f64, f64, f64, f64),
}

/// Writes the settings into the home folder before anything starts. KWin lets a program move the pointer whose desktop
/// entry says so: this test's.
pub(super) fn write_settings(home: &Path) -> Result<()> {
    let hands = format!(
        "[Desktop Entry]\nType=Application\nName=hands\nNoDisplay=true\nExec={}\n\
         X-KDE-Wayland-Interfaces=org_kde_kwin_fake_input\n",
        std::env::current_exe()?.display()
    );
    let hands = (".local/share/applications/hands.desktop", hands.as_str());
    for (path, text) in SETTINGS.into_iter().chain([hands]) {
        let path = home.join(path);
        std::fs::create_dir_all(path.parent().context("no folder")?)?;
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// The compositor. A copy of the program: the installed one has a capability that a container may not give
/// (`cap_sys_resource`), and then does not start.
pub(super) fn compositor(folder: &Path, (width, height): (u32, u32)) -> Result<Command> {
    let program: PathBuf = folder.join("kwin_wayland");
    std::fs::copy("/usr/bin/kwin_wayland", &program).context("KWin is not installed; run: scripts/setup desktops")?;
    let mut command = Command::new(program);
    command.args(["--virtual", "--width", &width.to_string(), "--height", &height.to_string(), "--socket", SOCKET]);
    command.env_remove("WAYLAND_DISPLAY").env_remove("QT_QPA_PLATFORM");
    Ok(command)
}

/// The tray's watcher is in it.
pub(super) fn settings_daemon() -> Command {
    Command::new("kded5")
}

/// Panel and notification server.
pub(super) fn shell() -> Command {
    let mut command = Command::new("plasmashell");
    command.arg("--no-respawn");
    command
}

pub(super) fn screenshot(desktop: &Desktop, path: &Path) -> Result<()> {
    let mut command = Command::new("spectacle");
    command.args(["--background", "--nonotify", "--fullscreen", "--output"]).arg(path);
    desktop.run(&command).map(drop)
}

/// The windows that KWin has: a script in it writes them into its log.
pub(super) async fn windows(desktop: &Desktop) -> Result<Vec<Window>> {
    let number = desktop.next_number();
    let mark = format!("{MARK}-{number}-");
    let script = desktop.folder.path().join(format!("windows-{number}.js"));
    let text = "print('MARK' + JSON.stringify(workspace.clientList().filter(w => w.normalWindow || w.dialog).map(w => ({ \
                title: w.caption, application: '' + w.desktopFileName, has_focus: workspace.activeClient === w, \
                wants_attention: w.demandsAttention, is_listed: !w.skipTaskbar, \
                place: [w.frameGeometry.x, w.frameGeometry.y, w.frameGeometry.width, w.frameGeometry.height] }))))";
    std::fs::write(&script, text.replace("MARK", &mark))?;
    let bus = &desktop.bus.connection;
    let scripting = Some("org.kde.kwin.Scripting");
    let arguments = (script.to_string_lossy(), &mark);
    let loaded = bus.call_method(Some(NAME), "/Scripting", scripting, "loadScript", &arguments).await?;
    let path = format!("/{}", loaded.body().deserialize::<i32>()?);
    bus.call_method(Some(NAME), path.as_str(), Some("org.kde.kwin.Script"), "run", &()).await?;
    let compositor = desktop.shell.first().context("no KWin")?;
    let rows: Vec<Row> = wait_until("KWin to tell its windows", PATIENCE, async || {
        let log = compositor.log();
        let line = log.lines().find_map(|line| line.split_once(&mark)).map(|(_, line)| line.trim_end_matches('"'));
        Ok(line.map(serde_json::from_str).transpose()?)
    })
    .await?;
    bus.call_method(Some(NAME), "/Scripting", scripting, "unloadScript", &mark).await?;
    let windows = rows.into_iter().map(|row| {
        let (x, y, width, height) = row.place;
        #[expect(clippy::cast_possible_truncation, reason = "pixels of a small screen")]
        let place = Rectangle { x: x as i32, y: y as i32, width: width as i32, height: height as i32 };
        Window {
            title: row.title,
            application: row.application,
            place,
            has_focus: row.has_focus,
            wants_attention: row.wants_attention,
            is_listed: row.is_listed,
        }
    });
    Ok(windows.collect())
}
