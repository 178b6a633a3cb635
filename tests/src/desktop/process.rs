//! Child processes that never outlive the test: each dies when its handle is dropped, when the desktop is dropped, or
//! when the test process itself is killed.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The variable every process of one desktop carries; its value is the desktop's folder. Programs started by other
/// programs (by the session bus, by the panel) inherit it, which is how [`kill_all_of`] finds them.
pub(super) const MARK: &str = "HANDRAISE_TEST_DESKTOP";

/// How long a process may take to end after a polite signal before it is killed.
const FAREWELL: Duration = Duration::from_secs(2);

/// What of the surrounding environment reaches a child. Everything else (the real session's bus, its display, proxies,
/// language) stays outside, so that a test sees the same desktop everywhere.
const INHERITED: [&str; 7] = ["PATH", "USER", "LOGNAME", "TMPDIR", "LLVM_PROFILE_FILE", "RUST_BACKTRACE", "RUST_LOG"];

/// A running program of the desktop. Dropping it ends the program.
#[derive(Debug)]
pub struct DesktopProcess {
    child: Child,
    log: PathBuf,
}

impl DesktopProcess {
    /// Starts `command` with exactly `environment` plus the command's own variables; both outputs go to the file `log`.
    pub(super) fn start(command: &Command, environment: &[(String, String)], log: PathBuf) -> Result<Self> {
        let mut bound = within(command, environment);
        let output = File::create(&log).with_context(|| format!("cannot create {}", log.display()))?;
        bound.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        let child = spawn_on_lasting_thread(bound)
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        Ok(Self { child, log })
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the program ended, or `None` while it runs.
    ///
    /// # Errors
    /// When the operating system cannot say.
    pub fn exit_status(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// What the program has written to its two outputs so far.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }

    /// Sends `signal`, for tests of crashes (`SIGKILL`) and log-outs (`SIGTERM`).
    ///
    /// # Errors
    /// When the program is already gone.
    pub fn signal(&self, signal: Signal) -> Result<()> {
        Ok(kill(process_id(self.child.id())?, signal)?)
    }

    /// Ends the program: a polite signal first, SIGKILL when it has not gone after two seconds.
    pub fn stop(&mut self) {
        if self.signal(Signal::SIGTERM).is_ok() {
            let deadline = Instant::now() + FAREWELL;
            while Instant::now() < deadline {
                match self.child.try_wait() {
                    Ok(None) => thread::sleep(Duration::from_millis(5)),
                    Ok(Some(_)) | Err(_) => return,
                }
            }
        }
        let _already_gone = self.child.kill();
        let _already_reaped = self.child.wait();
    }
}

impl Drop for DesktopProcess {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.stop();
        }
    }
}

/// The same command, to be run with `environment` (and the command's own variables) instead of the surrounding one.
///
/// `setpriv --pdeathsig` (util-linux, essential on Debian and Ubuntu) makes the kernel kill the program when the test
/// process dies, even by SIGKILL.
pub(super) fn within(command: &Command, environment: &[(String, String)]) -> Command {
    let mut bound = Command::new("setpriv");
    bound.args(["--pdeathsig", "KILL", "--"]).arg(command.get_program()).args(command.get_args());
    bound.env_clear().envs(inherited()).envs(environment.iter().cloned());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => bound.env(name, value),
            None => bound.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        bound.current_dir(folder);
    }
    bound
}

/// Kills whatever still carries the mark of the desktop in `folder`, and returns when nothing does.
pub(super) fn kill_all_of(folder: &Path) {
    let mut mark = format!("{MARK}=").into_bytes();
    mark.extend_from_slice(folder.as_os_str().as_encoded_bytes());
    let deadline = Instant::now() + FAREWELL;
    while Instant::now() < deadline {
        let left = marked_processes(&mark);
        if left.is_empty() {
            return;
        }
        for process in left {
            let _already_gone = kill(process, Signal::SIGKILL);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The processes whose environment, as it was when they started, holds `mark`. Zombies have none, so they do not count.
fn marked_processes(mark: &[u8]) -> Vec<Pid> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|process: &u32| {
            std::fs::read(format!("/proc/{process}/environ"))
                .is_ok_and(|environment| environment.split(|byte| *byte == 0).any(|variable| variable == mark))
        })
        .filter_map(|process| process_id(process).ok())
        .collect()
}

fn process_id(id: u32) -> Result<Pid> {
    Ok(Pid::from_raw(i32::try_from(id)?))
}

fn inherited() -> impl Iterator<Item = (&'static str, OsString)> {
    INHERITED.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))
}

/// A command to start, and where the answer goes.
type Order = (Command, mpsc::Sender<io::Result<Child>>);

/// Starts `command` from a thread that lives as long as the process: the parent-death signal is sent when the *thread*
/// that started a child ends, and the threads of an async runtime come and go.
fn spawn_on_lasting_thread(command: Command) -> io::Result<Child> {
    static ORDERS: OnceLock<mpsc::Sender<Order>> = OnceLock::new();
    let orders = ORDERS.get_or_init(|| {
        let (sender, receiver) = mpsc::channel::<Order>();
        thread::spawn(move || {
            for (mut command, answer) in receiver {
                let _nobody_waits = answer.send(command.spawn());
            }
        });
        sender
    });
    let (answer, child) = mpsc::channel();
    orders.send((command, answer)).map_err(io::Error::other)?;
    child.recv().map_err(io::Error::other)?
}
