//! A real desktop that belongs to one test alone: its own display, session bus, window manager, panel with a tray, and
//! notification server, in its own home folder. Nothing of the surrounding session is seen or touched.
//!
//! Everything in it is the real thing (see [`Kind`]), and clicks are clicks of the real pointer. The packages it needs
//! are installed by `scripts/setup test`, those of the Wayland desktops by `scripts/setup desktops`.

mod accessibility;
mod bus_record;
mod display;
mod gnome;
mod kind;
mod login_service;
mod notification_server;
mod notifications;
mod plasma;
mod process;
mod screen;
mod screen_reader;
mod session_bus;
mod sway;
mod tray;
mod tray_menu;
mod wait;
mod wayland;
mod web_driver;
mod windows;
mod x11_windows;
mod xfce;

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use tempfile::TempDir;
use zbus::Connection;

use accessibility::Accessibility;
use bus_record::BusRecord;
use display::Display;
use login_service::LoginService;
use notification_server::NotificationServer;
use session_bus::SessionBus;
use wayland::Hands;

pub use accessibility::{Announcements, Element};
pub use bus_record::{Notification, NotificationState};
pub use display::Rectangle;
pub use kind::Kind;
pub use process::DesktopProcess;
pub use screen::HeldKey;
pub use tray::Tray;
pub use tray_menu::MenuItem;
pub use wait::{PATIENCE, wait_until};
pub use web_driver::{Automation, WebDriver};
pub use windows::{Typist, Window};
pub use x11_windows::{Frame, FrameWatch};

/// What a desktop is made of.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which desktop.
    pub kind: Kind,
    /// Width and height of the screen in pixels.
    pub screen: (u32, u32),
    /// Run the window manager (focus, stacking). A Wayland compositor is one.
    pub window_manager: bool,
    /// Run the panel, which shows tray icons.
    pub tray_host: bool,
    /// Run the notification server. GNOME Shell and Plasma are one themselves.
    pub notification_server: bool,
    /// Have the programs tell the accessibility bus what they show, as where a screen reader runs.
    pub screen_reader: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: Kind::Xfce,
            screen: (1280, 800),
            window_manager: true,
            tray_host: true,
            notification_server: true,
            screen_reader: false,
        }
    }
}

impl From<Kind> for Options {
    fn from(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }
}

/// A running private desktop. Dropping it ends every program that was started in it.
#[derive(Debug)]
pub struct Desktop {
    // Dropped from top to bottom: first the programs, then what they run on.
    notification_server: Option<NotificationServer>,
    shell: Vec<DesktopProcess>,
    hands: Mutex<Option<Hands>>,
    login_service: Option<LoginService>,
    record: BusRecord,
    accessibility: Accessibility,
    bus: SessionBus,
    display: Option<Display>,
    kind: Kind,
    size: (u32, u32),
    screen_reader: bool,
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
        let home = folder.path().join(HOME);
        match options.kind {
            Kind::Xfce => xfce::write_settings(&home)?,
            Kind::Gnome => gnome::write_settings(&home, options.tray_host)?,
            Kind::Plasma => plasma::write_settings(&home)?,
            Kind::Sway => sway::write_settings(&home, options.screen)?,
        }

