//! The terminal's foreground: it belongs to the command while it runs, so that Ctrl-C reaches the command. After it the
//! terminal is set as before.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
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

/// Gives the foreground back when it goes.
pub(super) struct Foreground {
    own: Option<Pid>,
    /// How the terminal was set.
    settings: Option<Termios>,
}

impl Foreground {
    /// Gives the foreground to the process group of the command, if it is ours to give.
    pub(super) fn hand_over(command: Pid) -> Self {
        let own = getpgrp();
        let is_ours = io::stdin().is_terminal() && tcgetpgrp(io::stdin()) == Ok(own);
        let settings = if is_ours { tcgetattr(io::stdin()).ok() } else { None };
        let handed = is_ours && tcsetpgrp(io::stdin(), command).is_ok();
        Self { own: handed.then_some(own), settings }
    }
}

impl Drop for Foreground {
    fn drop(&mut self) {
        if let Some(own) = self.own {
            // SIGTTOU is blocked. Without a terminal any more there is nothing to give back.
            let _ = tcsetpgrp(io::stdin(), own);
            if let Some(settings) = &self.settings {
                let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, settings);
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
