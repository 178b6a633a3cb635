//! Processes on Linux, from `/proc`.

use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use handraise_policy::{ProcessId, ProcessTree};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use procfs::ProcError;
use procfs::process::{FDTarget, Process, Stat, all_processes};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::Semaphore;

use super::lineage::{id, lineage, stat_of};
use super::standing::{self, SHELLS};
use super::{ApproverKind, FoundApprover, OtherUser, PeerProcess, evidence};

/// Looks at a chain of processes that changes meanwhile.
const LOOKS: usize = 5;
/// Processes whose ends wake this program. Each takes a descriptor, and connections need those, too: whatever is
/// waited for besides is looked at now and then.
static WAKING: Semaphore = Semaphore::const_new(128);
/// How often to look whether such a process is still there.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Our own commands: whoever started one of them is the one who asks.
const SHIMS: &[&str] = &["handraise", "handraise-hook", "handraise-mcp"];
/// What npm calls itself while it runs a package's command, as `/proc` cuts it off.
const PACKAGE_RUNNER: &str = "npm exec";

/// The process that has connected, as it is at that moment. `None`: it has gone already.
///
/// A number alone may belong to another process by the time at which it is looked up. The kernel keeps a
/// descriptor of the very process (`SO_PEERPIDFD`, Linux 6.5): while that says that the process has not ended,
/// what `/proc` tells is about this one. Without it, the time between connecting and this call remains.
pub(super) fn pin(stream: &impl AsFd, pid: i32) -> Option<ProcessId> {
    let descriptor = match nix::sys::socket::getsockopt(stream, nix::sys::socket::sockopt::PeerPidfd) {
        Ok(descriptor) => Some(descriptor),
        Err(nix::errno::Errno::ENOPROTOOPT) => None,
        Err(_) => return None,
    };
    let found = stat_of(pid).as_ref().map(id)?;
    descriptor.is_none_or(|descriptor| is_alive(&descriptor)).then_some(found)
}

/// A descriptor of a process can be read from when that has ended (pidfd_open(2)).
fn is_alive(descriptor: &OwnedFd) -> bool {
    let mut looked = [PollFd::new(descriptor.as_fd(), PollFlags::POLLIN)];
    matches!(poll(&mut looked, PollTimeout::ZERO), Ok(0))
}

/// What is known about the requesters among the processes that hold one end of a connection; usually it is one.
pub(super) fn requester(holders: &[ProcessId]) -> PeerProcess {
    let lineages: Vec<Vec<Stat>> = holders.iter().map(|holder| lineage_of(*holder)).collect();
    let mut processes = ProcessTree { is_hidden: lineages.iter().any(Vec::is_empty), ..ProcessTree::default() };
    processes.is_hidden |= lineages.is_empty();
    processes.unit = holders.first().and_then(|holder| evidence::unit(holder.pid));
    for lineage in lineages.iter().rev() {
        let found = tree(lineage);
        processes.agent.extend(found.agent);
        processes.terminal.extend(found.terminal);
    }
    PeerProcess {
        lineage: lineages.first().into_iter().flatten().map(id).collect(),
        tree: processes,
        is_other_user: false,
    }
}

/// What is known about an approver. Of several holders of its connection it is the one that started the others, as a
/// program does for a moment when it starts another one; without one it is nobody.
pub(super) fn approver(holders: &[ProcessId], kind: ApproverKind) -> FoundApprover {
    let lineages: Vec<Vec<Stat>> = holders.iter().map(|holder| lineage_of(*holder)).collect();
    let started_all = |first: &&Vec<Stat>| {
        let own = first.first().map(id);
        lineages.iter().all(|lineage| own.is_some() && lineage.iter().any(|stat| Some(id(stat)) == own))
    };
    let lineage = lineages.iter().find(started_all).cloned().unwrap_or_default();
    let chain = evidence::chain(&lineage);
    let process = match kind {
        ApproverKind::Program => standing::of_program(&chain, &evidence::own()),
        ApproverKind::Terminal => standing::of_terminal(&chain, &evidence::own()),
    };
    let has_terminal = lineage.first().is_some_and(|stat| stat.tty_nr != 0);
    FoundApprover { process, has_terminal, is_other_user: false }
}

/// The processes at the other end of a loopback connection; `Err`: they belong to another user.
pub(super) fn holders(remote: SocketAddr, local: SocketAddr) -> Result<Vec<ProcessId>, OtherUser> {
    let tables = [procfs::net::tcp(), procfs::net::tcp6()];
    let mut connections = tables.into_iter().flatten().flatten();
    let found = connections.find(|entry| entry.local_address == remote && entry.remote_address == local);
    let Some(connection) = found else { return Ok(Vec::new()) };
    let own = nix::unistd::getuid().as_raw();
    if connection.uid != own {
        return Err(OtherUser);
    }
    Ok(holders_of(connection.inode, own))
}

