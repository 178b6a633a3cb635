//! The side of the walls that stays outside: it waits, passes signals on, answers what neither Landlock nor a filter
//! can decide, ends what is left over, puts back what has to stay, and reports.

use std::io::{self, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal, kill, killpg};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::socket::{AddressFamily, ControlMessageOwned, MsgFlags, SockFlag, SockType, recvmsg, send, socketpair};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use super::baseline::Baseline;
use super::binder::Binder;
use super::caller::Caller;
use super::descendants::Left;
use super::guardian::Guardian;
use super::kept::Kept;
use super::kernel::{self, Fork, SystemCallReply};
use super::namespaces;
use super::plan::Plan;
use super::private_tmp::end_lock;
use super::sockets::Sockets;
use super::stand_ins::StandIns;
use super::standing_links::StandingLinks;
use super::terminal::Foreground;
use super::territory::Territory;
use super::{Inside, Word, calls, connecting, descendants, inotify, limits, links, metadata, signals, terminal, watch};
use crate::{Call, ConfineError, Ending, Report};

/// Passed on to the command.
const PASSED_ON: [Signal; 7] = [
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGWINCH,
];

/// Ready to start a command.
pub(super) struct Supervisor {
    signals: SignalFd,
}

/// What came of a start.
pub(super) enum Began {
    Running(Box<Running>),
    /// Nothing runs.
    NoNamespaces(String),
}

/// A command behind its walls.
pub(super) struct Running {
    child: Pid,
    talk: OwnedFd,
    listener: Arc<OwnedFd>,
    diagnosis: Option<OwnedFd>,
    /// Only with namespaces.
    stand_ins: Option<StandIns>,
    foreground: Foreground,
    guardian: Guardian,
}

fn failed<T>(step: &str, result: Result<T, impl std::fmt::Display>) -> Result<T, ConfineError> {
    result.map_err(|error| ConfineError::setup(step, error))
}

impl Supervisor {
    /// Looks at the limits of this process, and takes its signals from a queue.
    pub(super) fn prepare() -> Result<Self, ConfineError> {
        failed("open files", connecting::check_open_files())?;
        failed("limits", limits::check())?;
        // Ignored, as some parents leave it, the kernel would keep no status.
        kernel::ignore_signal(libc::SIGCHLD, false);
        let mut mask = SigSet::empty();
        for signal in PASSED_ON.into_iter().chain([Signal::SIGCHLD, Signal::SIGTTOU, Signal::SIGTSTP]) {
            mask.add(signal);
        }
        failed("signals", mask.thread_block())?;
        let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
        Ok(Self { signals: failed("signals", SignalFd::with_flags(&mask, flags))? })
    }

