//! Systems on which the peer's process is not looked up yet: macOS and Windows. A terminal cannot be
//! told apart from an agent there, so deciding needs the desktop's own windows or an approver token.

use std::net::SocketAddr;

use handraise_policy::ProcessId;

use super::{ApproverKind, FoundApprover, OtherUser, PeerProcess};

/// It is not known here; a process that ends closes its connection.
pub(super) async fn ended(_process: ProcessId) {
    std::future::pending().await
}

#[cfg(unix)]
pub(super) fn pin(_stream: &tokio::net::UnixStream, _pid: i32) -> Option<ProcessId> {
    None
}

pub(super) fn requester(_holders: &[ProcessId]) -> PeerProcess {
    PeerProcess::default()
}

pub(super) fn approver(_holders: &[ProcessId], _kind: ApproverKind) -> FoundApprover {
    FoundApprover::default()
}

pub(super) fn holders(_remote: SocketAddr, _local: SocketAddr) -> Result<Vec<ProcessId>, OtherUser> {
    Ok(Vec::new())
}
