//! Processes on Linux, from `/proc`.

use std::net::SocketAddr;
use std::time::Duration;

use handraise_gate::{ProcessId, ProcessTree};
use procfs::process::{FDTarget, Process, Stat, all_processes};
use procfs::{FromRead, ProcError};

use super::PeerProcess;

/// Longest chain of ancestors that is followed.
const LONGEST_LINEAGE: usize = 64;
/// How often to look whether a process is still there. Being woken by its end takes a descriptor for each
/// process, and unsafe code.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Programs that stand between an agent and its hook.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "fish", "ksh", "busybox", "ash"];
/// Our own commands: whoever started one of them is the one who asks.
const SHIMS: &[&str] = &["handraise", "handraise-hook", "handraise-mcp"];
/// What npm calls itself while it runs a package's command, as `/proc` cuts it off.
const PACKAGE_RUNNER: &str = "npm exec";

/// What is known about the process with this number.
pub(super) fn process(pid: u32) -> PeerProcess {
    let lineage = lineage(pid);
    PeerProcess {
        has_terminal: lineage.first().is_some_and(|stat| stat.tty_nr != 0),
        tree: tree(&lineage),
        is_other_user: false,
        lineage: lineage.iter().map(id).collect(),
    }
}

/// What is known about the process at the other end of a loopback connection.
pub(super) fn process_of_connection(remote: SocketAddr, local: SocketAddr) -> PeerProcess {
    let tables = [procfs::net::tcp(), procfs::net::tcp6()];
    let mut connections = tables.into_iter().flatten().flatten();
    let found = connections.find(|entry| entry.local_address == remote && entry.remote_address == local);
    let Some(connection) = found else { return PeerProcess::default() };
    let own = nix::unistd::getuid().as_raw();
    if connection.uid != own {
        return PeerProcess { is_other_user: true, ..PeerProcess::default() };
    }
    holder_of(connection.inode, own).map(process).unwrap_or_default()
}

/// Ends when `process` has ended, also when nobody has waited for it yet.
pub(super) async fn ended(process: ProcessId) {
    while is_running(process) {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Whether the process is still there. When that cannot be told it is.
fn is_running(process: ProcessId) -> bool {
    let Ok(pid) = i32::try_from(process.pid) else { return false };
    match Process::new(pid).and_then(|found| found.stat()) {
        Ok(stat) => id(&stat) == process && !matches!(stat.state, 'Z' | 'X'),
        Err(ProcError::NotFound(_)) => false,
        Err(_) => true,
    }
}

/// The process of user `uid` that holds the socket `inode`.
fn holder_of(inode: u64, uid: u32) -> Option<u32> {
    let holds = |candidate: &Process| {
        let Ok(mut descriptors) = candidate.fd() else { return false };
        descriptors.any(|descriptor| {
            descriptor.is_ok_and(|descriptor| matches!(descriptor.target, FDTarget::Socket(socket) if socket == inode))
        })
    };
    all_processes()
        .ok()?
        .flatten()
        .filter(|candidate| candidate.uid().is_ok_and(|owner| owner == uid))
        .find(holds)
        .and_then(|process| u32::try_from(process.pid).ok())
}

/// The process with this number and its ancestors, without the system's first process.
fn lineage(pid: u32) -> Vec<Stat> {
    let mut lineage: Vec<Stat> = Vec::new();
    let mut next = i32::try_from(pid).ok();
    while let Some(pid) = next.filter(|pid| *pid > 1) {
        // Only this one file: all of a requester's ancestors are looked at before it is answered.
        let Ok(stat) = Stat::from_file(format!("/proc/{pid}/stat")) else { break };
        next = Some(stat.ppid);
        lineage.push(stat);
        if lineage.len() == LONGEST_LINEAGE {
            break;
        }
    }
    lineage
}

/// Divides the ancestors of a requester: itself up to the agent, then up to its terminal's shell. The
/// process that leads a terminal is the last one: what is above it is the terminal itself.
fn tree(lineage: &[Stat]) -> ProcessTree {
    let end = lineage.iter().position(leads_terminal).map_or(lineage.len(), |leader| leader + 1);
    let within: Vec<&Stat> = lineage.iter().take(end).filter(|stat| !is_terminal_shell(stat)).collect();
    let agent_at = match within.split_first() {
        // Whoever runs our own command asks: the first ancestor that does not merely start it.
        Some((requester, ancestors)) if SHIMS.contains(&requester.comm.as_str()) => ancestors
            .iter()
            .position(|next| !is_shell(next) && !next.comm.starts_with(PACKAGE_RUNNER))
            .map_or(ancestors.len(), |agent| agent + 1),
        _ => 0,
    };
    let (agent, above) = within.split_at_checked(agent_at + 1).unwrap_or((&within, &[]));
    // Up to the leader of a session without a terminal, which other programs share.
    let terminal = above.iter().take_while(|next| next.session != next.pid);
    ProcessTree {
        agent: agent.iter().map(|stat| id(stat)).collect(),
        terminal: terminal.map(|stat| id(stat)).collect(),
    }
}

fn id(stat: &Stat) -> ProcessId {
    ProcessId { pid: stat.pid.unsigned_abs(), started: stat.starttime }
}

fn is_shell(stat: &Stat) -> bool {
    SHELLS.contains(&stat.comm.as_str())
}

/// The process that a terminal belongs to: a person's shell, or the agent itself.
fn leads_terminal(stat: &Stat) -> bool {
    stat.tty_nr != 0 && stat.session == stat.pid
}

/// The shell that a person types into.
fn is_terminal_shell(stat: &Stat) -> bool {
    is_shell(stat) && leads_terminal(stat)
}
