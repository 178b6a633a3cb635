//! `handraise doctor`: is the gate closed, and where is it not.

mod agent;
mod here;
mod probe;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use handraise_locations::Folders;
use handraise_protocol::{CheckState as State, DoctorCheck as Check};

use super::list::{self, Row};
use super::settings_file::known_agent;
use super::{FolderArguments, say};
use crate::DONE;
use crate::show::{Line, Tone};

/// Check that everything works, and list what stays open
///
/// What is fine is only counted, unless --all is given. Exit codes: 0 nothing is wrong; 1 something is.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// List also what is fine
    #[arg(long)]
    all: bool,
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
            list::print_json(&checks)?;
        } else if checks.is_empty() {
            say("There is nothing to check: the agent is neither installed nor connected.")?;
        } else {
            list::print_lines(&told(&checks, self.all))?;
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
        checks.extend(here::surfaces(folders));
        checks
    }
}

/// What is wrong, then what should be known, then what is fine: in one line, unless `all` of it is wanted.
fn told(checks: &[Check], all: bool) -> Vec<Line> {
    let row = |check: &Check, tone, mark: &str| Row {
        cells: vec![
            Line::new(tone, mark),
            Line::new(Tone::Plain, check.name.as_str()),
            Line::new(Tone::Plain, check.finding.as_str()),
        ],
        below: Vec::new(),
    };
    let of = |state| checks.iter().filter(move |check| check.state == state);
    let mut rows: Vec<Row> = of(State::Wrong).map(|check| row(check, Tone::Warning, "WRONG")).collect();
    rows.extend(of(State::Note).map(|check| row(check, Tone::Strong, "note")));
    if all {
        rows.extend(of(State::Fine).map(|check| row(check, Tone::Added, "fine")));
        return list::table(&rows);
    }
    let mut lines = list::table(&rows);
    let fine: Vec<&str> = of(State::Fine).map(|check| check.name.as_str()).collect();
    if !fine.is_empty() {
        let words = format!("{} of {} checks: {}.", fine.len(), checks.len(), summary(&fine));
        lines.push(Line::new(Tone::Added, "fine   ").with(Tone::Plain, words));
    }
    lines
}

/// Names of checks, those with the same beginning together: `token (3)`, `Claude Code (4)`.
fn summary(names: &[&str]) -> String {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for name in names {
        let group = name.split([':', '`']).next().unwrap_or(name).trim();
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, count)) => *count += 1,
            None => groups.push((group, 1)),
        }
    }
    let told = groups.into_iter().map(|(name, count)| match count {
        1 => name.to_owned(),
        count => format!("{name} ({count})"),
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(checks: &[Check], all: bool) -> Vec<String> {
        told(checks, all).iter().map(Line::text).collect()
    }

    #[test]
    fn what_is_wrong_comes_first_and_what_is_fine_is_one_line() {
        let checks = [
            check("server", State::Fine, "It runs."),
            check("token `default`", State::Fine, "x"),
            check("token `codex`", State::Fine, "x"),
            check("tray", State::Note, "None."),
            check("policy", State::Wrong, "Line 3."),
        ];
        assert_eq!(
            texts(&checks, false),
            ["WRONG  policy  Line 3.", "note   tray    None.", "fine   3 of 5 checks: server, token (2)."]
        );
        let all = texts(&checks, true);
        assert_eq!((all.len(), all.last().unwrap().as_str()), (5, "fine   token `codex`    x"));
    }
}
