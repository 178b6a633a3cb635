//! Whom a signal reaches, where neither Landlock nor a namespace says it: the processes of the call, and nobody else.
//! It is sent from here, through a handle, so that no number becomes another's between the look and the signal.

use std::os::fd::{AsFd, AsRawFd};

use libc::c_int;

use super::caller::{Caller, Errno, number};
use super::descendants::{Family, is_descendant, parse_parent};
use super::kernel::{self, SystemCallReply};

/// Answers one of `calls::SIGNALS` and `calls::GROUPS`. Whom it was denied for comes with it.
pub(super) fn answer(caller: &Caller<'_>) -> (SystemCallReply, Option<String>) {
    match decide(caller) {
        Ok(answer) => (answer, None),
        Err((errno, target)) => (SystemCallReply::Fail(errno), target),
    }
}

type Refusal = (Errno, Option<String>);

fn decide(caller: &Caller<'_>) -> Result<SystemCallReply, Refusal> {
    let quiet = |errno| (errno, None);
    let own = caller.process().map_err(quiet)?;
    match caller.held.call {
        libc::SYS_kill => kill(own, caller.int(0), caller.int(1)),
        // To a thread. The caller waits, so its own process keeps its number: the kernel may go on.
        libc::SYS_tgkill | libc::SYS_rt_tgsigqueueinfo if caller.int(0) == own => Ok(SystemCallReply::GoOn),
        libc::SYS_tgkill => to_process(caller.int(0), caller.int(2), None),
        libc::SYS_tkill => {
            let is_own = std::path::Path::new(&format!("/proc/{own}/task/{}", caller.int(0))).exists();
            if is_own {
                Ok(SystemCallReply::GoOn)
            } else {
                Err((libc::EPERM, Some(format!("thread {}", caller.int(0)))))
            }
        }
        libc::SYS_rt_sigqueueinfo => {
            let bytes = caller.exact_memory(caller.long(2), 128).map_err(quiet)?;
            let information: [u8; 128] = bytes.try_into().map_err(|_| quiet(libc::EFAULT))?;
            to_process(caller.int(0), caller.int(1), Some(&information))
        }
        libc::SYS_pidfd_send_signal => {
            let handle = caller.descriptor(caller.int(0)).map_err(quiet)?;
            let told = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", handle.as_raw_fd())).unwrap_or_default();
            let pid = told.lines().find_map(|line| line.strip_prefix("Pid:")).and_then(|text| text.trim().parse().ok());
            let pid: c_int = pid.ok_or_else(|| quiet(libc::EBADF))?;
            if pid < 1 {
                return Err(quiet(libc::ESRCH));
            }
            if !is_descendant(pid) {
                return Err((libc::EPERM, Some(format!("process {pid}"))));
            }
            kernel::signal_process(handle.as_fd(), caller.int(1), None).map_err(|error| quiet(number(&error)))?;
            Ok(SystemCallReply::Done(0))
        }
        libc::SYS_setpgid => join(caller.int(1)),
        libc::SYS_setsid => Ok(SystemCallReply::GoOn),
        _ => Err(quiet(libc::EPERM)),
    }
}

/// setpgid(2): whoever is in a group of others has the terminal stop them all, by reading from it in the background. Numbers
/// are no pointers, so the kernel may go on. Group 0 is one's own.
fn join(group: c_int) -> Result<SystemCallReply, Refusal> {
    let is_own = || is_descendant(group) || Family::now().all().iter().any(|pid| group_of(*pid) == Some(group));
    if group == 0 || group > 0 && is_own() {
        Ok(SystemCallReply::GoOn)
    } else {
        Err((libc::EPERM, Some(format!("process group {group}"))))
    }
}

/// kill(2): a process, a group, or all.
fn kill(own: c_int, target: c_int, signal: c_int) -> Result<SystemCallReply, Refusal> {
    if target > 0 {
        return to_process(target, signal, None);
    }
    let family = Family::now();
    let group = match target {
        0 => Some(group_of(own).ok_or((libc::ESRCH, None))?),
        -1 => None,
        other => Some(other.checked_neg().ok_or((libc::ESRCH, None))?),
    };
    let mut reached = Vec::new();
    let mut beyond = false;
    for pid in family.all() {
        let meant = match group {
            Some(group) => group_of(*pid) == Some(group),
            None => *pid != own,
        };
        if meant {
            reached.push(*pid);
        }
    }
    if reached.is_empty() {
        beyond = target != -1;
    }
    // The caller last, in case that it ends it.
    reached.sort_by_key(|pid| *pid == own);
    for pid in reached {
        // Those that are gone by now need no signal.
        let _ = to_process(pid, signal, None);
    }
    if beyond {
        Err((libc::EPERM, Some(format!("process group {}", target.unsigned_abs()))))
    } else {
        Ok(SystemCallReply::Done(0))
    }
}

fn to_process(pid: c_int, signal: c_int, information: Option<&[u8; 128]>) -> Result<SystemCallReply, Refusal> {
    let handle = match kernel::process_handle(pid) {
        Ok(handle) => handle,
        Err(error) => return Err((number(&error), None)),
    };
    // Looked at behind the handle: who has the number now is who the handle means.
    if !is_descendant(pid) {
        return Err((libc::EPERM, Some(format!("process {pid}"))));
    }
    match kernel::signal_process(handle.as_fd(), signal, information) {
        Ok(()) => Ok(SystemCallReply::Done(0)),
        Err(error) => Err((number(&error), None)),
    }
}

fn group_of(pid: c_int) -> Option<c_int> {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    parse_parent(&line).map(|(_, group)| group)
}
