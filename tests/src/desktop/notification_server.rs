//! The desktop's notification server, which a test may end and start again.

use anyhow::{Context, Result, bail};

use super::process::DesktopProcess;
use super::{Desktop, xfce};

/// The bus name of every notification server (Desktop Notifications Specification 1.2).
pub(super) const NAME: &str = "org.freedesktop.Notifications";
/// The object that answers under [`NAME`].
pub(super) const PATH: &str = "/org/freedesktop/Notifications";

/// A running xfce4-notifyd.
#[derive(Debug)]
pub(super) struct NotificationServer {
    process: DesktopProcess,
}

impl NotificationServer {
    pub(super) fn spawn(desktop: &Desktop) -> Result<Self> {
        let process = desktop.spawn_within(&xfce::notification_server()?, &desktop.accessible_environment())?;
        Ok(Self { process })
    }
}

impl Desktop {
    /// Starts the notification server and waits until it answers.
    ///
    /// # Errors
    /// When one is running already, or it does not come up.
    pub async fn start_notification_server(&mut self) -> Result<()> {
        if self.notification_server.is_some() {
            bail!("the notification server is running");
        }
        self.notification_server = Some(NotificationServer::spawn(self)?);
        self.bus.wait_for_name(NAME).await
    }

    /// Kills the notification server as a crash would, and waits until its name is free.
    ///
    /// # Errors
    /// When none is running.
    pub async fn stop_notification_server(&mut self) -> Result<()> {
        let mut server = self.notification_server.take().context("no notification server is running")?;
        server.process.signal(nix::sys::signal::Signal::SIGKILL)?;
        server.process.stop();
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
