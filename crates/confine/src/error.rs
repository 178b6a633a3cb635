//! Why nothing was run.

use std::path::PathBuf;

/// Why a command was not run. Nothing of it has happened when one of these comes back.
#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    /// The walls were written for another version of this program.
    #[error("the walls have version {found}, and this program knows version 1: install both from the same release")]
    Version {
        /// The version that was found.
        found: u32,
    },
    /// The walls name no project.
    #[error("the walls name no project folder")]
    NoProject,
    /// A path has to begin at the root.
    #[error("{} is not an absolute path", .path.display())]
    NotAbsolute {
        /// The path.
        path: PathBuf,
    },
    /// A path has to lie in the project.
    #[error("{} does not lie in the project: give it relative to the project's folder, without `..`", .path.display())]
    NotInProject {
        /// The path.
        path: PathBuf,
    },
    /// A path has to lie in the folder for temporary files.
    #[error("{} does not lie below /tmp: only there may something be made that is not there yet", .path.display())]
    NotTemporary {
        /// The path.
        path: PathBuf,
    },
    /// There is no cache of this name.
    #[error("there is no cache called {name}: `handraise-confine --explain` lists them")]
    UnknownCache {
        /// The name.
        name: String,
    },
    /// A folder that is needed is not there.
    #[error("{}: {source}", .path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Somebody has put a link in its place, or on the way to it, since it was looked at.
    #[error("{} leads to {} by now, so nothing was run: ask about the call again", .path.display(), .to.display())]
    LeadsElsewhere {
        /// What the walls name.
        path: PathBuf,
        /// Where it leads.
        to: PathBuf,
    },
    /// What would be writable holds credentials, or a whole home folder.
    #[error("{} holds {}, which no command inside walls may write or read: name a narrower folder",
        .path.display(), .holds.display())]
    TooWide {
        /// What would be granted.
        path: PathBuf,
        /// What it holds.
        holds: PathBuf,
    },
    /// The kernel offers less than these walls need.
    #[error("this machine cannot hold these walls: {need}")]
    NotHeld {
        /// What is needed, and what there is.
        need: String,
        /// The name of what is missing, for programs.
        code: &'static str,
    },
    /// The project is too large to look through.
    #[error("{} has more than {limit} folders to look through for files that have to be hidden", .path.display())]
    TooManyFolders {
        /// The project.
        path: PathBuf,
        /// How many are looked through.
        limit: usize,
    },
    /// What has to be as before cannot be kept.
    #[error("{} cannot be kept as it is: {why}", .path.display())]
    CannotKeep {
        /// The place.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The walls could not be put up.
    #[error("the walls could not be put up: {step}: {why}")]
    Setup {
        /// What was being done.
        step: String,
        /// What the system says.
        why: String,
    },
    /// The command could not be started inside.
    #[error("{program}: {why}")]
    NoProgram {
        /// The program.
        program: String,
        /// What the system says.
        why: String,
        /// 127 when it is not there, 126 when it may not be run, as shells have it.
        status: u8,
    },
}

impl ConfineError {
    /// A name that stays, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Version { .. } => "walls_version",
            Self::NoProject => "no_project",
            Self::NotAbsolute { .. } => "not_absolute",
            Self::NotInProject { .. } => "not_in_project",
            Self::NotTemporary { .. } => "not_temporary",
            Self::UnknownCache { .. } => "unknown_cache",
            Self::Missing { .. } => "missing",
            Self::LeadsElsewhere { .. } => "leads_elsewhere",
            Self::TooWide { .. } => "too_wide",
            Self::NotHeld { code, .. } => code,
            Self::TooManyFolders { .. } => "too_many_folders",
            Self::CannotKeep { .. } => "cannot_keep",
            Self::Setup { .. } => "setup",
            Self::NoProgram { .. } => "no_program",
        }
    }

    /// The exit status of the program for it: 125, or what a shell has for a program that cannot be started.
    #[must_use]
    pub fn status(&self) -> u8 {
        match self {
            Self::NoProgram { status, .. } => *status,
            _ => 125,
        }
    }

    #[cfg(unix)]
    pub(crate) fn setup(step: impl Into<String>, why: impl std::fmt::Display) -> Self {
        Self::Setup { step: step.into(), why: why.to_string() }
    }
}
