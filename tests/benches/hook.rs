//! What a hook costs: `handraise-hook` as a whole process, for a call that the policy answers, beside
//! the least that any hook can be, and beside hooks in Python and JavaScript that do less. All of them
//! in turn, so that a slow moment of the machine hits all alike.
//!
//! Run by `make bench`, with the programs as they are released. Fails when the hook takes more than
//! [`LIMIT`] times what the least one takes.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use handraise_tests::binaries;
use handraise_tests::headless::{Headless, folder_flags};
use serde_json::json;

/// How much more than the least hook `handraise-hook` may take.
const LIMIT: f64 = 2.0;
/// Times that each is measured; the median counts.
const RUNS: usize = 301;
/// Every so many runs the hooks that take long have a turn too.
const SLOW_EVERY: usize = 10;
/// Runs before anything is measured: programs and files come from the disk once.
const WARM_UP: usize = 20;

fn main() -> Result<ExitCode> {
    let server = Headless::start("")?;
    let message = message(server.folder.path());
    let floor = Hook::new("a program that reads stdin", Command::new(env!("CARGO_BIN_EXE_read_stdin")));
    let mut handraise = Hook::new("handraise-hook", shim(server.folder.path())?);
    let mut hooks = vec![floor];
    let mut slow = Vec::new();
    for other in &OTHERS {
        match other.program() {
            Some(program) => slow.push(other.hook(&server, &program)),
            None => println!("{}: not measured, {} is not on the PATH", other.name, other.command),
        }
    }

    for hook in hooks.iter_mut().chain([&mut handraise]).chain(&mut slow) {
        for _ in 0..WARM_UP {
            hook.run(&message)?;
        }
        hook.times.clear();
    }
    let mut slow_rounds = 0;
    for run in 0..RUNS {
        for hook in hooks.iter_mut().chain([&mut handraise]) {
            hook.run(&message)?;
        }
        if run % SLOW_EVERY == 0 {
            slow_rounds += 1;
            for hook in &mut slow {
                hook.run(&message)?;
            }
        }
    }
    hooks.push(handraise);
    hooks.extend(slow);

    let floor = hooks.first().and_then(Hook::median).context("nothing was measured")?;
    let mut ratio_of_shim = f64::INFINITY;
    for hook in &hooks {
        let median = hook.median().context("nothing was measured")?;
        let ratio = median.as_secs_f64() / floor.as_secs_f64();
        println!("{}: {:.2} ms, {ratio:.2} times", hook.name, median.as_secs_f64() * 1e3);
        if hook.name == "handraise-hook" {
            ratio_of_shim = ratio;
        }
    }
    println!("(medians of {RUNS} runs in turn, of {slow_rounds} for Python and JavaScript; limit: {LIMIT} times)");
    if ratio_of_shim > LIMIT {
        println!("The hook is too slow: {ratio_of_shim:.2} times a program that reads stdin.");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// A program that is given the agent's message on stdin.
struct Hook {
    name: &'static str,
    command: Command,
    /// That it answered, and not only ended.
    answers: bool,
    times: Vec<Duration>,
}

impl Hook {
    fn new(name: &'static str, mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let answers = command.get_args().len() > 0;
        Self { name, command, answers, times: Vec::new() }
    }

    fn run(&mut self, message: &[u8]) -> Result<()> {
        let begin = Instant::now();
        let mut child = self.command.spawn().with_context(|| format!("{} does not start", self.name))?;
        child.stdin.take().context("no stdin")?.write_all(message)?;
        let mut answer = String::new();
        child.stdout.take().context("no stdout")?.read_to_string(&mut answer)?;
        let status = child.wait()?;
        self.times.push(begin.elapsed());
        ensure!(status.success(), "{} ended with {status}: {answer}", self.name);
        let allowed = answer.contains(r#""permissionDecision":"allow""#);
        ensure!(allowed == self.answers, "{} answered: {answer}", self.name);
        Ok(())
    }

    fn median(&self) -> Option<Duration> {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).copied()
    }
}

/// A call that the policy of a new user allows.
fn message(folder: &Path) -> Vec<u8> {
    let message = json!({
        "session_id": "bench",
        "transcript_path": "",
        "cwd": folder,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": { "command": "git status --short", "description": "Look at what has changed" },
        "tool_use_id": "bench",
    });
    message.to_string().into_bytes()
}

/// The command that `handraise connect` puts into the agent's settings.
fn shim(folder: &Path) -> Result<Command> {
    let mut command = Command::new(binaries::handraise_hook()?);
    command.args(["hook", "claude-code", "--deadline", "590"]).args(folder_flags(folder));
    Ok(command)
}

/// A hook in another language.
struct Other {
    name: &'static str,
    command: &'static str,
    /// Arguments with which it prints its own path: what is on the `PATH` may be a script that looks for it.
    where_is_it: [&'static str; 2],
    file: &'static str,
}

const OTHERS: [Other; 2] = [
    Other {
        name: "the same in Python",
        command: "python3",
        where_is_it: ["-c", "import sys; print(sys.executable)"],
        file: "hook.py",
    },
    Other {
        name: "the same in JavaScript",
        command: "node",
        where_is_it: ["-p", "process.execPath"],
        file: "hook.mjs",
    },
];

impl Other {
    /// `None`: this machine does not have the language.
    fn program(&self) -> Option<PathBuf> {
        let output = Command::new(self.command).args(self.where_is_it).output().ok()?;
        let path = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| PathBuf::from(path.trim()))
    }

    fn hook(&self, server: &Headless, program: &Path) -> Hook {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/hooks").join(self.file);
        let folder = server.folder.path();
        let mut command = Command::new(program);
        command.arg(script).arg(folder.join("run/endpoint.json")).arg(folder.join("config/tokens/claude-code.token"));
        Hook::new(self.name, command)
    }
}
