//! What keeps other programs of the user out of the process that decides.

use crate::environment::{self, EnvironmentCheck};

/// Why this process is not fit to decide.
#[derive(Debug, thiserror::Error)]
pub enum HardeningError {
    /// Somebody else's code is in it already.
    #[error("{0}")]
    ForeignCode(String),
    /// It cannot be started once more without these variables.
    #[error("{variables} cannot be removed from the environment: {error}")]
    Environment {
        /// Their names.
        variables: String,
        /// Why not.
        error: std::io::Error,
    },
}

/// Makes this process fit to decide, before anything else happens in it; to be called first in `main`. Starts it once
/// more, under the same number, when its environment holds variables that could bring in code. A `webdriver` may be
/// let in.
///
/// # Errors
/// When somebody else's code is in it already.
pub fn clean_environment(webdriver: bool) -> Result<(), HardeningError> {
    let variables: Vec<_> = std::env::vars_os().collect();
    let named = variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()));
    match environment::judge(named, webdriver) {
        EnvironmentCheck::Clean => Ok(()),
        EnvironmentCheck::Refuse(sentence) => Err(HardeningError::ForeignCode(sentence)),
        EnvironmentCheck::RestartWithout(names) => {
            let error = restart_without(&names);
            Err(HardeningError::Environment { variables: names.join(", "), error })
        }
    }
}

/// Files that this process makes are for this user alone, and, unless it is `debuggable`, other processes of the user
/// look neither into its memory nor into a picture of it after a crash (prctl(2), `PR_SET_DUMPABLE`; core(5)).
pub fn harden(debuggable: bool) {
    #[cfg(unix)]
    {
        nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(0o077));
        if debuggable {
            return;
        }
        if let Err(error) = nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_CORE, 0, 0) {
            tracing::warn!(%error, "a crash may leave the memory of this process on the disk");
        }
        // On macOS the hardened runtime of the signed application does that.
        #[cfg(target_os = "linux")]
        if let Err(error) = nix::sys::prctl::set_dumpable(false) {
            tracing::warn!(%error, "this process stays open to debuggers");
        }
    }
    #[cfg(not(unix))]
    // Files in the user's profile are for this user alone already.
    let _ = debuggable;
}

/// Starts this program once more without these environment variables. Returns only when that fails.
fn restart_without(variables: &[String]) -> std::io::Error {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return error,
    };
    let mut command = std::process::Command::new(program);
    #[cfg(unix)]
    if let Some(name) = std::env::args_os().next() {
        std::os::unix::process::CommandExt::arg0(&mut command, name);
    }
    command.args(std::env::args_os().skip(1));
    for variable in variables {
        command.env_remove(variable);
    }
    take_over(command)
}

/// In the same process.
#[cfg(unix)]
fn take_over(mut command: std::process::Command) -> std::io::Error {
    std::os::unix::process::CommandExt::exec(&mut command)
}

/// In a new process; this one ends.
#[cfg(not(unix))]
#[expect(clippy::exit, reason = "the new process takes the place of this one")]
fn take_over(mut command: std::process::Command) -> std::io::Error {
    match command.spawn() {
        Ok(_) => std::process::exit(0),
        Err(error) => error,
    }
}