    /// Splits off the inside and waits until its walls stand. From then on orphans come to this process.
    pub(super) fn begin<'a>(
        &self,
        noted: &Baseline,
        inside: impl FnOnce(OwnedFd) -> Inside<'a>,
    ) -> Result<Began, ConfineError> {
        let flags = SockFlag::SOCK_CLOEXEC;
        let (talk, theirs) = failed("socket", socketpair(AddressFamily::Unix, SockType::SeqPacket, None, flags))?;
        let inside = inside(theirs);
        let (with_namespaces, has_terminal) = (inside.with_namespaces, inside.has_terminal);
        let (plan, kept) = (inside.plan, inside.kept);
        let child = match kernel::fork(if with_namespaces { namespaces::FLAGS } else { 0 }) {
            Ok(Fork::Child) => inside.run(),
            Ok(Fork::Parent(child)) => child,
            Err(error) if with_namespaces => return Ok(Began::NoNamespaces(error.to_string())),
            Err(error) => return Err(ConfineError::setup("process", error)),
        };
        drop(inside);
        if has_terminal {
            // On both sides, so that it is done whoever comes first.
            let _ = nix::unistd::setpgid(child, child);
        }
        let foreground = Foreground::hand_over(child);
        // When the other side is gone already, its last word says why.
        let _ = send(talk.as_raw_fd(), b"go", MsgFlags::MSG_NOSIGNAL);
        // While the inside has enough to do.
        let mut guardian = Guardian::split_off(kept, noted, plan.tmp.lock())?;
        let (mut is_closed, mut handed) = (!with_namespaces, Vec::new());
        while !is_closed || handed.is_empty() {
            match hear(&talk).unwrap_or((None, Vec::new())) {
                (Some(Word::Ready), descriptors) if !descriptors.is_empty() => handed = descriptors,
                (Some(Word::Closed), _) => is_closed = true,
                (word, _) => {
                    while waitpid(child, None) == Err(Errno::EINTR) {}
                    return match word {
                        Some(Word::NoNamespaces { step, why }) => Ok(Began::NoNamespaces(format!("{step}: {why}"))),
                        Some(Word::Failed { step, why }) => Err(ConfineError::setup(step, why)),
                        _ => Err(ConfineError::setup("inside", "it ended before its walls stood")),
                    };
                }
            }
        }
        let mut descriptors = handed.into_iter();
        let listener = failed("supervisor", descriptors.next().map(Arc::new).ok_or("nothing came with the word"))?;
        if with_namespaces {
            failed("private temporary folder", plan.tmp.close())?;
        }
        let diagnosis = descriptors.next();
        let stand_ins = descriptors.next().map(Binder::of).zip(descriptors.next());
        let stand_ins = stand_ins.map(|(binder, files)| StandIns::new(binder, files));
        if with_namespaces && stand_ins.is_none() {
            return Err(ConfineError::setup("supervisor", "nobody binds sockets"));
        }
        // What answers for others must not be able to do more than they, and what it has open is for nobody else.
        kernel::bound_capabilities();
        failed("capabilities", kernel::drop_capabilities())?;
        failed("closed process", nix::sys::prctl::set_dumpable(false))?;
        guardian.watch(child)?;
        failed("reaper", nix::sys::prctl::set_child_subreaper(true))?;
        failed("inside", send(talk.as_raw_fd(), b"ok", MsgFlags::MSG_NOSIGNAL))?;
        Ok(Began::Running(Box::new(Running { child, talk, listener, diagnosis, stand_ins, foreground, guardian })))
    }
}

/// The next word of the inside, with the descriptors that came along; no word when it is gone.
fn hear(talk: &OwnedFd) -> io::Result<(Option<Word>, Vec<OwnedFd>)> {
    const MAX_WORD: usize = 16 << 10;
    let mut bytes = vec![0; MAX_WORD];
    let mut space = nix::cmsg_space!([i32; 4]);
    let mut parts = [IoSliceMut::new(&mut bytes)];
    let message = loop {
        match recvmsg::<()>(talk.as_raw_fd(), &mut parts, Some(&mut space), MsgFlags::MSG_CMSG_CLOEXEC) {
            // The other side has ended without reading what it was told. What it said before comes next: this is told once.
            Err(Errno::EINTR | Errno::ECONNRESET) => {}
            other => break other?,
        }
    };
    let mut descriptors = Vec::new();
    for control in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(numbers) = control {
            descriptors.extend(kernel::own_received(&numbers));
        }
    }
    let count = message.bytes;
    let text = bytes.get(..count).unwrap_or_default();
    Ok((if text.is_empty() { None } else { serde_json::from_slice(text).ok() }, descriptors))
}

/// What is known while the command runs.
struct Course<'a> {
    report: Report,
    sockets: Sockets,
    territory: Territory,
    standing: StandingLinks<'a>,
    listener: &'a Arc<OwnedFd>,
    /// In namespaces the first process is not the command, and says how the command ended when all but itself have.
    told: Option<Ending>,
    no_program: Option<(String, u8)>,
    child_is_gone: bool,
    /// Children that are not reaped.
    left: Left,
}

/// Who has nothing more to do but to end, which takes the kernel as long as it takes to clean up outside: the guardian, and
/// the first process of the namespaces where that has said that it is the last.
pub(super) struct Last {
    first: Option<Pid>,
    guardian: Guardian,
}

impl Last {
    /// Waits until they have ended.
    pub(super) fn wait(self) {
        drop(self.guardian);
        if let Some(first) = self.first {
            descendants::wait_for(first);
        }
    }
}

