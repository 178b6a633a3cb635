//! Systems on which the peer's process is not looked up yet: macOS and Windows. A terminal cannot be
//! told apart from an agent there, so deciding needs the desktop's own windows or an approver token.

use std::net::SocketAddr;

use handraise_gate::ProcessId;

use super::PeerProcess;

/// It is not known here; a process that ends closes its connection.
pub(super) async fn ended(_process: ProcessId) {
    std::future::pending().await
}

pub(super) fn process(_pid: u32) -> PeerProcess {
    PeerProcess::default()
}

pub(super) fn process_of_connection(_remote: SocketAddr, _local: SocketAddr) -> PeerProcess {
    PeerProcess::default()
}
