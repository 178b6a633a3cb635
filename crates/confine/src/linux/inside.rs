//! The side of the walls where the command runs: this process puts them around itself and becomes the command.

use std::ffi::{OsStr, OsString};
use std::io::{self, IoSlice};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::socket::{ControlMessage, MsgFlags, recv, sendmsg};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{Gid, Pid, Uid, setpgid, setsid};
use serde::{Deserialize, Serialize};

use super::binder;
use super::descendants::Left;
use super::filter::{self, Around};
use super::kept::Kept;
use super::namespaces::{Step, step};
use super::plan::Plan;
use super::{descendants, kernel, landlock_rules, namespaces, root};
use crate::Limits;

/// What the inside tells the outside, each in one packet.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Word {
    /// The walls stand around the command. Where held calls arrive comes with it, and with namespaces what lists their
    /// sockets, who binds them, and where.
    Ready,
    /// Around the namespaces, too: nothing of the machine's root is in there any more.
    Closed,
    /// Nothing was started: a step, and what the system says.
    Failed { step: String, why: String },
    /// The namespaces could not be had; nothing was started.
    NoNamespaces { step: String, why: String },
    /// The walls stand, and the program could not be started.
    NoProgram { why: String, status: u8 },
    /// The command has ended, with this status or by this signal, and so have all others in the namespaces but their first
    /// process, which has ended `others` of them. Unless `left`: some did not end.
    Ended { code: Option<i32>, signal: Option<i32>, others: u64, left: bool },
}

/// What the inside is given. It is a copy of the supervisor's memory.
pub(super) struct Inside<'a> {
    pub(super) plan: &'a Plan,
    pub(super) kept: &'a Kept,
    pub(super) start: PathBuf,
    pub(super) command: &'a [OsString],
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) limits: Limits,
    pub(super) landlock_abi: u32,
    pub(super) with_namespaces: bool,
    pub(super) has_terminal: bool,
    pub(super) talk: OwnedFd,
    pub(super) user: Uid,
    pub(super) group: Gid,
}