impl Running {
    /// Waits for the command and answers for it, then cleans up. `Last` is to be waited for when all is done.
    pub(super) fn supervise(
        self,
        supervisor: Supervisor,
        plan: &Plan,
        kept: &Kept,
        call: &Call,
        with_namespaces: bool,
        landlock_abi: u32,
    ) -> (Result<Report, ConfineError>, Last) {
        limits::raise();
        let mut shared: Vec<PathBuf> = plan.writable.iter().cloned().chain(plan.made.files()).collect();
        let mut private: Vec<PathBuf> = Vec::new();
        match with_namespaces {
            true => private.extend(["/tmp", "/dev/shm"].map(PathBuf::from)),
            // Others find it.
            false => shared.push(plan.tmp.path().to_owned()),
        }
        let diagnosis = self.diagnosis.or_else(|| namespaces::diagnosis().ok());
        let mut course = Course {
            report: Report { version: 1, namespaces: with_namespaces, landlock_abi, ..Report::default() },
            sockets: Sockets::new(self.stand_ins, diagnosis),
            standing: StandingLinks::new(kept, shared.clone()),
            territory: Territory { shared, private },
            listener: &self.listener,
            told: None,
            no_program: None,
            child_is_gone: false,
            left: Left::Some,
        };
        let deadline =
            call.walls.limits.seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
        course.follow(&supervisor.signals, &self.talk, self.child, deadline);
        drop(self.foreground);
        let first = course.told.take().map(|told| {
            course.report.ending = Some(told);
            self.child
        });
        if first.is_none() {
            let all = descendants::end_all();
            course.report.ended += all.count;
            course.report.not_ended = all.left != Left::Nobody;
        }
        course.sockets.remove_stand_ins();
        if with_namespaces {
            (course.report.brought_out, course.report.not_brought_out) = plan.made.bring_out();
        } else {
            course.report.brought_out = plan.made.remove_untouched();
        }
        let end = end_lock();
        let (put_back, not_put_back) = kept.put_back();
        let (cleared, not_cleared) = kept.clear_session();
        drop(end);
        course.report.put_back = put_back.into_iter().chain(cleared).collect();
        course.report.not_put_back = not_put_back.into_iter().chain(not_cleared).collect();
        self.guardian.release();
        let last = Last { first, guardian: self.guardian };
        match course.no_program {
            Some((why, status)) => {
                let program = call.command.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
                (Err(ConfineError::NoProgram { program, why, status }), last)
            }
            None => (Ok(course.report), last),
        }
    }
}

