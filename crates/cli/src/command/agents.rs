//! `handraise agents`: which agents there are, and which of them ask.

use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use clap::Args;
use handraise_agents::{Agent, Connection, Handler, Level};
use handraise_protocol::{AgentConnection, AgentOverview, ConnectionLevel, ConnectionState};
use handraise_server::projects::{self, HooksOff};

use super::settings_file::{AgentFile, files, home, root};
use super::{FolderArguments, agent_program, connect, connected_hook, say};
use crate::DONE;

/// List the agents and which of them are connected
///
/// Looks at their settings only; `handraise doctor` tries them out.
#[derive(Debug, Args)]
pub(crate) struct Agents {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Agents {
    /// Prints the list.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let agents = handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name));
        // Each program is asked for its version, which takes some of them a while.
        let overviews: Vec<AgentOverview> = thread::scope(|scope| {
            let looking: Vec<_> = agents.map(|agent| scope.spawn(move || overview(agent, folders))).collect();
            looking.into_iter().filter_map(|look| look.join().ok()).collect()
        });
        if self.json {
            say(&serde_json::to_string_pretty(&overviews)?)?;
        } else {
            let width = overviews.iter().map(|agent| agent.display_name.chars().count()).max().unwrap_or(0);
            for agent in &overviews {
                say(&format!("{:width$}  {}", agent.display_name, state(agent)))?;
            }
        }
        Ok(DONE)
    }
}

fn overview(agent: &'static dyn Agent, folders: &FolderArguments) -> AgentOverview {
    let version = agent_program::version(agent);
    let (connections, problem) = match connections(agent, version.as_deref(), folders) {
        Ok(connections) => (connections, None),
        Err(error) => (Vec::new(), Some(format!("{error:#}"))),
    };
    AgentOverview {
        name: agent.name().to_owned(),
        display_name: agent.display_name().to_owned(),
        is_installed: agent_program::is_installed(agent),
        has_own_questions: agent.has_own_questions(),
        connections,
        stays_open: hooks_off(agent)
            .iter()
            .map(HooksOff::sentence)
            .chain(agent.stays_open(version.as_deref()).into_iter().map(str::to_owned))
            .collect(),
        hooks_stay_on: (!agent.system_files().is_empty()).then(|| projects::is_pinned(agent, &root())),
        version,
        problem,
    }
}

/// Projects that switch the hooks of `agent` off: this one, and those that agents have worked in.
pub(super) fn hooks_off(agent: &'static dyn Agent) -> Vec<HooksOff> {
    let Ok(home) = home() else { return Vec::new() };
    if projects::is_pinned(agent, &root()) {
        return Vec::new();
    }
    let folders = std::env::current_dir().into_iter().chain(projects::known(&home));
    projects::hooks_off(&[agent], folders, &home)
}

/// Of the user, and of the project in this folder.
fn connections(
    agent: &dyn Agent,
    version: Option<&str>,
    folders: &FolderArguments,
) -> anyhow::Result<Vec<AgentConnection>> {
    let home = home()?;
    let mut found = in_folder(agent, version, Level::User, &home, folders)?;
    if let Some(here) = std::env::current_dir().ok().filter(|here| *here != home) {
        found.extend(in_folder(agent, version, Level::Project, &here, folders)?);
    }
    Ok(found)
}

fn in_folder(
    agent: &dyn Agent,
    version: Option<&str>,
    level: Level,
    folder: &Path,
    folders: &FolderArguments,
) -> anyhow::Result<Vec<AgentConnection>> {
    let mut found = Vec::new();
    for AgentFile { file, edit } in files(agent, level, folder)? {
        let path = file.path().display().to_string();
        let Some(connection) = edit.connection(file.text()).with_context(|| path.clone())? else { continue };
        let deadline = connected_hook::kept_deadline(agent, &connection);
        let Connection { every_call, switched_off, handler, .. } = connection;
        // One that posts to a server cannot be made anew without that server.
        let is_up_to_date = matches!(handler, Handler::Http(_)) || {
            let only_what_agent_asks = agent.has_own_questions() && !every_call;
            let options = connect::options(agent, version, only_what_agent_asks, deadline, None, folders)?;
            edit.connect(file.text(), &options).with_context(|| path.clone())? == file.text()
        };
        let state = match (switched_off, is_up_to_date) {
            (true, _) => ConnectionState::SwitchedOff,
            (false, true) => ConnectionState::UpToDate,
            (false, false) => ConnectionState::OutOfDate,
        };
        let level = match level {
            Level::User => ConnectionLevel::User,
            Level::Project => ConnectionLevel::Project,
        };
        found.push(AgentConnection { level, file: path, every_call, state });
    }
    Ok(found)
}

fn state(agent: &AgentOverview) -> String {
    let version = agent.version.as_deref().map(|version| format!(" ({version})")).unwrap_or_default();
    if let Some(problem) = &agent.problem {
        return format!("its settings cannot be read: {problem}");
    }
    if agent.connections.is_empty() {
        return if agent.is_installed { format!("not connected{version}") } else { "not installed".to_owned() };
    }
    let told = agent.connections.iter().map(|connection| {
        let whose = match connection.level {
            ConnectionLevel::User => "for you",
            ConnectionLevel::Project => "for this project",
        };
        let what = match (connection.state, connection.every_call) {
            (ConnectionState::SwitchedOff, _) => "its settings switch all hooks off",
            (ConnectionState::OutOfDate, _) => "out of date, connect it again",
            (ConnectionState::UpToDate, true) => "every call",
            (ConnectionState::UpToDate, false) => "only some calls",
        };
        format!("connected {whose}: {what}")
    });
    let mut told: Vec<String> = told.collect();
    // One agent may have several files.
    told.dedup();
    format!("{}{version}", told.join("; "))
}
