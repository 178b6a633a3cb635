//! Trust in hooks, for the one agent that runs no others: Codex.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use handraise_agents::Agent;
use handraise_agents::codex::trust::{self, TrustedHook};

use super::say;
use crate::command::agent_program;
use crate::command::settings_file::{Change, SettingsArguments, SettingsFile, files, home};

/// How long Codex may take to list its hooks.
const MAX_LIST: Duration = Duration::from_secs(20);

/// Whether this agent runs only hooks that are trusted.
pub(crate) fn is_needed(agent: &dyn Agent) -> bool {
    agent.name() == "codex"
}

/// Our own hooks as Codex sees them, of the settings in `folder`. `None`: it cannot be asked.
pub(crate) fn hooks(agent: &dyn Agent, settings: &Path, folder: &Path) -> Option<Vec<TrustedHook>> {
    let mut command = Command::new(agent.program());
    command.args(trust::SERVER_ARGUMENTS).current_dir(folder);
    let requests = trust::requests(folder.to_str()?);
    let hooks = agent_program::converse(command, &requests, MAX_LIST, trust::read)?;
    let prefix = format!("{}:", settings.to_str()?);
    Some(hooks.into_iter().filter(|hook| hook.key.starts_with(&prefix)).collect())
}

/// Lets the agent trust the hooks that a connection has just made, or says how the person does.
pub(crate) fn establish(agent: &dyn Agent, arguments: &SettingsArguments) -> anyhow::Result<()> {
    if !is_needed(agent) || !arguments.is_usual_place() {
        return Ok(());
    }
    let folder = arguments.folder()?;
    let by_hand = "Codex runs only hooks that are trusted, and could not be asked about them: start it, look at them with \
                   /hooks, and trust them there. Until then Codex asks nobody.";
    for agent_file in files(agent, arguments.level(), &folder)? {
        let Some(hooks) = hooks(agent, agent_file.file.path(), &folder).filter(|hooks| !hooks.is_empty()) else {
            say(by_hand)?;
            continue;
        };
        let untrusted: Vec<TrustedHook> = hooks.into_iter().filter(|hook| !hook.is_trusted).collect();
        let config = SettingsFile::read(&home()?.join(trust::CONFIG))?;
        let new = trust::trust(config.text(), &untrusted)?;
        if new != config.text() {
            say("\nCodex runs only hooks that are trusted. This trusts the ones above, as they are now:")?;
            if !arguments.apply(&[Change { file: config, new }], None)? {
                say(by_hand)?;
            }
        }
    }
    Ok(())
}

/// The change that lets the agent trust our hooks, when there is any to make.
pub(crate) fn missing(agent: &dyn Agent, arguments: &SettingsArguments) -> anyhow::Result<Option<Change>> {
    if !is_needed(agent) || !arguments.is_usual_place() {
        return Ok(None);
    }
    let folder = arguments.folder()?;
    let mut untrusted = Vec::new();
    for agent_file in files(agent, arguments.level(), &folder)? {
        let known = hooks(agent, agent_file.file.path(), &folder).unwrap_or_default();
        untrusted.extend(known.into_iter().filter(|hook| !hook.is_trusted));
    }
    let config = SettingsFile::read(&home()?.join(trust::CONFIG))?;
    let new = trust::trust(config.text(), &untrusted)?;
    Ok((new != config.text()).then_some(Change { file: config, new }))
}

/// The change that takes the trust in our hooks back, when there is any. To be called before the
/// hooks themselves are gone.
pub(crate) fn withdrawal(agent: &dyn Agent, arguments: &SettingsArguments) -> anyhow::Result<Option<Change>> {
    if !is_needed(agent) || !arguments.is_usual_place() {
        return Ok(None);
    }
    let folder = arguments.folder()?;
    let config = SettingsFile::read(&home()?.join(trust::CONFIG))?;
    let mut keys = Vec::new();
    for agent_file in files(agent, arguments.level(), &folder)? {
        let file = agent_file.file;
        let is_only_ours = agent_file.edit.disconnect(file.text())?.trim().is_empty();
        match file.path().to_str() {
            Some(path) if is_only_ours && !file.text().is_empty() => keys.extend(trust::keys_of(config.text(), path)),
            _ => {
                let known = hooks(agent, file.path(), &folder).unwrap_or_default();
                keys.extend(known.into_iter().map(|hook| hook.key));
            }
        }
    }
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let new = trust::distrust(config.text(), &keys)?;
    Ok((new != config.text()).then_some(Change { file: config, new }))
}