        let mut environment = base_environment(folder.path(), options.kind);
        let mut display = None;
        if options.kind == Kind::Xfce {
            let started = Display::start(folder.path(), options.screen, &environment).await?;
            environment.push(("DISPLAY".to_owned(), started.name.clone()));
            display = Some(started);
        }
        let runtime = folder.path().join(RUNTIME);
        let bus = SessionBus::start(folder.path(), &runtime, &environment, options.kind.services()).await?;
        let record = BusRecord::start(&bus.address).await?;
        let accessibility = Accessibility::connect(&bus).await?;
        if options.screen_reader {
            Accessibility::announce_reader(&bus).await?;
        }
        let login_service = match options.kind {
            Kind::Gnome | Kind::Plasma => Some(LoginService::start(session_bus::connect(&bus.address).await?).await?),
            Kind::Xfce | Kind::Sway => None,
        };
        let mut desktop = Self {
            notification_server: None,
            shell: Vec::new(),
            hands: Mutex::default(),
            login_service,
            record,
            accessibility,
            bus,
            display,
            kind: options.kind,
            size: options.screen,
            screen_reader: options.screen_reader,
            logs: AtomicUsize::new(0),
            folder,
        };
        let started = desktop.start_programs(&options).await;
        started.with_context(|| format!("the private desktop does not come up: {}", desktop.shell_log()))?;
        Ok(desktop)
    }

    async fn start_programs(&mut self, options: &Options) -> Result<()> {
        self.start_compositor().await?;
        // All at once first, then wait for each.
        if options.notification_server {
            self.notification_server = NotificationServer::spawn(self)?;
        }
        let window_manager = (self.kind == Kind::Xfce && options.window_manager).then(xfce::window_manager);
        let panel = match self.kind {
            Kind::Xfce => Some(xfce::panel()),
            // The rest of it is the notification server.
            Kind::Plasma => Some(plasma::settings_daemon()),
            Kind::Sway => Some(sway::panel()),
            Kind::Gnome => None,
        };
        let panel = panel.filter(|_| options.tray_host);
        let accessible = self.accessible_environment();
        for command in window_manager.iter().chain(&panel) {
            let process = self.spawn_within(command, &accessible)?;
            self.shell.push(process);
        }
        if window_manager.is_some() {
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

    /// The compositor of a Wayland desktop, which everything else needs to start.
    async fn start_compositor(&mut self) -> Result<()> {
        let command = match self.kind {
            Kind::Xfce => return Ok(()),
            Kind::Gnome => gnome::compositor(self.size),
            Kind::Plasma => plasma::compositor(self.folder.path(), self.size)?,
            Kind::Sway => sway::compositor(),
        };
        let compositor = self.spawn_within(&command, &self.accessible_environment())?;
        self.shell.push(compositor);
        let socket = self.runtime_folder().join(kind::SOCKET);
        wait_until("the compositor", PATIENCE, async || {
            Ok(Some(std::os::unix::net::UnixStream::connect(&socket).map(drop)?))
        })
        .await?;
        if self.kind == Kind::Gnome {
            gnome::make_ready(self).await?;
        }
        Ok(())
    }

    async fn wait_for_window_manager(&self) -> Result<()> {
        // xdotool refuses this question when no window manager has announced itself.
        wait_until("the window manager", PATIENCE, async || Ok(Some(self.xdotool(&["get_num_desktops"])?)))
            .await
            .map(drop)
    }

    /// What the desktop's own programs have said, for a message of failure.
    fn shell_log(&self) -> String {
        self.shell.iter().map(DesktopProcess::log).collect::<Vec<_>>().join("\n")
    }

    /// A number that this desktop gives once.
    fn next_number(&self) -> usize {
        self.logs.fetch_add(1, Ordering::Relaxed)
    }

    /// Starts a program on this desktop. Standard output and error are kept, see [`DesktopProcess::log`].
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn spawn(&self, command: &Command) -> Result<DesktopProcess> {
        self.spawn_within(command, &self.environment())
    }

    fn spawn_within(&self, command: &Command, environment: &[(String, String)]) -> Result<DesktopProcess> {
        let number = self.next_number();
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
        if !self.screen_reader {
            environment.push(("NO_AT_BRIDGE".to_owned(), "1".to_owned()));
        }
        environment
    }

    /// The environment of the desktop's own programs, which tell the accessibility bus what they show.
    fn accessible_environment(&self) -> Vec<(String, String)> {
        let mut environment = base_environment(self.folder.path(), self.kind);
        environment.extend(self.display.iter().map(|display| ("DISPLAY".to_owned(), display.name.clone())));
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

fn base_environment(folder: &Path, kind: Kind) -> Vec<(String, String)> {
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
    let fixed = [("LANG", "C.UTF-8"), ("LIBGL_ALWAYS_SOFTWARE", "1")];
    let socket = (kind == Kind::Sway).then(|| ("SWAYSOCK", folder.join(RUNTIME).join("sway.sock")));
    pairs
        .into_iter()
        .chain(socket)
        .map(|(name, value)| (name.to_owned(), value.to_string_lossy().into_owned()))
        .chain(fixed.into_iter().chain(kind.environment()).map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect()
}
