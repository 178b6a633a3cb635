//! The agent's own program on this machine, and other programs that must not hold this one up.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use handraise_agents::Agent;

/// How long a program may take to tell its version.
const MAX_VERSION: Duration = Duration::from_secs(10);
/// How often to look whether a program has ended that prints nothing any more.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);
/// The most that is read of what a program prints, in bytes.
const MAX_OUTPUT: u64 = 1024 * 1024;

/// How a program ended.
pub(crate) struct Ended {
    /// Its exit code, or the signal that killed it.
    pub(crate) status: ExitStatus,
    /// What it printed.
    pub(crate) stdout: Vec<u8>,
    /// What it complained.
    pub(crate) stderr: Vec<u8>,
}

/// Whether the agent's program is on the `PATH`.
pub(crate) fn is_installed(agent: &dyn Agent) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = [agent.program().to_owned(), format!("{}.exe", agent.program()), format!("{}.cmd", agent.program())];
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.iter().any(|folder| names.iter().any(|name| folder.join(name).is_file()))
}

/// What the agent's program prints for `--version`; `None` when it is not on the `PATH`, or tells
/// nothing.
pub(crate) fn version(agent: &dyn Agent) -> Option<String> {
    let mut command = Command::new(agent.program());
    command.arg("--version");
    let ended = run(command, &[], MAX_VERSION)?;
    let text = String::from_utf8(ended.stdout).ok()?;
    // Some write a sentence.
    let line = text.lines().next().unwrap_or_default().trim().trim_end_matches('.');
    (ended.status.success() && !line.is_empty()).then(|| handraise_display::line(line, 80))
}

/// Runs `command` with `input` on stdin. `None`: it cannot be run, or took longer than `longest`, and
/// was killed.
pub(crate) fn run(mut command: Command, input: &[u8], longest: Duration) -> Option<Ended> {
    let end = Instant::now() + longest;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // A program that reads nothing must not hold this one up; and it may end without reading.
        thread::spawn(move || stdin.write_all(&input));
    }
    let left = || end.saturating_duration_since(Instant::now());
    let texts = stdout.recv_timeout(left()).ok().zip(stderr.recv_timeout(left()).ok());
    let Some((stdout, stderr)) = texts else {
        stop(&mut child);
        return None;
    };
    // Both ends are closed, so it is about to end. The standard library waits for a program without a limit or not at
    // all, and a descriptor to wait on (pidfd) is Linux's alone: one look, seldom two, is less than code for each system.
    while Instant::now() < end {
        if let Some(status) = child.try_wait().ok()? {
            return Some(Ended { status, stdout, stderr });
        }
        thread::sleep(BETWEEN_LOOKS);
    }
    stop(&mut child);
    None
}

/// Sends `input` to `command` and hands every line that it prints to `wanted` until that gives
/// something, or `longest` is over. Then the program is ended.
pub(crate) fn converse<T>(
    mut command: Command,
    input: &str,
    longest: Duration,
    wanted: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let end = Instant::now() + longest;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let output = child.stdout.take()?;
    let (sender, lines) = channel();
    thread::spawn(move || {
        let reader = std::io::BufReader::new(output.take(MAX_OUTPUT));
        for line in std::io::BufRead::lines(reader).map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let sent = stdin.write_all(input.as_bytes());
    let found = sent.ok().and_then(|()| {
        loop {
            let line = lines.recv_timeout(end.saturating_duration_since(Instant::now())).ok()?;
            if let Some(found) = wanted(&line) {
                return Some(found);
            }
        }
    });
    drop(stdin);
    stop(&mut child);
    found
}

fn stop(child: &mut Child) {
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What came before an error is still what was printed.
            let _ = pipe.take(MAX_OUTPUT).read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(line: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]);
        command
    }

    #[test]
    fn what_a_program_prints_and_how_it_ends_is_told() {
        let ended = run(shell("cat; echo no >&2; exit 2"), b"yes", Duration::from_secs(60)).unwrap();
        assert_eq!((ended.status.code(), &*ended.stdout, &*ended.stderr), (Some(2), &b"yes"[..], &b"no\n"[..]));
    }

    #[test]
    fn a_program_that_hangs_is_given_up() {
        for line in ["exec sleep 60", "sleep 60 & echo started", "exec >&- 2>&-; sleep 60"] {
            assert!(run(shell(line), b"", Duration::from_millis(200)).is_none(), "{line}");
        }
        assert!(run(Command::new("/gone/program"), b"", Duration::from_secs(60)).is_none());
    }

    #[test]
    fn a_conversation_ends_with_the_answer() {
        let line = "while read line; do echo \"got $line\"; done";
        let wanted = |line: &str| line.strip_prefix("got two").map(str::len);
        assert_eq!(converse(shell(line), "one\ntwo!\n", Duration::from_secs(60), wanted), Some(1));
        assert_eq!(converse(shell("exec sleep 60"), "", Duration::from_millis(200), wanted), None);
        assert_eq!(converse(shell("true"), "", Duration::from_secs(60), wanted), None);
    }
}
