//! A process and those that have started it.

use handraise_policy::ProcessId;
use procfs::FromRead;
use procfs::process::Stat;

/// Longest chain of ancestors that is followed.
const MAX_LINEAGE: usize = 64;

/// The process with this number and its ancestors, without the system's first process.
pub(super) fn lineage(pid: u32) -> Vec<Stat> {
    let mut lineage: Vec<Stat> = Vec::new();
    let mut next = i32::try_from(pid).ok();
    while let Some(pid) = next.filter(|pid| *pid > 1) {
        let Some(stat) = stat_of(pid) else { break };
        // A parent is never younger than its child.
        if lineage.last().is_some_and(|child| child.starttime < stat.starttime) {
            break;
        }
        next = Some(stat.ppid);
        lineage.push(stat);
        if lineage.len() == MAX_LINEAGE {
            break;
        }
    }
    lineage
}

/// Only this one file: all of a requester's ancestors are looked at before it is answered.
pub(super) fn stat_of(pid: i32) -> Option<Stat> {
    Stat::from_file(format!("/proc/{pid}/stat")).ok()
}

/// What tells a process from all others: numbers are used again.
pub(super) fn id(stat: &Stat) -> ProcessId {
    ProcessId { pid: stat.pid.unsigned_abs(), started: stat.starttime }
}
