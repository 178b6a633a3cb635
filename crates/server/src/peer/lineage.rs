//! A process and those that have started it.

use std::fs::File;
use std::io::Read;

use handraise_policy::ProcessId;
use procfs::FromRead;
use procfs::process::Stat;

/// Longest chain of ancestors that is followed.
const MAX_LINEAGE: usize = 64;
/// Most bytes in the line about a process: a name of up to 64 bytes and 51 numbers of up to 20 digits (proc_pid_stat(5)).
const MAX_STAT: usize = 2048;

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

/// Only this one file, with one read: all of a requester's ancestors are looked at before it is answered.
pub(super) fn stat_of(pid: i32) -> Option<Stat> {
    let mut line = [0; MAX_STAT];
    let length = File::open(format!("/proc/{pid}/stat")).ok()?.read(&mut line).ok()?;
    Stat::from_read(line.get(..length)?).ok()
}

/// What tells a process from all others: numbers are used again.
pub(super) fn id(stat: &Stat) -> ProcessId {
    ProcessId { pid: stat.pid.unsigned_abs(), started: stat.starttime }
}
