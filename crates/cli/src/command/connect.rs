//! `handraise connect`: makes an agent ask.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use handraise_agents::{Agent, ConnectOptions, HttpHandler};
use handraise_locations::EndpointFile;

use super::settings_file::{SettingsArguments, known_agent, nothing_to_change};
use super::{FolderArguments, agent_program, say, shell_word};
use crate::DONE;
use crate::client::{ClientError, Token};

/// Seconds that the agent waits for the hook.
const AGENT_WAITS_SECONDS: u32 = 600;
/// Seconds after which the hook denies: early enough that the agent still listens.
const HOOK_DEADLINE_SECONDS: u32 = 590;

/// Make an agent ask Handraise before it acts
///
/// Shows the exact change to the agent's settings and asks before it makes it.
#[derive(Debug, Args)]
pub(crate) struct Connect {
    /// The agent, as `claude-code`
    agent: String,
    /// Ask only where the agent would ask you itself, instead of before every call
    #[arg(long)]
    only_what_agent_asks: bool,
    /// Let the agent ask over HTTP instead of running this program; it then cannot check that it is
    /// Handraise that answers
    #[arg(long)]
    http: bool,
    #[command(flatten)]
    settings: SettingsArguments,
}

impl Connect {
    /// Connects.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let agent = known_agent(&self.agent)?;
        let version = agent_program::version(agent);
        let http = if self.http { Some(http_handler(agent, folders)?) } else { None };
        let options = ConnectOptions {
            command: hook_command(agent, folders)?,
            timeout_seconds: AGENT_WAITS_SECONDS,
            on_failure_block: version.as_deref().is_some_and(|version| agent.can_block_on_failure(version)),
            only_what_agent_asks: self.only_what_agent_asks,
            http,
        };
        let file = self.settings.read(agent)?;
        let new = agent.connect(file.text(), &options).with_context(|| file.path().display().to_string())?;
        if new == file.text() {
            return nothing_to_change(&format!("{} is connected already.", agent.display_name()));
        }
        let secret = options.http.as_ref().map(|http| http.token.as_str());
        if self.settings.apply(&file, &new, secret)? {
            say(&next_steps(agent, version.as_deref(), &options))?;
        }
        Ok(DONE)
    }
}

/// The command line that the agent is to run: this very program, with the folders that it was given.
fn hook_command(agent: &dyn Agent, folders: &FolderArguments) -> anyhow::Result<String> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let mut command = format!("{} hook {} --deadline {HOOK_DEADLINE_SECONDS}", word(&program)?, agent.name());
    for (flag, folder) in folders.given() {
        command.push_str(&format!(" {flag} {}", word(&std::path::absolute(folder)?)?));
    }
    Ok(command)
}

fn word(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8; settings cannot name it", path.display()))?;
    Ok(shell_word::quote(text))
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

fn next_steps(agent: &dyn Agent, version: Option<&str>, options: &ConnectOptions) -> String {
    let name = agent.display_name();
    let when = if options.only_what_agent_asks { "where it would ask you itself" } else { "before every call" };
    let mut steps =
        vec![format!("\n{name} now asks Handraise {when}. While Handraise is not running, those calls are denied.")];
    if !options.on_failure_block {
        let which = match version {
            Some(version) => format!("This version of {name} ({version})"),
            None => format!("{name} was not found on the PATH, so its version is unknown. An old one"),
        };
        steps.push(format!(
            "{which} runs a tool when the hook program is missing or killed. Keep its own permissions at \"ask\", \
             and connect again after an update."
        ));
    }
    steps.push(format!("To check: `handraise doctor`. To undo: `handraise disconnect {}`.", agent.name()));
    steps.join("\n")
}
