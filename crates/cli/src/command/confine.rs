//! `handraise confine`: runs a command inside walls, by the program that stands beside this one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Context;
use clap::Args;
use handraise_confine::Capability;

/// The program that puts up the walls. It is one of its own: it has to start quickly, and to have one thread.
const PROGRAM: &str = "handraise-confine";

/// Run a command inside walls: it writes only in its project, reads no credentials, reaches no network
///
/// The command's own exit code comes back; 125 when the walls cannot be put up.
#[derive(Debug, Args)]
pub(crate) struct Confine {
    /// Say what this machine can hold, and run nothing
    #[arg(long)]
    explain: bool,
    /// With --explain: print JSON
    #[arg(long, requires = "explain")]
    json: bool,
    /// The folder that the command may write in [default: this folder]
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,
    /// A cache that it may write, by its name; can be given several times
    #[arg(long = "cache", value_name = "NAME")]
    caches: Vec<String>,
    /// Write what was denied, and how the command ended, to this new file, in JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, required_unless_present = "explain")]
    command: Vec<OsString>,
}

impl Confine {
    /// Becomes the program. Comes back only when it could not be started.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut program = Command::new(beside()?);
        for (flag, given) in [("--explain", self.explain), ("--json", self.json)] {
            if given {
                program.arg(flag);
            }
        }
        for (flag, path) in [("--project", self.project), ("--report", self.report)] {
            if let Some(path) = path {
                program.arg(flag).arg(path);
            }
        }
        for cache in self.caches {
            program.args(["--cache", &cache]);
        }
        if !self.command.is_empty() {
            program.arg("--").args(self.command);
        }
        become_it(program)
    }
}

/// The program in the folder of this one. Never one from the search path.
fn beside() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("this program does not know where it is")?;
    let there = own.with_file_name(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX));
    anyhow::ensure!(there.exists(), "{} is missing: install Handraise anew", there.display());
    Ok(there)
}

#[cfg(unix)]
fn become_it(mut program: Command) -> anyhow::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    let error = program.exec();
    Err(error).with_context(|| program.get_program().to_string_lossy().into_owned())
}

#[cfg(not(unix))]
fn become_it(mut program: Command) -> anyhow::Result<ExitCode> {
    let status = program.status().with_context(|| program.get_program().to_string_lossy().into_owned())?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// What this machine can hold, as the program says it.
///
/// # Errors
/// When the program is not there, or says something else.
pub(crate) fn capability() -> anyhow::Result<Capability> {
    let output = Command::new(beside()?).args(["--explain", "--json"]).output().context(PROGRAM)?;
    serde_json::from_slice(&output.stdout).context(PROGRAM)
}