/// Ends when `process` has ended, also when nobody has waited for it yet.
pub(super) async fn ended(process: ProcessId) {
    if let Ok(_permit) = WAKING.try_acquire()
        && let Some(descriptor) = descriptor(process)
    {
        // Only now is it known that the descriptor is of this process, and not of a later one with its number.
        if is_running(process) && descriptor.readable().await.is_ok() {
            return;
        }
    }
    while is_running(process) {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// A descriptor of the process that has this number now; it can be read from when that has ended (pidfd_open(2),
/// Linux 5.3). `None`: there is no such process, or the system gives no descriptor.
fn descriptor(process: ProcessId) -> Option<AsyncFd<OwnedFd>> {
    let pid = Pid::from_raw(i32::try_from(process.pid).ok()?)?;
    let descriptor = pidfd_open(pid, PidfdFlags::empty()).ok()?;
    #[expect(deprecated, reason = "what takes its place is unsafe; an `OwnedFd` never becomes another descriptor")]
    AsyncFd::with_interest(descriptor, Interest::READABLE).ok()
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

/// The processes of user `uid` that hold the socket `inode`.
fn holders_of(inode: u64, uid: u32) -> Vec<ProcessId> {
    // `Process` keeps the folder of the very process open: what it tells is never about a later one.
    let holds = |candidate: &Process| {
        let Ok(mut descriptors) = candidate.fd() else { return false };
        descriptors.any(|descriptor| {
            descriptor.is_ok_and(|descriptor| matches!(descriptor.target, FDTarget::Socket(socket) if socket == inode))
        })
    };
    let Ok(processes) = all_processes() else { return Vec::new() };
    let own = processes.flatten().filter(|candidate| candidate.uid().is_ok_and(|owner| owner == uid));
    own.filter(holds).filter_map(|holder| holder.stat().ok().as_ref().map(id)).collect()
}

/// The process and its ancestors, without the system's first process; nothing when it has ended.
fn lineage_of(process: ProcessId) -> Vec<Stat> {
    // One of them may end meanwhile, and its number may be another's: looked at twice, they have to be the same.
    let again = |stat: &Stat| stat_of(stat.pid).is_some_and(|now| id(&now) == id(stat) && now.ppid == stat.ppid);
    for _ in 0..LOOKS {
        let found = lineage(process.pid);
        if found.first().is_none_or(|stat| id(stat) != process) {
            break;
        }
        if found.iter().all(again) {
            return found;
        }
    }
    Vec::new()
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
        ..ProcessTree::default()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_was_given_anew_is_another_process() {
        let own = id(&stat_of(std::process::id().cast_signed()).unwrap());
        assert!(!lineage_of(own).is_empty());
        let earlier = ProcessId { started: own.started - 1, ..own };
        assert_eq!(lineage_of(earlier).len(), 0);
        assert!(requester(&[earlier]).tree.is_hidden);
        for kind in [ApproverKind::Program, ApproverKind::Terminal] {
            let found = approver(&[earlier], kind);
            assert!(found.process.doubt.is_some() && !found.has_terminal);
        }
    }

    #[tokio::test]
    async fn who_has_ended_when_its_connection_is_taken_is_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let listener = tokio::net::UnixListener::bind(&path).unwrap();
        let script = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b'x')";
        let connect = || std::process::Command::new("python3").args(["-c", script]).arg(&path).status().unwrap();
        assert!(connect().success());
        let (stream, _) = listener.accept().await.unwrap();
        let pid = stream.peer_cred().unwrap().pid().unwrap();
        // Whatever has that number by now, if anything has.
        assert_eq!(pin(&stream, std::process::id().cast_signed()), None);
        assert_eq!(pin(&stream, pid), None);
        let own = tokio::net::UnixStream::connect(&path);
        let (_client, accepted) = tokio::join!(own, listener.accept());
        let pinned = pin(&accepted.unwrap().0, std::process::id().cast_signed()).unwrap();
        assert_eq!(pinned.pid, std::process::id());
    }

    #[tokio::test]
    async fn the_end_of_a_process_is_noticed_with_a_descriptor_and_without() {
        let start = || std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let own = id(&stat_of(std::process::id().cast_signed()).unwrap());
        // Its number is another's by now.
        ended(ProcessId { started: own.started - 1, ..own }).await;
        let all = u32::try_from(WAKING.available_permits()).unwrap();
        for taken in [0, all] {
            let _others = WAKING.try_acquire_many(taken).unwrap();
            let mut child = start();
            let process = id(&stat_of(child.id().cast_signed()).unwrap());
            let waiting = tokio::spawn(ended(process));
            tokio::task::yield_now().await;
            assert!(!waiting.is_finished());
            assert_eq!(
                WAKING.available_permits(),
                usize::try_from(all).unwrap().saturating_sub(1) * usize::from(taken == 0)
            );
            // Nobody waits for it yet, so its number stays taken.
            child.kill().unwrap();
            waiting.await.unwrap();
            child.wait().unwrap();
        }
        assert_eq!(WAKING.available_permits(), usize::try_from(all).unwrap());
    }

    #[test]
    fn a_connection_with_two_holders_is_of_the_one_that_started_the_other() {
        let child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let stat = |pid: u32| id(&stat_of(pid.cast_signed()).unwrap());
        let (own, theirs) = (stat(std::process::id()), stat(child.id()));
        let found = approver(&[theirs, own], ApproverKind::Program);
        assert_eq!(found.process.lineage.first(), Some(&own));
        let other = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        assert!(approver(&[theirs, stat(other.id())], ApproverKind::Program).process.doubt.is_some());
        for mut child in [child, other] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
