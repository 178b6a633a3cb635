//! The processes of the call: all that descend from this one. Whoever loses its parent becomes a child of this process,
//! which is their reaper (prctl(2), PR_SET_CHILD_SUBREAPER), so none gets away.

use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use libc::c_int;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, killpg};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpgid, getpgrp};
use rustix::process::{PidfdFlags, pidfd_open};

use super::kernel;

/// All descendants of this process at one moment.
pub(super) struct Family {
    members: Vec<c_int>,
    /// Those that are this process's own children: they keep their numbers until it takes note of their ends.
    children: BTreeSet<c_int>,
    /// All of them, and this process.
    all: BTreeSet<c_int>,
}

impl Family {
    /// As `/proc` shows them now. Where it is mounted with `hidepid`, who hides its memory is shown only when it is this
    /// process's own child.
    pub(super) fn now() -> Self {
        let mut children: BTreeMap<c_int, Vec<c_int>> = BTreeMap::new();
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let pid: Option<c_int> = entry.file_name().to_str().and_then(|name| name.parse().ok());
            let line = pid.and_then(|pid| std::fs::read_to_string(format!("/proc/{pid}/stat")).ok());
            if let (Some(pid), Some((parent, _))) = (pid, line.as_deref().and_then(parse_parent)) {
                children.entry(parent).or_default().push(pid);
            }
        }
        let own = c_int::try_from(std::process::id()).unwrap_or_default();
        let shown = children.entry(own).or_default();
        shown.extend(own_children());
        shown.sort_unstable();
        shown.dedup();
        let own_children = shown.iter().copied().collect();
        let mut members = Vec::new();
        let mut waiting = vec![own];
        while let Some(parent) = waiting.pop() {
            let own = children.remove(&parent).unwrap_or_default();
            members.extend(&own);
            waiting.extend(own);
        }
        let all = members.iter().copied().chain([own]).collect();
        Self { members, children: own_children, all }
    }

    /// Their numbers.
    pub(super) fn all(&self) -> &[c_int] {
        &self.members
    }

    /// Ends them all, each with its group: whoever starts another process and ends itself, again and again, is gone before
    /// its number is read, and none leaves its group while nobody answers setpgid(2) and setsid(2). A signal for a group
    /// reaches all who are in it at one moment (kill(2)).
    fn end(&self) {
        let mut ended = BTreeSet::from([getpgrp()]);
        for pid in &self.members {
            // What is no child of this process can end, and its number be another's. Behind the handle it is looked at anew.
            let Ok(handle) = kernel::process_handle(*pid) else { continue };
            if !self.children.contains(pid) && !is_child_of_one(*pid, &self.all) {
                continue;
            }
            let group = getpgid(Some(Pid::from_raw(*pid))).ok();
            if let Some(group) = group.filter(|group| ended.insert(*group)) {
                let _ = killpg(group, Signal::SIGKILL);
            }
            let _ = kernel::signal_process(handle.as_fd(), libc::SIGKILL, None);
        }
    }
}

/// Whether the process has one of these for its parent, or this one, which orphans come to.
fn is_child_of_one(pid: c_int, parents: &BTreeSet<c_int>) -> bool {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    let parent = line.as_deref().and_then(parse_parent).map(|(parent, _)| parent);
    parent.is_some_and(|parent| parents.contains(&parent))
}

/// This process's own children, whatever they hide: proc_pid_task(5).
fn own_children() -> Vec<c_int> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = threads.map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    children.flat_map(|text| text.split_ascii_whitespace().flat_map(str::parse).collect::<Vec<c_int>>()).collect()
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

/// How long what a command leaves behind may go on by itself: `cmd > >(tee log)` ends before its `tee` has written all.
pub(super) const MAX_LINGER: Duration = Duration::from_millis(300);

