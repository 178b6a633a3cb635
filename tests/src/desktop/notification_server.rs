//! The desktop's notification server, which a test may end and start again.

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::process::DesktopProcess;
use super::{Desktop, Kind, plasma, sway, xfce};

/// The bus name of every notification server (Desktop Notifications Specification 1.2).
pub(super) const NAME: &str = "org.freedesktop.Notifications";
/// The object that answers under [`NAME`].
pub(super) const PATH: &str = "/org/freedesktop/Notifications";

/// The name by which a bus starts the notification server of GNOME Shell.
const GNOME_SERVER: &str = "org.gnome.Shell.Notifications";

/// A running notification server that is a program of its own.
#[derive(Debug)]
pub(super) struct NotificationServer {
    process: DesktopProcess,
}

impl NotificationServer {
    /// `None`: the session bus starts it.
    pub(super) fn spawn(desktop: &Desktop) -> Result<Option<Self>> {
        let command = match desktop.kind {
            Kind::Xfce => xfce::notification_server()?,
            Kind::Gnome => return Ok(None),
            Kind::Plasma => plasma::shell(),
            Kind::Sway => sway::notification_server(),
        };
        let process = desktop.spawn_within(&command, &desktop.accessible_environment())?;
        Ok(Some(Self { process }))
    }
}

impl Desktop {
    /// Starts the notification server and waits until it answers.
    ///
    /// # Errors
    /// When one is running already, or it does not come up.
    pub async fn start_notification_server(&mut self) -> Result<()> {
        if self.bus.has_name(NAME).await? {
            bail!("the notification server is running");
        }
        self.notification_server = NotificationServer::spawn(self)?;
        if self.kind == Kind::Gnome {
            self.bus.start_by_name(GNOME_SERVER).await?;
        }
        self.bus.wait_for_name(NAME).await
    }

    /// Kills the notification server as a crash would, and waits until its name is free.
    ///
    /// # Errors
    /// When none is running.
    pub async fn stop_notification_server(&mut self) -> Result<()> {
        let process = self.bus.process_of(NAME).await.context("no notification server is running")?;
        kill(Pid::from_raw(i32::try_from(process)?), Signal::SIGKILL)?;
        if let Some(mut server) = self.notification_server.take() {
            server.process.stop();
        }
        self.bus.wait_for_no_name(NAME).await
    }

    /// A crash of the notification server and its return. The new one counts its ids from 1 again.
    ///
    /// # Errors
    /// When none was running, or it does not come up.
    pub async fn restart_notification_server(&mut self) -> Result<()> {
        self.stop_notification_server().await?;
        self.start_notification_server().await
    }
}
