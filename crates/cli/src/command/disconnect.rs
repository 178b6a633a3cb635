//! `handraise disconnect`: takes back what `connect` did.

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::say;
use super::settings_file::{SettingsArguments, known_agent, nothing_to_change};
use crate::DONE;

/// Take back what `connect` changed in an agent's settings
#[derive(Debug, Args)]
pub(crate) struct Disconnect {
    /// The agent, as `claude-code`
    agent: String,
    #[command(flatten)]
    settings: SettingsArguments,
}

impl Disconnect {
    /// Disconnects.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let agent = known_agent(&self.agent)?;
        let file = self.settings.read(agent)?;
        let new = agent.disconnect(file.text()).with_context(|| file.path().display().to_string())?;
        if new == file.text() {
            return nothing_to_change(&format!("{} is not connected.", agent.display_name()));
        }
        if self.settings.apply(&file, &new, None)? {
            say(&format!("\n{} no longer asks Handraise.", agent.display_name()))?;
        }
        Ok(DONE)
    }
}
