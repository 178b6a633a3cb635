//! Who is at the other end of a connection.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
use elsewhere as system;

use std::net::SocketAddr;

use handraise_gate::{ProcessId, ProcessTree};

/// The other end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// Loopback TCP: the peer's address and ours.
    Tcp {
        /// The other end.
        remote: SocketAddr,
        /// This end.
        local: SocketAddr,
    },
    #[cfg(unix)]
    /// The Unix socket; the process number as the kernel saw it when the peer connected.
    Unix {
        /// Path of the socket, as clients know it.
        path: String,
        /// Process number.
        pid: Option<u32>,
    },
}

/// What could be found out about the process at the other end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PeerProcess {
    /// The process, then its ancestors; empty when it could not be found out.
    pub(crate) lineage: Vec<ProcessId>,
    /// The processes that count as the agent behind it.
    pub(crate) tree: ProcessTree,
    /// It runs in an interactive terminal.
    pub(crate) has_terminal: bool,
    /// It belongs to another user.
    pub(crate) is_other_user: bool,
}

/// Ends when one of `processes` has ended; never, where the system does not tell.
pub(crate) async fn one_ended(processes: &[ProcessId]) {
    if processes.is_empty() {
        return std::future::pending().await;
    }
    futures_util::future::select_all(processes.iter().map(|process| Box::pin(system::ended(*process)))).await;
}

impl Peer {
    /// Finds out about the process. Looks through the process table; takes up to some milliseconds.
    pub(crate) fn process(&self) -> PeerProcess {
        match self {
            #[cfg(unix)]
            Self::Unix { pid, .. } => pid.map(system::process).unwrap_or_default(),
            Self::Tcp { remote, local } => system::process_of_connection(*remote, *local),
        }
    }

    /// The place where the connection arrived, as the client knows it.
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Tcp { local, .. } => local.to_string(),
            #[cfg(unix)]
            Self::Unix { path, .. } => path.clone(),
        }
    }
}
