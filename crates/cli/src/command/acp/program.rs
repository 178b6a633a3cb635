//! The agent's own program.

use std::ffi::OsString;
use std::io;
use std::process::{ExitStatus, Stdio};

use anyhow::Context;
use tokio::process::{Child, Command};

/// Starts `command`. It complains where this program does.
pub(super) fn start(command: &[OsString]) -> anyhow::Result<Child> {
    let (program, arguments) = command.split_first().context("no command of an agent was given")?;
    let mut start = Command::new(program);
    start.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
    start.spawn().with_context(|| format!("the agent `{}` cannot be started", program.to_string_lossy()))
}

/// The exit code to end with, as a shell tells of a program that a signal has ended: 128 and the
/// number of the signal.
pub(super) fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(signal).map_or(1, |signal| signal.saturating_add(128));
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Hands the signals that ask this program to end on to the agent, which decides.
#[cfg(unix)]
pub(super) async fn hand_signals_on(pid: u32) -> io::Result<()> {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    let agent = Pid::from_raw(i32::try_from(pid).map_err(io::Error::other)?);
    loop {
        let signal = tokio::select! {
            _ = terminate.recv() => Signal::SIGTERM,
            _ = interrupt.recv() => Signal::SIGINT,
            _ = hang_up.recv() => Signal::SIGHUP,
        };
        // It may have ended meanwhile.
        let _ = kill(agent, signal);
    }
}

/// There are no signals to hand on: a console tells every program in it.
#[cfg(not(unix))]
pub(super) async fn hand_signals_on(_pid: u32) -> io::Result<()> {
    loop {
        tokio::signal::ctrl_c().await?;
    }
}
