//! The processes of the call: all that descend from this one. Whoever loses its parent becomes a child of this process,
//! which is their reaper (prctl(2), PR_SET_CHILD_SUBREAPER), so none gets away.

use std::collections::BTreeMap;

use libc::c_int;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use rustix::process::{Resource, Rlimit, prlimit};

/// All descendants of this process at one moment.
pub(super) struct Family {
    members: Vec<c_int>,
}

impl Family {
    /// As `/proc` shows them now.
    pub(super) fn now() -> Self {
        let mut children: BTreeMap<c_int, Vec<c_int>> = BTreeMap::new();
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let pid: Option<c_int> = entry.file_name().to_str().and_then(|name| name.parse().ok());
            let line = pid.and_then(|pid| std::fs::read_to_string(format!("/proc/{pid}/stat")).ok());
            if let (Some(pid), Some((parent, _))) = (pid, line.as_deref().and_then(parse_parent)) {
                children.entry(parent).or_default().push(pid);
            }
        }
        let mut members = Vec::new();
        let mut waiting = vec![c_int::try_from(std::process::id()).unwrap_or_default()];
        while let Some(parent) = waiting.pop() {
            let own = children.remove(&parent).unwrap_or_default();
            members.extend(&own);
            waiting.extend(own);
        }
        Self { members }
    }

    /// Their numbers.
    pub(super) fn all(&self) -> &[c_int] {
        &self.members
    }
}

/// Whether the process descends from this one.
pub(super) fn is_descendant(mut pid: c_int) -> bool {
    /// Deeper than any tree of processes.
    const MAX_DEPTH: usize = 10_000;
    let own = c_int::try_from(std::process::id()).unwrap_or_default();
    for _ in 0..MAX_DEPTH {
        let line = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        match line.ok().as_deref().and_then(parse_parent) {
            Some((parent, _)) if parent == own => return true,
            Some((parent, _)) if parent > 1 => pid = parent,
            _ => return false,
        }
    }
    false
}

/// Parent and group from a line of `/proc/PID/stat`: fields 4 and 5, proc_pid_stat(5).
pub(super) fn parse_parent(line: &str) -> Option<(c_int, c_int)> {
    // The name in parentheses may hold anything.
    let mut fields = line.rsplit_once(") ")?.1.split(' ').skip(1);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

/// Ends all descendants, and returns how many there were. They can start no others while it does.
pub(super) fn end_all() -> u64 {
    /// So that a process that the kernel cannot end (a dead network disk) does not hold up the answer for ever.
    const MAX_ROUNDS: usize = 10_000;
    let mut ended = 0;
    for _ in 0..MAX_ROUNDS {
        // Without children there are no descendants: an orphan becomes a child.
        if waitpid(None, Some(WaitPidFlag::WNOHANG)) == Err(Errno::ECHILD) {
            break;
        }
        for pid in Family::now().members {
            let none = Rlimit { current: Some(0), maximum: Some(0) };
            let _ = prlimit(rustix::process::Pid::from_raw(pid), Resource::Nproc, none);
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        let mut any = false;
        while let Ok(status) = waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            if status == WaitStatus::StillAlive {
                break;
            }
            ended += 1;
            any = true;
        }
        if !any {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
    ended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_forge_a_parent() {
        assert_eq!(parse_parent("7 (a) S 1 9 (x) R 3 4 5"), Some((3, 4)));
        assert_eq!(parse_parent("7 (sh) S 1 9 9 0"), Some((1, 9)));
        assert_eq!(parse_parent("7 (sh"), None);
    }

    #[test]
    fn children_are_found() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = c_int::try_from(child.id()).unwrap();
        assert!(Family::now().all().contains(&pid) && is_descendant(pid));
        assert!(!Family::now().all().contains(&1) && !is_descendant(1) && !is_descendant(0));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!Family::now().all().contains(&pid) && !is_descendant(pid));
    }
}
