//! `handraise doctor`: is the gate closed, and where is it not.

mod agent;
mod here;
mod probe;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::{FolderArguments, say};
use crate::DONE;

/// Check that everything works, and say plainly what stays open
///
/// Exit code 1 when something is wrong.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Another settings file of Claude Code than the usual one
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

/// What was found about one thing.
#[derive(Debug, Serialize)]
struct Check {
    /// The agent that it is about, as `claude-code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'static str>,
    /// What was looked at.
    name: String,
    /// How it is.
    state: State,
    /// What was found, and what to do.
    finding: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// As it should be.
    Fine,
    /// Worth knowing.
    Note,
    /// To be repaired.
    Wrong,
}

impl Check {
    fn new(name: impl Into<String>, state: State, finding: impl Into<String>) -> Self {
        Self { agent: None, name: name.into(), state, finding: finding.into() }
    }
}

impl Doctor {
    /// Checks, and prints what was found.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let folders = folders.folders()?;
        let mut checks = here::checks(&folders);
        let mut absent = Vec::new();
        for agent in handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name)) {
            // The other file is one of Claude Code.
            let settings = self.settings.as_deref().filter(|_| agent.name() == "claude-code");
            let found = agent::checks(agent, settings);
            if found.is_empty() {
                absent.push(agent.display_name());
            }
            checks.extend(found);
        }
        if !absent.is_empty() {
            checks.push(Check::new("other agents", State::Note, format!("Not installed: {}.", absent.join(", "))));
        }
        checks.push(here::desktop());
        if self.json {
            say(&serde_json::to_string_pretty(&checks)?)?;
        } else {
            say(&table(&checks))?;
        }
        let wrong = checks.iter().any(|check| check.state == State::Wrong);
        Ok(if wrong { ExitCode::from(1) } else { DONE })
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
