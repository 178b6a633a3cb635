//! `handraise doctor`: is the gate closed, and where is it not.

mod agent;
mod here;
mod probe;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use handraise_locations::Folders;
use handraise_protocol::{CheckState as State, DoctorCheck as Check};

use super::settings_file::known_agent;
use super::{FolderArguments, say};
use crate::DONE;

/// Check that everything works, and list what stays open
///
/// Exit code 1 when something is wrong.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Only this agent
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Another settings file of Claude Code than the usual one
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

fn check(name: impl Into<String>, state: State, finding: impl Into<String>) -> Check {
    Check { agent: None, name: name.into(), state, finding: finding.into() }
}

impl Doctor {
    /// Checks, and prints what was found.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let checks = match &self.agent {
            // The other file is one of Claude Code.
            Some(name) => {
                let settings = self.settings.as_deref().filter(|_| name == "claude-code");
                agent::checks(known_agent(name)?, settings, folders.folders().ok().as_ref())
            }
            None => self.everything(&folders.folders()?),
        };
        if self.json {
            say(&serde_json::to_string_pretty(&checks)?)?;
        } else {
            say(&table(&checks))?;
        }
        let wrong = checks.iter().any(|check| check.state == State::Wrong);
        Ok(if wrong { ExitCode::from(1) } else { DONE })
    }

    fn everything(&self, folders: &Folders) -> Vec<Check> {
        let mut checks = here::checks(folders);
        let mut absent = Vec::new();
        for agent in handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name)) {
            let settings = self.settings.as_deref().filter(|_| agent.name() == "claude-code");
            let found = agent::checks(agent, settings, Some(folders));
            if found.is_empty() {
                absent.push(agent.display_name());
            }
            checks.extend(found);
        }
        if !absent.is_empty() {
            checks.push(check("other agents", State::Note, format!("Not installed: {}.", absent.join(", "))));
        }
        checks.push(here::desktop());
        checks
    }
}

fn table(checks: &[Check]) -> String {
    let width = checks.iter().map(|check| check.name.chars().count()).max().unwrap_or(0);
    let lines = checks.iter().map(|check| {
        let mark = match check.state {
            State::Fine => "fine ",
            State::Note => "note ",
            State::Wrong => "WRONG",
        };
        format!("{mark}  {:width$}  {}", check.name, check.finding)
    });
    lines.collect::<Vec<_>>().join("\n")
}
