//! Runs one command inside walls.
//!
//! [`Walls`] say what a command may do; whoever decides about calls writes them, and the program
//! `handraise-confine` puts them up. On Linux three mechanisms do it together, each for what it can do alone: Landlock
//! for paths, seccomp for system calls, and a supervisor outside for what neither can tell apart. Where an ordinary
//! user may have namespaces, these come on top. What the kernel cannot hold is refused before anything starts.
//!
//! What holds on which kernel, and what does not: `docs/confine.md`.

#[cfg(target_os = "linux")]
mod acting;
mod caches;
mod capability;
mod error;
mod report;
mod walls;

#[cfg(unix)]
mod environment;
#[cfg(unix)]
mod git_settings;
#[cfg(unix)]
mod lexical;
#[cfg(unix)]
mod narrow;
#[cfg(unix)]
mod opening;
#[cfg(unix)]
mod places;
#[cfg(unix)]
mod protected;
#[cfg(unix)]
mod search;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::{check, end_by_signal, run};

#[cfg(target_os = "macos")]
mod seatbelt;
#[cfg(any(target_os = "macos", all(unix, test)))]
mod seatbelt_profile;
#[cfg(target_os = "macos")]
pub use seatbelt::{end_by_signal, run};

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod not_offered;
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub use not_offered::run;

pub use caches::{CACHES, Cache};
pub use capability::{Capability, Imitation};
pub use error::ConfineError;
#[cfg(unix)]
pub use opening::Opening;
#[cfg(unix)]
pub use places::secrets;
#[cfg(unix)]
pub use protected::PROTECTED;
pub use report::{Denial, Ending, PutBack, Report, plain};
pub use walls::{EnvironmentRules, Limits, Network, TEMPLATES, Walls};

/// What to run, and how: the walls, the command line, and what is only there for tests.
#[derive(Clone, Debug)]
pub struct Call {
    /// What it may do.
    pub walls: Walls,
    /// Somebody has looked where all that its walls name leads, and named that: what leads elsewhere by now is not opened.
    pub is_looked_at: bool,
    /// Program and arguments, at least one word.
    pub command: Vec<std::ffi::OsString>,
    /// A folder that counts as a home folder beside that of the user database. Tests give one.
    pub also_home: Option<std::path::PathBuf>,
    /// Pretend that the kernel offers less.
    pub imitation: Imitation,
}