impl Course<'_> {
    /// Until the command has ended, and what it has left behind, or their time is over.
    fn follow(&mut self, signals: &SignalFd, talk: &OwnedFd, child: Pid, mut deadline: Option<Instant>) {
        let (mut listens, mut hears, mut lingers) = (true, true, false);
        while self.told.is_none() && (!self.child_is_gone || self.left != Left::Nobody) {
            if self.child_is_gone && !lingers {
                lingers = true;
                let until = Instant::now() + descendants::MAX_LINGER;
                deadline = Some(deadline.map_or(until, |deadline| deadline.min(until)));
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                if !lingers {
                    self.report.ending = Some(Ending::TimeOver);
                }
                return;
            }
            let timeout = match (self.left, left) {
                (Left::Ended, _) => PollTimeout::ZERO,
                (_, None) => PollTimeout::NONE,
                (_, Some(left)) => {
                    PollTimeout::try_from(left.as_millis().saturating_add(1)).unwrap_or(PollTimeout::MAX)
                }
            };
            // A descriptor whose other side is gone would wake this up for ever.
            let open = [(signals.as_fd(), true), (self.listener.as_fd(), listens), (talk.as_fd(), hears)];
            let mut waited: Vec<PollFd<'_>> = open
                .into_iter()
                .filter(|(_, open)| *open)
                .map(|(descriptor, _)| PollFd::new(descriptor, PollFlags::POLLIN))
                .collect();
            // Interrupted or not: everything is looked at afterwards.
            let _ = poll(&mut waited, timeout);
            drop(waited);
            let (asked, gone) = state(self.listener.as_ref());
            if asked && listens {
                self.held_call();
            } else if gone {
                listens = false;
            }
            let (told, gone) = state(talk);
            if hears && (told || gone) {
                hears = self.word(talk);
            }
            self.signals(signals, child);
        }
        while hears && state(talk).0 {
            hears = self.word(talk);
        }
    }

    /// Hears one word. False when no more will come.
    fn word(&mut self, talk: &OwnedFd) -> bool {
        match hear(talk) {
            Ok((Some(Word::Ended { code, signal, others, left }), _)) => {
                (self.report.ended, self.report.not_ended) = (others, left);
                self.told = code.map(Ending::Code).or(signal.map(Ending::Signal));
                true
            }
            Ok((Some(Word::NoProgram { why, status }), _)) => {
                self.no_program = Some((why, status));
                true
            }
            Ok((Some(_), _)) => true,
            Ok((None, _)) | Err(_) => false,
        }
    }

    fn signals(&mut self, signals: &SignalFd, child: Pid) {
        while let Ok(Some(arrived)) = signals.read_signal() {
            let number = i32::try_from(arrived.ssi_signo).unwrap_or_default();
            let signal = Signal::try_from(number).ok().filter(|signal| PASSED_ON.contains(signal));
            // Once it is gone, its number may be somebody else's.
            if let Some(signal) = signal.filter(|_| !self.child_is_gone) {
                let _ = killpg(child, signal);
                for led in descendants::apart_from(child) {
                    let _ = kill(led, signal);
                }
                // Who is stopped would not hear it: kill(1) of shells and systemd.kill(5) do the same.
                if matches!(signal, Signal::SIGTERM | Signal::SIGHUP) {
                    let _ = killpg(child, Signal::SIGCONT);
                }
            }
        }
        let reaped = descendants::reap(|status| {
            let ending = match status {
                WaitStatus::Exited(pid, code) if pid == child => Ending::Code(code),
                WaitStatus::Signaled(pid, signal, _) if pid == child => Ending::Signal(signal as i32),
                _ => return,
            };
            self.report.ending = Some(ending);
            self.child_is_gone = true;
        });
        self.left = reaped.left;
    }

    fn held_call(&mut self) {
        // Whoever asked may have been ended before it was read.
        let Ok(held) = kernel::receive(self.listener.as_fd()) else { return };
        self.report.questions += 1;
        let caller = Caller::new(self.listener.as_fd(), held);
        let call = held.call;
        let answer = if calls::METADATA.contains(&call) {
            let (answer, denied) = metadata::answer(&caller, &self.territory);
            self.note(denied.map(|target| ("change", target)));
            Some(answer)
        } else if calls::SIGNALS.contains(&call) || calls::GROUPS.contains(&call) {
            let (answer, denied) = signals::answer(&caller);
            self.note(denied.map(|target| ("signal", target)));
            Some(answer)
        } else if calls::LINKS.contains(&call) {
            let (answer, denied) = links::answer(&caller, &self.territory, &mut self.standing);
            self.note(denied);
            Some(answer)
        } else if calls::WATCHED.contains(&call) || calls::OPEN.iter().any(|(open, ..)| *open == call) {
            let denied = watch::refused(&caller, &self.territory);
            self.note(denied.map(|target| ("write", target)));
            Some(SystemCallReply::GoOn)
        } else if call == libc::SYS_inotify_add_watch {
            Some(inotify::answer(&caller, &self.territory, self.report.namespaces))
        } else if call == libc::SYS_ioctl {
            Some(terminal::set_size(&caller))
        } else {
            let (answer, denied) = self.sockets.answer(&caller, self.listener, &self.territory);
            self.note(denied);
            answer
        };
        if let Some(answer) = answer {
            kernel::answer(self.listener.as_fd(), held.id, answer);
        }
    }

    /// What was tried, and on what.
    fn note(&mut self, denied: Option<(&str, String)>) {
        if let Some((action, target)) = denied {
            self.report.note(action, &target);
        }
    }
}

/// Whether something can be read, and whether the other side is gone.
fn state(descriptor: &OwnedFd) -> (bool, bool) {
    let mut waited = [PollFd::new(descriptor.as_fd(), PollFlags::POLLIN)];
    if poll(&mut waited, PollTimeout::ZERO).is_err() {
        return (false, false);
    }
    let [waited] = waited;
    let found = waited.revents().unwrap_or(PollFlags::empty());
    (found.contains(PollFlags::POLLIN), found.intersects(PollFlags::POLLHUP | PollFlags::POLLERR))
}
