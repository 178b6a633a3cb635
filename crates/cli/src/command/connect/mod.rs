//! `handraise connect`: makes an agent ask.

pub(crate) mod trust;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use handraise_agents::{Agent, ConnectOptions, HttpHandler};
use handraise_locations::EndpointFile;

use super::settings_file::{AgentFile, Change, SettingsArguments, chosen, root};
use super::{FolderArguments, agent_program, complain, connected_hook, list, say, shell_word, time_limits};
use crate::DONE;
use crate::client::{ClientError, Token};

/// Make an agent ask Handraise before it acts
///
/// Shows the exact change to the agent's settings and asks before it makes it.
#[derive(Debug, Args)]
pub(crate) struct Connect {
    /// Name of the agent: `claude-code` for Claude Code
    #[arg(required_unless_present = "all")]
    agent: Option<String>,
    /// Every agent that is installed
    #[arg(long, conflicts_with = "agent")]
    all: bool,
    /// Ask only where the agent would ask you itself, instead of before every call
    #[arg(long)]
    only_what_agent_asks: bool,
    /// Let the agent ask over HTTP instead of running this program; it then cannot check that it is
    /// Handraise that answers
    #[arg(long)]
    http: bool,
    /// Deny a call when nobody has answered it after so many seconds [default: as it is connected now, or
    /// a little less than the agent waits]
    #[arg(long, value_name = "SECONDS", conflicts_with = "http", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    deadline: Option<u32>,
    #[command(flatten)]
    settings: SettingsArguments,
}

impl Connect {
    /// Connects.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let agents = chosen(self.agent.as_deref())?;
        if !self.all {
            for agent in agents {
                self.connect(agent, folders)?;
            }
            return Ok(DONE);
        }
        let (installed, missing): (Vec<_>, Vec<_>) =
            agents.into_iter().partition(|agent| agent_program::is_installed(*agent));
        let mut code = DONE;
        for agent in installed {
            // What one agent cannot do is no reason to leave the others open.
            if let Err(error) = self.connect(agent, folders) {
                complain(&error.context(format!("{} is not connected", agent.display_name())));
                code = ExitCode::from(1);
            }
        }
        let names: Vec<&str> = missing.iter().map(|agent| agent.display_name()).collect();
        if !names.is_empty() {
            say(&format!("Not installed: {}.", names.join(", ")))?;
        }
        Ok(code)
    }

    /// For the whole machine: hooks stay on, whatever a project says.
    fn pin(&self, agent: &dyn Agent) -> anyhow::Result<()> {
        let mut changes = Vec::new();
        let options = ConnectOptions::default();
        for AgentFile { file, edit } in self.settings.read(agent)? {
            let new = edit.connect(file.text(), &options).with_context(|| file.path().display().to_string())?;
            if new != file.text() {
                changes.push(Change { file, new });
            }
        }
        if self.settings.json {
            return list::print_json(&self.settings.answer(agent, &changes, None)?);
        }
        let name = agent.display_name();
        if changes.is_empty() {
            return say(&format!("It is laid down already that the hooks of {name} stay on. Nothing to change."));
        }
        say(&format!("This holds for everybody on this machine: no project switches the hooks of {name} off."))?;
        if self.settings.apply(&changes, None)? {
            say(&format!("To undo: `handraise disconnect {} --system`.", agent.name()))?;
        }
        Ok(())
    }

    fn connect(&self, agent: &dyn Agent, folders: &FolderArguments) -> anyhow::Result<()> {
        if self.settings.system {
            return self.pin(agent);
        }
        let version = agent_program::version(agent);
        let http = if self.http { Some(http_handler(agent, folders)?) } else { None };
        let files = self.settings.read(agent)?;
        let deadline = match self.deadline {
            None => connected_hook::chosen_deadline(agent, &files)?,
            given => given,
        };
        let options = options(agent, version.as_deref(), self.only_what_agent_asks, deadline, http, folders)?;
        let mut changes = Vec::new();
        for agent_file in files {
            let file = agent_file.file;
            let new =
                agent_file.edit.connect(file.text(), &options).with_context(|| file.path().display().to_string())?;
            if new != file.text() {
                changes.push(Change { file, new });
            }
        }
        if self.settings.json {
            if changes.is_empty() {
                // Hooks can be trusted only once they are there.
                changes.extend(trust::missing(agent, &self.settings)?);
            }
            let secret = options.http.as_ref().map(|http| http.token.as_str());
            return list::print_json(&self.settings.answer(agent, &changes, secret)?);
        }
        if changes.is_empty() {
            say(&format!("{} is connected already. Nothing to change.", agent.display_name()))?;
            return trust::establish(agent, &self.settings);
        }
        let secret = options.http.as_ref().map(|http| http.token.as_str());
        if self.settings.apply(&changes, secret)? {
            trust::establish(agent, &self.settings)?;
            say(&next_steps(
                agent,
                version.as_deref(),
                &options,
                deadline.unwrap_or(agent.timing().hook_seconds),
                folders,
            ))?;
        }
        Ok(())
    }
}

