//! A real desktop that belongs to one test alone: its own X display, session bus, window manager, panel with a tray,
//! and notification server, in its own home folder. Nothing of the surrounding session is seen or touched.
//!
//! Everything in it is the real thing (Xvfb, dbus-daemon, xfwm4, xfce4-panel, xfce4-notifyd), and clicks are clicks of
//! the real pointer. The packages it needs are installed by `scripts/setup test`.

mod accessibility;
mod bus_record;
mod display;
mod notification_server;
mod notifications;
mod process;
mod session_bus;
mod tray;
mod tray_menu;
mod wait;
mod web_driver;
mod xfce;

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use tempfile::TempDir;
use zbus::Connection;

use accessibility::Accessibility;
use bus_record::BusRecord;
use display::Display;
use notification_server::NotificationServer;
use session_bus::SessionBus;

pub use accessibility::Element;
pub use bus_record::{Notification, NotificationState};
pub use display::Rectangle;
pub use process::DesktopProcess;
pub use tray::Tray;
pub use tray_menu::MenuItem;
pub use wait::{PATIENCE, wait_until};
pub use web_driver::{Automation, WebDriver};

/// What a desktop is made of.
#[derive(Debug, Clone)]
pub struct Options {
    /// Width and height of the screen in pixels.
    pub screen: (u32, u32),
    /// Run the window manager (focus, stacking).
    pub window_manager: bool,
    /// Run the panel, which shows tray icons.
    pub tray_host: bool,
    /// Run the notification server.
    pub notification_server: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { screen: (1280, 800), window_manager: true, tray_host: true, notification_server: true }
    }
}

/// A running private desktop. Dropping it ends every program that was started in it.
#[derive(Debug)]
pub struct Desktop {
    // Dropped from top to bottom: first the programs, then what they run on.
    notification_server: Option<NotificationServer>,
    _shell: Vec<DesktopProcess>,
    record: BusRecord,
    accessibility: Accessibility,
    bus: SessionBus,
    display: Display,
    logs: AtomicUsize,
    folder: TempDir,
}

impl Desktop {
    /// Starts a desktop and returns when every part of it is ready for use.
    ///
    /// # Errors
    /// When a program is missing (`scripts/setup test` installs them all) or does not come up.
    pub async fn start(options: Options) -> Result<Self> {
        // Not in TMPDIR, which may be long: the path of a socket is limited to 107 bytes.
        let folder = tempfile::Builder::new().prefix("handraise-desktop-").tempdir_in("/tmp")?;
        for name in [HOME, RUNTIME] {
            DirBuilder::new().mode(0o700).create(folder.path().join(name))?;
        }
        xfce::write_settings(&folder.path().join(HOME))?;

        let base = base_environment(folder.path());
        let display = Display::start(folder.path(), options.screen, &base).await?;
        let mut environment = base;
        environment.push(("DISPLAY".to_owned(), display.name.clone()));
        let bus = SessionBus::start(folder.path(), &folder.path().join(RUNTIME), &environment).await?;
        let record = BusRecord::start(&bus.address).await?;
        let accessibility = Accessibility::connect(&bus).await?;
        let mut desktop = Self {
            notification_server: None,
            _shell: Vec::new(),
            record,
            accessibility,
            bus,
            display,
            logs: AtomicUsize::new(0),
            folder,
        };
        desktop.start_programs(&options).await.context("the private desktop does not come up")?;
        Ok(desktop)
    }

    async fn start_programs(&mut self, options: &Options) -> Result<()> {
        // All at once first, then wait for each.
        let accessible = self.accessible_environment();
        if options.notification_server {
            self.notification_server = Some(NotificationServer::spawn(self)?);
        }
        if options.window_manager {
            self._shell.push(self.spawn_within(&xfce::window_manager(), &accessible)?);
        }
        if options.tray_host {
            self._shell.push(self.spawn_within(&xfce::panel(), &accessible)?);
        }
        if options.window_manager {
            self.wait_for_window_manager().await?;
        }
        if options.notification_server {
            self.bus.wait_for_name(notification_server::NAME).await?;
        }
        if options.tray_host {
            tray::wait_for_host(&self.bus).await?;
        }
        self.park_pointer()
    }

