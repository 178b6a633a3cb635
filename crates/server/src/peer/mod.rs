//! Who is at the other end of a connection.

#[cfg(target_os = "linux")]
mod evidence;
#[cfg(target_os = "linux")]
mod lineage;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod standing;
#[cfg(target_os = "linux")]
use linux as system;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
use elsewhere as system;

use std::net::SocketAddr;

use handraise_policy::{ApproverProcess, ProcessId, ProcessTree};

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
    /// The Unix socket; the process as it was when it connected.
    Unix {
        /// Path of the socket, as clients know it.
        path: String,
        /// The process, unless it had ended by then or the system does not tell.
        process: Option<ProcessId>,
    },
}

/// What could be found out about the process at the other end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PeerProcess {
    /// The process, then its ancestors; empty when it could not be found out.
    pub(crate) lineage: Vec<ProcessId>,
    /// The processes that count as the agent behind it.
    pub(crate) tree: ProcessTree,
    /// It belongs to another user.
    pub(crate) is_other_user: bool,
}

/// By what right somebody wants to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApproverKind {
    /// With a token.
    Program,
    /// From a terminal.
    Terminal,
}

/// What could be found out about the process of an approver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FoundApprover {
    /// Where it comes from.
    pub(crate) process: ApproverProcess,
    /// It runs in an interactive terminal.
    pub(crate) has_terminal: bool,
    /// It belongs to another user.
    pub(crate) is_other_user: bool,
}

/// The process at the other end belongs to another user.
#[derive(Clone, Copy, Debug)]
struct OtherUser;

/// The process that has connected to the Unix socket, looked at when the connection is accepted.
#[cfg(unix)]
pub(crate) fn pin(stream: &tokio::net::UnixStream, pid: Option<i32>) -> Option<ProcessId> {
    system::pin(stream, pid?)
}

/// Ends when one of `processes` has ended; never, where the system does not tell.
pub(crate) async fn one_ended(processes: &[ProcessId]) {
    if processes.is_empty() {
        return std::future::pending().await;
    }
    futures_util::future::select_all(processes.iter().map(|process| Box::pin(system::ended(*process)))).await;
}

impl Peer {
    /// Finds out about a requester's process. Looks through the process table; takes up to some milliseconds.
    pub(crate) fn requester(&self) -> PeerProcess {
        match self.holders() {
            Ok(holders) => system::requester(&holders),
            Err(OtherUser) => PeerProcess { is_other_user: true, ..PeerProcess::default() },
        }
    }

    /// Finds out about an approver's process, likewise.
    pub(crate) fn approver(&self, kind: ApproverKind) -> FoundApprover {
        match self.holders() {
            Ok(holders) => system::approver(&holders, kind),
            Err(OtherUser) => FoundApprover { is_other_user: true, ..FoundApprover::default() },
        }
    }

    /// The processes that hold the other end.
    fn holders(&self) -> Result<Vec<ProcessId>, OtherUser> {
        match self {
            #[cfg(unix)]
            Self::Unix { process, .. } => Ok(process.iter().copied().collect()),
            Self::Tcp { remote, local } => system::holders(*remote, *local),
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
