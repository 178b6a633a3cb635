//! The terminal's foreground: it belongs to the command while it runs, so that Ctrl-C reaches the command. After it the
//! terminal is set as before.

use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use nix::sys::stat::fstat;
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
use nix::unistd::{Pid, getpgrp, tcgetpgrp, tcsetpgrp};

use super::caller::{Caller, Errno, number};
use super::kernel::SystemCallReply;

/// Whether the command is given a terminal. Without one it gets a session of its own: else it could open that of
/// whoever started it as `/dev/tty`, and read there what is typed to others.
pub(super) fn is_given() -> bool {
    io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal()
}

/// Sets the terminals back when it goes: who is in their foreground, and how they are set.
pub(super) struct Foreground {
    /// Of each standard stream that is a terminal. The command may set one that is only its output, too.
    before: Vec<(OwnedFd, Option<Pid>, Option<Termios>)>,
}

impl Foreground {
    /// Gives the foreground to the process group of the command, if it is ours to give.
    pub(super) fn hand_over(command: Pid) -> Self {
        let streams =
            [io::stdin().as_fd(), io::stdout().as_fd(), io::stderr().as_fd()].map(|stream| stream.try_clone_to_owned());
        let terminals = streams.into_iter().flatten().filter(IsTerminal::is_terminal);
        let before = terminals.map(|terminal| {
            let (foreground, settings) = (tcgetpgrp(&terminal).ok(), tcgetattr(&terminal).ok());
            (terminal, foreground, settings)
        });
        let before: Vec<_> = before.collect();
        if io::stdin().is_terminal() && tcgetpgrp(io::stdin()) == Ok(getpgrp()) {
            let _ = tcsetpgrp(io::stdin(), command);
        }
        Self { before }
    }
}

impl Drop for Foreground {
    fn drop(&mut self) {
        for (terminal, foreground, settings) in &self.before {
            // SIGTTOU is blocked. Without a terminal any more there is nothing to give back, and another one than the own
            // has no foreground for us.
            if let Some(foreground) = foreground.filter(|before| tcgetpgrp(terminal) != Ok(*before)) {
                let _ = tcsetpgrp(terminal, foreground);
            }
            if let Some(settings) = settings {
                let _ = tcsetattr(terminal, SetArg::TCSANOW, settings);
            }
        }
    }
}

/// Answers TIOCSWINSZ: a terminal of the call's own gets its size, one that was given keeps it. Nobody could tell afterwards
/// whether a person has changed it.
pub(super) fn set_size(caller: &Caller<'_>) -> SystemCallReply {
    let set = || -> Result<(), Errno> {
        let terminal = caller.descriptor(caller.int(0))?;
        let own = caller.find(libc::AT_FDCWD, Path::new("/dev/pts"), true)?;
        let own = fstat(&own.descriptor).map_err(|error| error as Errno)?;
        // Both sides of a terminal lie in the file system of the call's own. What `/dev/tty` is open on nobody says.
        if fstat(&terminal).map_err(|error| error as Errno)?.st_dev != own.st_dev {
            return Err(libc::EPERM);
        }
        let size = caller.exact_memory(caller.long(2), 8)?;
        let size: [u8; 8] = size.try_into().map_err(|_| libc::EFAULT)?;
        super::kernel::set_window_size(terminal.as_fd(), &size).map_err(|error| number(&error))
    };
    set().map_or_else(SystemCallReply::Fail, |()| SystemCallReply::Done(0))
}

/// Ends this process by a signal, as the command was ended by it. Comes back when the signal does not end a process.
pub fn end_by_signal(number: i32) {
    use nix::sys::resource::{Resource, setrlimit};
    use nix::sys::signal::{SigSet, Signal, raise};
    // The memory of this program says nothing about the command.
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    let _ = SigSet::empty().thread_set_mask();
    if let Ok(signal) = Signal::try_from(number) {
        // Rust has a handler of its own for some.
        super::kernel::ignore_signal(number, false);
        let _ = raise(signal);
    }
}