    async fn wait_for_window_manager(&self) -> Result<()> {
        // xdotool refuses this question when no window manager has announced itself.
        wait_until("the window manager", PATIENCE, async || Ok(Some(self.xdotool(&["get_num_desktops"])?)))
            .await
            .map(drop)
    }

    /// Starts a program on this desktop. Standard output and error are kept, see [`DesktopProcess::log`].
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(&self, command: &Command) -> Result<DesktopProcess> {
        self.spawn_within(command, &self.environment())
    }

    fn spawn_within(&self, command: &Command, environment: &[(String, String)]) -> Result<DesktopProcess> {
        let number = self.logs.fetch_add(1, Ordering::Relaxed);
        let program = Path::new(command.get_program()).file_name().unwrap_or_default().display();
        let log = self.folder.path().join(format!("{number}-{program}.log"));
        DesktopProcess::start(command, environment, log)
    }

    /// The environment of a program on this desktop.
    ///
    /// Rendering is done in software. `WEBKIT_DISABLE_DMABUF_RENDERER` is left alone on purpose: with it, WebKitGTK 2.50
    /// never answers a WebDriver's request for a picture of the page.
    #[must_use]
    pub fn environment(&self) -> Vec<(String, String)> {
        let mut environment = self.accessible_environment();
        environment.push(("NO_AT_BRIDGE".to_owned(), "1".to_owned()));
        environment
    }

    /// The environment of the desktop's own programs, which tell the accessibility bus what they show.
    fn accessible_environment(&self) -> Vec<(String, String)> {
        let mut environment = base_environment(self.folder.path());
        environment.push(("DISPLAY".to_owned(), self.display.name.clone()));
        environment.push(("DBUS_SESSION_BUS_ADDRESS".to_owned(), self.bus.address.clone()));
        // Not the machine's own: whether the machine's session is locked is none of this desktop's business.
        environment.push(("DBUS_SYSTEM_BUS_ADDRESS".to_owned(), self.bus.address.clone()));
        environment
    }

    /// A new connection of its own to the desktop's session bus.
    ///
    /// # Errors
    /// When the bus is gone.
    pub async fn connect_to_bus(&self) -> Result<Connection> {
        session_bus::connect(&self.bus.address).await
    }

    /// The home folder of this desktop's programs.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.folder.path().join(HOME)
    }

    /// The runtime folder (`XDG_RUNTIME_DIR`) of this desktop's programs.
    #[must_use]
    pub fn runtime_folder(&self) -> PathBuf {
        self.folder.path().join(RUNTIME)
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        // Whatever the programs of this desktop have started and left behind; the fields' own drops are then quick.
        process::kill_all_of(self.folder.path());
    }
}

/// Names of the private folders inside the desktop's folder.
const HOME: &str = "home";
const RUNTIME: &str = "run";

fn base_environment(folder: &Path) -> Vec<(String, String)> {
    let home = folder.join(HOME);
    let pairs = [
        (process::MARK, folder.to_path_buf()),
        ("HOME", home.clone()),
        ("XDG_CONFIG_HOME", home.join(".config")),
        ("XDG_DATA_HOME", home.join(".local/share")),
        ("XDG_STATE_HOME", home.join(".local/state")),
        ("XDG_CACHE_HOME", home.join(".cache")),
        ("XDG_RUNTIME_DIR", folder.join(RUNTIME)),
    ];
    let fixed = [
        ("LANG", "C.UTF-8"),
        ("GDK_BACKEND", "x11"),
        ("GSETTINGS_BACKEND", "memory"),
        ("XDG_CURRENT_DESKTOP", "XFCE"),
        ("XDG_SESSION_TYPE", "x11"),
        ("LIBGL_ALWAYS_SOFTWARE", "1"),
    ];
    pairs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_string_lossy().into_owned()))
        .chain(fixed.map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect()
}
