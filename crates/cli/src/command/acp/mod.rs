//! `handraise acp`: stands between a client of the Agent Client Protocol and its agent.

mod conversation;
mod elicitation;
mod line;
mod program;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use super::FolderArguments;
use crate::runtime::runtime;
use conversation::Conversation;

/// Stand between an editor and its agent, and answer the agent's permission requests (Agent Client Protocol)
///
/// Put this in place of the agent's command in the editor's settings. Everything passes through as it
/// is, except the agent's permission requests: those are answered by the policy or by you in
/// Handraise. While Handraise does not run they are answered with "cancelled", and nothing is approved.
/// What else the agent wants to know from you, you answer in Handraise or in the editor.
///
/// Exit code: that of the agent; 1 when it cannot be started.
#[derive(Debug, Args)]
pub(crate) struct Acp {
    /// Name of the agent for the policy, as `gemini-cli` [default: the name of its program]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The agent and its arguments, after `--`
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Acp {
    /// Runs until the agent ends.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let program = self.command.first().map(Path::new).and_then(Path::file_stem);
        let name = self.agent.or_else(|| Some(program?.to_string_lossy().into_owned())).unwrap_or_default();
        let folders = folders.folders()?;
        let runtime = runtime()?;
        let ended = runtime.block_on(Conversation::run(name, folders, &self.command));
        // Reading from the client cannot be interrupted.
        runtime.shutdown_background();
        Ok(ExitCode::from(ended?))
    }
}