/// How this program connects `agent`. After `deadline` seconds a call that nobody answered is denied.
pub(super) fn options(
    agent: &dyn Agent,
    version: Option<&str>,
    only_what_agent_asks: bool,
    deadline: Option<u32>,
    http: Option<HttpHandler>,
    folders: &FolderArguments,
) -> anyhow::Result<ConnectOptions> {
    let longest = agent.timing().hook_seconds;
    let deadline = deadline.unwrap_or(longest);
    if deadline > longest {
        bail!(
            "{} stops waiting before {deadline} seconds and lets the call run; choose a --deadline of at most {longest}",
            agent.display_name()
        );
    }
    let words = hook_command(agent, deadline, folders)?;
    Ok(ConnectOptions {
        command: words.iter().map(|word| shell_word::quote(word)).collect::<Vec<_>>().join(" "),
        words,
        timeout_seconds: agent.timing().agent_seconds,
        on_failure_block: version.is_some_and(|version| agent.can_block_on_failure(version)),
        only_what_agent_asks,
        http,
    })
}

/// The command that the agent is to run: the small program beside this one, or this very program; with
/// the folders that it was given.
fn hook_command(agent: &dyn Agent, deadline: u32, folders: &FolderArguments) -> anyhow::Result<Vec<String>> {
    let own = std::env::current_exe().context("this program does not know where it is")?;
    // Small and quick to start, and does the same.
    let small = own.with_file_name(format!("handraise-hook{}", std::env::consts::EXE_SUFFIX));
    let program = if small.is_file() { small } else { own };
    let deadline = deadline.to_string();
    let mut words = vec![text(&program)?];
    words.extend(["hook", agent.name(), "--deadline", &deadline].map(str::to_owned));
    for (flag, folder) in folders.given() {
        words.extend([flag.to_owned(), text(&std::path::absolute(folder)?)?]);
    }
    Ok(words)
}

fn text(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8; settings cannot name it", path.display()))?;
    Ok(text.to_owned())
}

fn http_handler(agent: &dyn Agent, folders: &FolderArguments) -> anyhow::Result<HttpHandler> {
    let folders = folders.folders()?;
    let endpoint = EndpointFile::read(&folders).map_err(|_| ClientError::NotRunning)?;
    let token = Token::read(&folders.token_file(agent.name()))?;
    Ok(HttpHandler {
        url: format!("http://{}/v1/hooks/{}", endpoint.address, agent.name()),
        token: token.text().to_owned(),
    })
}

fn next_steps(
    agent: &dyn Agent,
    version: Option<&str>,
    options: &ConnectOptions,
    deadline: u32,
    folders: &FolderArguments,
) -> String {
    let name = agent.display_name();
    let when = if options.only_what_agent_asks { "where it would ask you itself" } else { "before every call" };
    let mut steps =
        vec![format!("\n{name} now asks Handraise {when}. While Handraise is not running, those calls are denied.")];
    if let Some(limits) = folders.folders().ok().map(|folders| time_limits::told(agent, deadline, &folders)) {
        steps.push(limits);
    }
    if !agent.off_switches().is_empty() && !handraise_server::projects::is_pinned(agent, &root()) {
        let files: BTreeSet<&str> = agent.off_switches().iter().map(|switch| switch.file).collect();
        let files = files.into_iter().collect::<Vec<_>>().join(", ");
        let forbid = match agent.system_files().is_empty() {
            true => "nothing forbids that; `handraise doctor` tells of such projects".to_owned(),
            false => {
                format!("`handraise connect {} --system` forbids that, for everybody on this machine", agent.name())
            }
        };
        steps.push(format!("A project's own files ({files}) can switch these hooks off: {forbid}."));
    }
    match version {
        Some(version) => steps.push(format!("What stays open with {name} ({version}):")),
        None => steps.push(format!("{name} was not found on the PATH, so its version is unknown. What stays open:")),
    }
    steps.extend(agent.stays_open(version).iter().map(|sentence| format!("- {sentence}")));
    steps.push(format!("To check: `handraise doctor`. To undo: `handraise disconnect {}`.", agent.name()));
    steps.join("\n")
}
