//! The hook in the settings of an agent that is connected.

use anyhow::Context;
use handraise_agents::{Agent, Connection, Handler};

use super::settings_file::AgentFile;
use super::shell_word;

/// The words that run the hook, as far as they can be understood; `None` where nothing is run.
pub(crate) fn words(handler: &Handler) -> Option<Vec<String>> {
    match handler {
        Handler::Command(line) => Some(shell_word::words(line).unwrap_or_default()),
        Handler::Program(words) => Some(words.clone()),
        Handler::Http(_) => None,
    }
}

/// Seconds after which the hook that `words` run denies what nobody has answered, where they say so.
pub(crate) fn deadline(words: &[String]) -> Option<u32> {
    words.iter().skip_while(|word| *word != "--deadline").nth(1)?.parse().ok()
}

/// The same of a connection that closes in time; the hook of any other one has to be made anew.
pub(crate) fn kept_deadline(agent: &dyn Agent, connection: &Connection) -> Option<u32> {
    let seconds = deadline(&words(&connection.handler)?)?;
    (1..=agent.timing().hook_seconds).contains(&seconds).then_some(seconds)
}

/// The deadline that a person has chosen for the connection in `files`, if there is one.
///
/// # Errors
/// When a file cannot be understood.
pub(crate) fn chosen_deadline(agent: &dyn Agent, files: &[AgentFile]) -> anyhow::Result<Option<u32>> {
    for AgentFile { file, edit } in files {
        let connection = edit.connection(file.text()).with_context(|| file.path().display().to_string())?;
        if let Some(connection) = connection {
            return Ok(kept_deadline(agent, &connection));
        }
    }
    Ok(None)
}