/// Waits until this process has no child any more, at most for `time`; which have ended. SIGCHLD has to be blocked.
pub(super) fn let_end(time: Duration) -> Reaped {
    let until = Instant::now() + time;
    let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
    let ends = SignalFd::with_flags(&SigSet::from_iter([Signal::SIGCHLD]), flags);
    let mut count = 0;
    loop {
        let reaped = reap(drop);
        count += reaped.count;
        let left = until.saturating_duration_since(Instant::now());
        let (Ok(ends), false, false) = (&ends, reaped.left == Left::Nobody, left.is_zero()) else {
            return Reaped { count, left: reaped.left };
        };
        if reaped.left == Left::Some {
            let timeout = PollTimeout::try_from(left.as_millis().saturating_add(1)).unwrap_or(PollTimeout::ZERO);
            let _ = poll(&mut [PollFd::new(ends.as_fd(), PollFlags::POLLIN)], timeout);
            let _ = ends.read_signal();
        }
    }
}

/// Children of `first` that are in a group of processes of their own: `timeout` makes one, and so does `setsid`.
pub(super) fn apart_from(first: Pid) -> Vec<Pid> {
    let children = std::fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
    let pids = children.split_ascii_whitespace().filter_map(|pid| pid.parse().ok());
    let is_apart = |pid: &c_int| {
        let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok();
        line.as_deref().and_then(parse_parent).is_some_and(|(parent, group)| parent == first.as_raw() && group == *pid)
    };
    pids.filter(is_apart).map(Pid::from_raw).collect()
}

/// So that a process that the kernel cannot end (a dead network disk) does not hold up the answer for ever.
pub(super) const MAX_TIME: Duration = Duration::from_secs(10);

/// Waits for a child that is ending.
pub(super) fn wait_for(child: Pid) {
    let until = Instant::now() + MAX_TIME;
    while waitpid(child, Some(WaitPidFlag::WNOHANG)) == Ok(WaitStatus::StillAlive) && Instant::now() < until {
        wait_for_one(&[child.as_raw()]);
    }
}

/// Ends all descendants. Which have ended, and whether some are left: the kernel cannot end them, or did not in time.
pub(super) fn end_all() -> Reaped {
    let until = Instant::now() + MAX_TIME;
    // Whoever is over by now was not ended here.
    let mut left = reap(drop).left;
    let mut count = 0;
    // Without children there are no descendants: an orphan becomes a child.
    while left != Left::Nobody && Instant::now() < until {
        let family = Family::now();
        family.end();
        wait_for_one(&family.children);
        let reaped = reap(drop);
        count += reaped.count;
        left = reaped.left;
    }
    Reaped { count, left }
}

/// Children whose ends were taken note of.
pub(super) struct Reaped {
    pub(super) count: u64,
    pub(super) left: Left,
}

/// What other children there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Nobody,
    Some,
    /// Some that have ended, too: they end faster than one can look.
    Ended,
}

/// Takes note of children that have ended, of no more than a turn can hold: they may end as fast as one looks.
pub(super) fn reap(mut note: impl FnMut(WaitStatus)) -> Reaped {
    const MAX_AT_ONCE: u64 = 4096;
    for count in 0..MAX_AT_ONCE {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => return Reaped { count, left: Left::Some },
            Ok(status) => note(status),
            Err(Errno::ECHILD) => return Reaped { count, left: Left::Nobody },
            Err(_) => return Reaped { count, left: Left::Some },
        }
    }
    Reaped { count: MAX_AT_ONCE, left: Left::Ended }
}

/// Waits until one of these children is over. Each was told to end, so the wait is short; it is never long, since orphans
/// may have become children meanwhile.
fn wait_for_one<'a>(children: impl IntoIterator<Item = &'a c_int>) {
    /// Children that are watched: descriptors are scarce, and one end is enough.
    const MAX_WATCHED: usize = 64;
    const MAX_WAIT_MILLISECONDS: u8 = 100;
    let handle = |pid: &c_int| pidfd_open(rustix::process::Pid::from_raw(*pid)?, PidfdFlags::empty()).ok();
    let handles: Vec<OwnedFd> = children.into_iter().filter_map(handle).take(MAX_WATCHED).collect();
    let mut watched: Vec<PollFd<'_>> =
        handles.iter().map(|handle| PollFd::new(handle.as_fd(), PollFlags::POLLIN)).collect();
    // Without a descriptor to wait on, this is a short pause.
    let longest = if watched.is_empty() { 1 } else { MAX_WAIT_MILLISECONDS };
    let _ = poll(&mut watched, PollTimeout::from(longest));
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
