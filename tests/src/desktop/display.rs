//! A private X display: Xvfb on a number of its own choosing, its picture, its pointer and keyboard.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xinput::{self, ConnectionExt as _, DeviceUse};
use x11rb::protocol::xtest::ConnectionExt as _;

use super::Desktop;
use super::process::{DesktopProcess, within};
use super::wait::{PATIENCE, wait_until};

/// The folder of the X servers' sockets. A fresh container may lack it, and only root's Xvfb would make it.
const SOCKETS: &str = "/tmp/.X11-unix";

/// A place on the screen, in pixels from the top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rectangle {
    /// Pixels from the left edge of the screen.
    pub x: i32,
    /// Pixels from the top edge of the screen.
    pub y: i32,
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
}

impl Rectangle {
    /// The point to click.
    #[must_use]
    pub fn center(&self) -> (i32, i32) {
        (self.x + self.width / 2, self.y + self.height / 2)
    }
}

/// A running Xvfb.
#[derive(Debug)]
pub(super) struct Display {
    _server: DesktopProcess,
    /// Value for `DISPLAY`, such as `:1`.
    pub(super) name: String,
}

impl Display {
    /// Starts Xvfb; the number comes from `-displayfd`, which takes a free one without a race.
    pub(super) async fn start(folder: &Path, size: (u32, u32), environment: &[(String, String)]) -> Result<Self> {
        make_socket_folder();
        // `-noreset` keeps the display's state while no program is connected.
        let number_file = folder.join("display-number");
        let mut command = Command::new("sh");
        command.args(["-c", r#"exec Xvfb -displayfd 3 "$@" 3>"$NUMBER_FILE""#, "Xvfb"]);
        command.args(["-screen", "0", &format!("{}x{}x24", size.0, size.1), "-nolisten", "tcp", "-noreset"]);
        command.env("NUMBER_FILE", &number_file);
        let mut server = DesktopProcess::start(&command, environment, folder.join("xvfb.log"))?;
        let number = wait_until("Xvfb to choose its display", PATIENCE, async || {
            if let Some(status) = server.exit_status()? {
                bail!("Xvfb ended with {status}: {}", server.log());
            }
            let written = std::fs::read_to_string(&number_file)?;
            Ok(written.strip_suffix('\n').map(str::to_owned))
        })
        .await?;
        Ok(Self { _server: server, name: format!(":{number}") })
    }
}

fn make_socket_folder() {
    if DirBuilder::new().mode(0o777).create(SOCKETS).is_ok() {
        let _umask_undone = std::fs::set_permissions(SOCKETS, std::fs::Permissions::from_mode(0o1777));
    }
}

/// The events of a device's button, counted from the extension's first (XI.h).
const DEVICE_BUTTON_PRESS: u8 = 3;
const DEVICE_BUTTON_RELEASE: u8 = 4;

impl Desktop {
    /// As [`click`](Self::click), but pressed by the display's own pointer, as a mouse is: the XTEST extension lets a
    /// program speak for any device of the X Input Extension (XTestFakeDeviceButtonEvent, xtestlib).
    ///
    /// # Errors
    /// When the display has no pointer of its own.
    pub fn click_as_device(&self, place: Rectangle) -> Result<()> {
        let (x, y) = place.center();
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()])?;
        let (connection, screen) = x11rb::connect(self.display.as_ref().map(|display| display.name.as_str()))?;
        let root = connection.setup().roots.get(screen).context("no screen")?.root;
        let extension = connection.extension_information(xinput::X11_EXTENSION_NAME)?.context("no XInput")?;
        let listed = connection.xinput_list_input_devices()?.reply()?;
        let mut devices = listed.devices.iter().zip(&listed.names);
        let own = devices.find(|(device, name)| {
            device.device_use == DeviceUse::IS_X_EXTENSION_POINTER
                && !String::from_utf8_lossy(&name.name).contains("XTEST")
        });
        let id = own.context("the display has no pointer of its own")?.0.device_id;
        for event in [DEVICE_BUTTON_PRESS, DEVICE_BUTTON_RELEASE] {
            connection.xtest_fake_input(extension.first_event + event, 1, 0, root, 0, 0, id)?.check()?;
        }
        Ok(())
    }

    /// Types text into the focused window.
    ///
    /// # Errors
    /// When `xdotool` fails.
    pub fn type_text(&self, text: &str) -> Result<()> {
        self.xdotool(&["type", "--delay", "5", "--", text]).map(drop)
    }

    /// The title of the window that has the keyboard, or `None` when no window has it.
    #[must_use]
    pub fn active_window(&self) -> Option<String> {
        let title = self.xdotool(&["getactivewindow", "getwindowname"]).ok()?;
        Some(title.trim_end().to_owned())
    }

    /// Where the visible window with exactly this title is.
    ///
    /// # Errors
    /// When there is no such window.
    pub fn window(&self, title: &str) -> Result<Rectangle> {
        let windows = self.xdotool(&["search", "--onlyvisible", "--name", &format!("^{}$", escape(title))])?;
        let window = windows.lines().last().with_context(|| format!("no window is called {title:?}"))?;
        self.window_geometry(window)
    }

    /// Gives the visible window with exactly this title another size, as a person does who drags its edge.
    ///
    /// # Errors
    /// When there is no such window.
    pub fn resize_window(&self, title: &str, (width, height): (i32, i32)) -> Result<()> {
        let name = format!("^{}$", escape(title));
        let size = [width.to_string(), height.to_string()];
        let search = ["search", "--onlyvisible", "--name", &name, "windowsize", "--sync", &size[0], &size[1]];
        self.xdotool(&search).map(drop)
    }

    /// Says that no window is called so. A search that another window's end breaks off has not told: xdotool asks every
    /// window for its name, one after the other.
    ///
    /// # Errors
    /// When there is one, or nobody can tell at the moment.
    pub fn no_window(&self, title: &str) -> Result<()> {
        let mut search = Command::new("xdotool");
        search.args(["search", "--onlyvisible", "--name", &format!("^{}$", escape(title))]);
        let output = within(&search, &self.environment()).output().context("cannot start xdotool")?;
        ensure!(!output.status.success(), "there is a window called {title:?}");
        ensure!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    }

    /// Where the X window with this number is.
    pub(super) fn window_geometry(&self, window: &str) -> Result<Rectangle> {
        let geometry = self.xdotool(&["getwindowgeometry", "--shell", window])?;
        let field = |name: &str| -> Result<i32> {
            let line = geometry.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            Ok(line.with_context(|| format!("no {name} in {geometry:?}"))?.parse()?)
        };
        Ok(Rectangle { x: field("X")?, y: field("Y")?, width: field("WIDTH")?, height: field("HEIGHT")? })
    }

    pub(super) fn xdotool(&self, arguments: &[&str]) -> Result<String> {
        let mut xdotool = Command::new("xdotool");
        xdotool.args(arguments);
        self.run(&xdotool)
    }

    /// Runs a command of the desktop to its end and returns what it printed.
    ///
    /// # Errors
    /// When it cannot be started or fails.
    pub fn run(&self, command: &Command) -> Result<String> {
        let output = within(command, &self.environment())
            .output()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        ensure!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?)
    }
}

/// Makes a text match itself in a POSIX extended regular expression.
fn escape(text: &str) -> String {
    text.chars()
        .flat_map(|character| {
            let special = r"\.[]{}()*+?^$|".contains(character);
            special.then_some('\\').into_iter().chain([character])
        })
        .collect()
}
