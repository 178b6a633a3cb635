//! `handraise completions` and `handraise manual`: made from the commands themselves.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use super::say;
use crate::DONE;

/// The name that everything is made for.
const PROGRAM: &str = "handraise";

/// Print what makes a shell complete these commands
///
/// For bash: handraise completions bash > ~/.local/share/bash-completion/completions/handraise
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the manual pages into a folder, one for each command
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// The folder; it is made when it is not there
    folder: PathBuf,
}

impl Completions {
    /// Prints the script.
    pub(crate) fn run(self, mut commands: Command) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut commands, PROGRAM, &mut script);
        say(String::from_utf8_lossy(&script).trim_end())?;
        Ok(DONE)
    }
}

impl Manual {
    /// Writes the pages.
    pub(crate) fn run(self, commands: Command) -> anyhow::Result<ExitCode> {
        let folder = &self.folder;
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        clap_mangen::generate_to(commands, folder)
            .with_context(|| format!("cannot write into {}", folder.display()))?;
        Ok(DONE)
    }
}
