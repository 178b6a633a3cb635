//! Agents that run the hooks in another agent's settings besides their own.

use std::path::Path;

use handraise_agents::{Agent, Level};
use handraise_locations::{home, matching};

/// Whether the agent's own settings ask about every call, so that a hook in another agent's settings
/// would ask a second time. When in doubt it does not.
pub(crate) fn asks_itself(agent: &dyn Agent, agents_home: Option<&Path>) -> bool {
    let Some(home) = agents_home.map(Path::to_owned).or_else(|| home().ok()) else { return false };
    agent.files(Level::User).into_iter().any(|managed| {
        matching(&home, managed.path).iter().any(|path| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            let connection = managed.text.connection(&text).ok().flatten();
            connection.is_some_and(|connection| connection.every_call && !connection.switched_off)
        })
    })
}