impl Inside<'_> {
    /// Becomes the command, or ends. Runs in the process that was split off.
    pub(super) fn run(self) -> ! {
        let status = match self.prepare() {
            Ok(()) if self.with_namespaces => self.first_process(),
            Ok(()) => self.become_command(None),
            Err((step, why)) => {
                self.tell(&if self.with_namespaces {
                    Word::NoNamespaces { step, why }
                } else {
                    Word::Failed { step, why }
                });
                125
            }
        };
        kernel::exit(status)
    }

    /// What both ways begin with. Nothing that was open outside comes along but the first three descriptors.
    fn prepare(&self) -> Step<()> {
        step("descriptors", kernel::close_all_but(self.talk.as_fd()))?;
        // Else the kernel that runs out of memory would end who watches over the command, which is the largest of the call.
        // Nobody inside can lower it again: /proc is read-only there.
        step("end when memory is short", std::fs::write("/proc/self/oom_score_adj", "1000"))?;
        if self.has_terminal {
            step("process group", setpgid(Pid::from_raw(0), Pid::from_raw(0)))?;
        } else {
            step("session", setsid().map(drop))?;
        }
        if self.with_namespaces {
            namespaces::enter(self.user, self.group)?;
        }
        step("parent", nix::sys::prctl::set_pdeathsig(Signal::SIGKILL))?;
        // Until the supervisor has made this the terminal's group. Nothing comes when it is gone already.
        match self.hear() {
            Ok(()) => Ok(()),
            Err(error) => step("supervisor", Err(error)),
        }
    }

    /// Process 1 of the namespaces: arranges them, starts the command, waits, and ends all others in there. When it ends
    /// before, the kernel does. Signals do not reach it: it has them blocked.
    fn first_process(&self) -> i32 {
        let arranged = root::arrange(self.plan, self.kept, &self.start).and_then(|unreached| {
            let sockets = step("list of sockets", namespaces::diagnosis())?;
            // Else the links of /proc would lead from this process to where sockets are bound. The command is another
            // one, as soon as it runs.
            step("closed process", nix::sys::prctl::set_dumpable(false))?;
            Ok((unreached, sockets))
        });
        let (unreached, sockets) = match arranged {
            Ok(arranged) => arranged,
            Err((step, why)) => {
                self.tell(&Word::NoNamespaces { step, why });
                return 125;
            }
        };
        let _ = nix::sys::prctl::set_no_new_privs();
        kernel::bound_capabilities();
        let split = binder::pair().and_then(|pair| Ok((pair, kernel::fork(0)?)));
        match split {
            Err(error) => {
                self.tell(&Word::Failed { step: "process".to_owned(), why: error.to_string() });
                125
            }
            Ok(((binder, binds), kernel::Fork::Child)) => {
                drop((binds, unreached.names));
                kernel::exit(self.become_command(Some([sockets, binder.into(), unreached.files])))
            }
            Ok(((binder, binds), kernel::Fork::Parent(command))) => {
                drop((sockets, binder));
                // Meanwhile the other process puts up the walls of the command.
                if let Err((step, why)) = root::close().and_then(|()| namespaces::loopback()) {
                    self.tell(&Word::NoNamespaces { step, why });
                    return 125;
                }
                let serving = unreached.enter().and_then(|()| kernel::drop_capabilities()).and_then(|()| {
                    let files = unreached.files;
                    std::thread::Builder::new().stack_size(64 << 10).spawn(move || binder::serve(&binds, &files))
                });
                if let Err(error) = serving {
                    self.tell(&Word::Failed { step: "process".to_owned(), why: error.to_string() });
                    return 125;
                }
                self.tell(&Word::Closed);
                self.wait_for(command);
                0
            }
        }
    }

    /// Waits for the command, and ends what is left over: all in the namespaces have this process for a parent, or come to
    /// have it.
    fn wait_for(&self, command: Pid) {
        let (code, signal) = loop {
            match waitpid(None, None) {
                Ok(WaitStatus::Exited(pid, code)) if pid == command => break (Some(code), None),
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == command => break (None, Some(signal as i32)),
                Ok(_) | Err(Errno::EINTR) => {}
                Err(_) => return,
            }
        };
        let (mut others, mut left) = (0, false);
        if descendants::let_end(descendants::MAX_LINGER).left != Left::Nobody {
            // All but this process: kill(2). Anywhere else these would be all of the user's.
            if std::process::id() == 1 {
                let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
            }
            let ended = descendants::let_end(descendants::MAX_TIME);
            (others, left) = (ended.count, ended.left != Left::Nobody);
        }
        self.tell(&Word::Ended { code, signal, others, left });
    }

    /// Puts up the walls and becomes the command. Returns a status only when that failed. With namespaces, what lists
    /// their sockets, who binds them, and where, is handed to the supervisor.
    fn become_command(&self, of_namespaces: Option<[OwnedFd; 3]>) -> i32 {
        if let Err((step, why)) = self.put_up(of_namespaces) {
            self.tell(&Word::Failed { step, why });
            return 125;
        }
        // The mask is handed on by exec: what is blocked here could never be interrupted.
        let _ = SigSet::empty().thread_set_mask();
        // A stopped command would leave a terminal that nobody reads from.
        kernel::ignore_signal(libc::SIGTSTP, true);
        let [program, arguments @ ..] = self.command else { return 125 };
        let error = Command::new(program).args(arguments).env_clear().envs(self.environment.iter().cloned()).exec();
        let status = if self.is_absent(program) { 127 } else { 126 };
        self.tell(&Word::NoProgram { why: error.to_string(), status });
        i32::from(status)
    }

    /// Whether there is no such program. A folder of the search path that may not be read counts as empty, as shells
    /// have it.
    fn is_absent(&self, program: &OsStr) -> bool {
        if program.as_encoded_bytes().contains(&b'/') {
            return !Path::new(program).exists();
        }
        let search = self.environment.iter().find(|(name, _)| name == "PATH");
        !search.is_some_and(|(_, folders)| std::env::split_paths(folders).any(|folder| folder.join(program).exists()))
    }

    fn put_up(&self, of_namespaces: Option<[OwnedFd; 3]>) -> Step<()> {
        self.limit()?;
        if !self.with_namespaces {
            kernel::bound_capabilities();
        }
        step("capabilities", kernel::drop_capabilities())?;
        step("no new privileges", nix::sys::prctl::set_no_new_privs())?;
        let grants = self.plan.grants(self.with_namespaces);
        // With namespaces the network is the call's own, and a port of its own may be bound.
        let guards_network = !self.with_namespaces;
        step("Landlock", landlock_rules::enforce(self.landlock_abi, &grants, guards_network))?;
        let around = Around {
            truncation: self.landlock_abi >= 3,
            signals: self.landlock_abi >= 6 || self.with_namespaces,
            namespaces: self.with_namespaces,
        };
        let programs = step("filter", filter::programs(around))?;
        let listener = step("filter", kernel::install_with_listener(&programs.handed_over))?;
        let further = of_namespaces.iter().flatten().map(AsRawFd::as_raw_fd);
        let handed: Vec<_> = std::iter::once(listener.as_raw_fd()).chain(further).collect();
        step("supervisor", self.tell_with(&Word::Ready, &handed))?;
        drop((listener, of_namespaces));
        step("filter", seccompiler::apply_filter(&programs.by_number))?;
        step("filter", seccompiler::apply_filter(&programs.refused))?;
        // Only now: meanwhile the supervisor prepares itself, and the first process closes the namespaces.
        step("supervisor", self.hear())
    }

    fn limit(&self) -> Step<()> {
        step("limit for memory of a crash", limit_crashes())?;
        if let Some(bytes) = self.limits.memory_bytes {
            step("limit for memory", lower(Resource::RLIMIT_DATA, bytes))?;
        }
        if let Some(count) = self.limits.processes {
            // With the first process of the namespaces, which is ours, and its thread that binds.
            step("limit for processes", lower(Resource::RLIMIT_NPROC, count.saturating_add(2)))?;
        }
        Ok(())
    }

    /// Waits for one packet of the supervisor.
    fn hear(&self) -> io::Result<()> {
        let mut packet = [0_u8; 8];
        match recv(self.talk.as_raw_fd(), &mut packet, MsgFlags::empty()) {
            Ok(0) => Err(io::Error::other("the supervisor is gone")),
            Ok(_) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Nobody is there to be told when it fails.
    fn tell(&self, word: &Word) {
        let _ = self.tell_with(word, &[]);
    }

    fn tell_with(&self, word: &Word, descriptors: &[i32]) -> io::Result<()> {
        let text = serde_json::to_vec(word)?;
        let rights = [ControlMessage::ScmRights(descriptors)];
        let control: &[ControlMessage] = if descriptors.is_empty() { &[] } else { &rights };
        sendmsg::<()>(self.talk.as_raw_fd(), &[IoSlice::new(&text)], control, MsgFlags::MSG_NOSIGNAL, None)?;
        Ok(())
    }
}

/// No memory of a crash is left outside, and the machine's handler of crashes is given nothing: of all limits, that of one
/// byte alone says so to a program (`fs/coredump.c`); the filter keeps it. Who may have no byte at all cannot be given one;
/// then nothing is left where crashes become files. A handler behind a socket gets them whatever the limit.
fn limit_crashes() -> io::Result<()> {
    let (_, most) = getrlimit(Resource::RLIMIT_CORE)?;
    match std::fs::read_to_string("/proc/sys/kernel/core_pattern")?.as_bytes().first() {
        Some(b'@') => Err(io::Error::other(
            "/proc/sys/kernel/core_pattern hands the memory of each program that crashes to a socket, and no limit keeps it from that",
        )),
        _ if most > 0 => Ok(setrlimit(Resource::RLIMIT_CORE, 1, 1)?),
        Some(b'|') => Err(io::Error::other(
            "a hard limit of 0 (`ulimit -c`) does not keep a crash from the program in /proc/sys/kernel/core_pattern; \
             with a hard limit of 1 or more it can be kept",
        )),
        _ => Ok(()),
    }
}

/// At most so much, and never more than was allowed before.
fn lower(resource: Resource, limit: u64) -> io::Result<()> {
    let (_, most) = getrlimit(resource)?;
    let limit = limit.min(most);
    Ok(setrlimit(resource, limit, limit)?)
}
