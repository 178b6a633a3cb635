//! `handraise hook`: the same as the program `handraise-hook`, which starts quicker.

use std::process::ExitCode;

use clap::Args;
use handraise_hook::{BLOCKED, DEADLINE, MAX_DEADLINE};

use super::FolderArguments;

/// Answer an agent's hook (`connect` puts this, or `handraise-hook`, into the agent's settings)
#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// Name of the agent: `claude-code` for Claude Code
    agent: String,
    /// Seconds until the call is denied; must end before the agent stops waiting
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = DEADLINE,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEADLINE)),
    )]
    deadline: u32,
}

/// A hook that is called wrongly blocks the call like any other hook that fails.
pub(crate) fn blocked() -> ExitCode {
    ExitCode::from(BLOCKED)
}

impl Hook {
    /// Answers the agent.
    pub(crate) fn run(self, folders: &FolderArguments) -> ExitCode {
        let Self { agent, deadline } = self;
        let agents_home = folders.agents_home.clone();
        handraise_hook::Hook { agent, deadline, folders: folders.folders(), agents_home }.run()
    }
}
