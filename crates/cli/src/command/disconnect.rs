//! `handraise disconnect`: takes back what `connect` did.

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use handraise_agents::Agent;

use super::connect::trust;
use super::settings_file::{Change, SettingsArguments, chosen};
use super::{complain, list, say};
use crate::DONE;

/// Take back what `connect` changed in an agent's settings
#[derive(Debug, Args)]
pub(crate) struct Disconnect {
    /// Name of the agent: `claude-code` for Claude Code
    #[arg(required_unless_present = "all")]
    agent: Option<String>,
    /// Every agent that is connected
    #[arg(long, conflicts_with = "agent")]
    all: bool,
    #[command(flatten)]
    settings: SettingsArguments,
}

impl Disconnect {
    /// Disconnects.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut code = DONE;
        for agent in chosen(self.agent.as_deref())? {
            match self.disconnect(agent) {
                Err(error) if self.all => {
                    complain(&error.context(format!("{} is not disconnected", agent.display_name())));
                    code = ExitCode::from(1);
                }
                other => other?,
            }
        }
        Ok(code)
    }

    fn disconnect(&self, agent: &dyn Agent) -> anyhow::Result<()> {
        let mut changes = Vec::new();
        for agent_file in self.settings.read(agent)? {
            let file = agent_file.file;
            let new = agent_file.edit.disconnect(file.text()).with_context(|| file.path().display().to_string())?;
            if new != file.text() {
                changes.push(Change { file, new });
            }
        }
        if self.settings.json {
            if !changes.is_empty() {
                changes.extend(trust::withdrawal(agent, &self.settings)?);
            }
            return list::print_json(&self.settings.answer(agent, &changes, None)?);
        }
        if changes.is_empty() {
            if self.settings.system {
                return say("No settings for the whole machine were made by Handraise. Nothing to change.");
            }
            if !self.all {
                say(&format!("{} is not connected. Nothing to change.", agent.display_name()))?;
            }
            return Ok(());
        }
        changes.extend(trust::withdrawal(agent, &self.settings)?);
        if self.settings.apply(&changes, None)? {
            say(&match self.settings.system {
                true => format!("\nA project may switch the hooks of {} off again.", agent.display_name()),
                false => format!("\n{} no longer asks Handraise.", agent.display_name()),
            })?;
        }
        Ok(())
    }
}
