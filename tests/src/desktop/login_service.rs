//! A login service and a display manager that do only what GNOME Shell and KWin need to have a lock: logind
//! (org.freedesktop.login1(5)) and GDM. Neither of the real ones runs without the machine's own session.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use zbus::object_server::{InterfaceRef, SignalEmitter};
use zbus::zvariant::{ObjectPath, OwnedObjectPath};
use zbus::{Connection, fdo};

use super::Desktop;

const LOGIND: &str = "/org/freedesktop/login1";
const SESSION: &str = "/org/freedesktop/login1/session/c1";
/// The same session, for a caller that belongs to none.
const AUTO: &str = "/org/freedesktop/login1/session/auto";
const GDM: &str = "/org/gnome/DisplayManager/Manager";

/// The login service on the desktop's bus, with the one session there is.
#[derive(Debug)]
pub(super) struct LoginService {
    connection: Connection,
}

struct Manager;

#[zbus::interface(name = "org.freedesktop.login1.Manager")]
impl Manager {
    fn get_session(&self, _id: &str) -> OwnedObjectPath {
        session()
    }

    #[zbus(name = "GetSessionByPID")]
    fn get_session_by_pid(&self, _process: u32) -> OwnedObjectPath {
        session()
    }
}

fn session() -> OwnedObjectPath {
    ObjectPath::from_static_str_unchecked(SESSION).into()
}

/// The session, which has two paths.
#[derive(Clone, Default)]
struct Session {
    locked: Arc<AtomicBool>,
}

#[zbus::interface(name = "org.freedesktop.login1.Session")]
impl Session {
    #[zbus(property)]
    fn id(&self) -> &str {
        "c1"
    }

    #[zbus(property)]
    fn active(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn locked_hint(&self) -> bool {
        self.locked.load(Ordering::Relaxed)
    }

    #[zbus(name = "SetLockedHint")]
    async fn tell_locked(&self, locked: bool, #[zbus(signal_emitter)] emitter: SignalEmitter<'_>) -> fdo::Result<()> {
        self.locked.store(locked, Ordering::Relaxed);
        Ok(self.locked_hint_changed(&emitter).await?)
    }

    #[zbus(signal)]
    async fn lock(emitter: &SignalEmitter<'_>) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn unlock(emitter: &SignalEmitter<'_>) -> zbus::Result<()>;
}

struct DisplayManager;

#[zbus::interface(name = "org.gnome.DisplayManager.Manager")]
impl DisplayManager {
    #[zbus(property)]
    fn version(&self) -> &str {
        "43.0"
    }
}

impl LoginService {
    /// Must be there before the shell looks for it. `connection`: one of its own.
    pub(super) async fn start(connection: Connection) -> Result<Self> {
        let objects = connection.object_server();
        objects.at(LOGIND, Manager).await?;
        let session = Session::default();
        objects.at(SESSION, session.clone()).await?;
        objects.at(AUTO, session).await?;
        objects.at(GDM, DisplayManager).await?;
        connection.request_name("org.freedesktop.login1").await?;
        connection.request_name("org.gnome.DisplayManager").await?;
        Ok(Self { connection })
    }
}

impl Desktop {
    /// Has the desktop lock its screen, as `loginctl lock-session` does.
    ///
    /// # Errors
    /// When this desktop has no lock: GNOME and Plasma have one.
    pub async fn lock_screen(&self) -> Result<()> {
        Ok(Session::lock(self.session().await?.signal_emitter()).await?)
    }

    /// Has it unlock the screen, as `loginctl unlock-session` does.
    ///
    /// # Errors
    /// When this desktop has no lock.
    pub async fn unlock_screen(&self) -> Result<()> {
        Ok(Session::unlock(self.session().await?.signal_emitter()).await?)
    }

    async fn session(&self) -> Result<InterfaceRef<Session>> {
        let service = self.login_service.as_ref().context("nobody locks this desktop's screen")?;
        Ok(service.connection.object_server().interface(SESSION).await?)
    }
}
