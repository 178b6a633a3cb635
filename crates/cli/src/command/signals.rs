//! The signals with which a program is asked to end.

use std::io;

/// Waits for a signal that asks this program to end.
#[cfg(unix)]
pub(crate) struct EndSignals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hang_up: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl EndSignals {
    /// From now on these signals no longer kill.
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Returns when one has come.
    pub(crate) async fn received(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub(crate) struct EndSignals;

#[cfg(not(unix))]
impl EndSignals {
    /// Nothing to prepare.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    /// Returns when it has come.
    pub(crate) async fn received(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
