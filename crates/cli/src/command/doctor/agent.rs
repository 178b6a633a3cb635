//! One agent: is it there, does it ask, and what happens when asking fails.

use std::path::Path;

use handraise_agents::{Agent, Connection, Handler};

use super::{Check, State};
use crate::command::settings_file::{SettingsFile, home};
use crate::command::{agent_program, shell_word};

/// What is found about `agent`; `settings` is another settings file than its usual one.
pub(super) fn checks(agent: &dyn Agent, settings: Option<&Path>) -> Vec<Check> {
    let name = agent.display_name();
    let version = agent_program::version(agent);
    let installed = match &version {
        Some(version) => Check::new(name, State::Fine, format!("Installed: {version}.")),
        None => Check::new(name, State::Note, format!("`{}` is not on the PATH.", agent.program())),
    };
    let mut checks = vec![installed];
    let file = match settings {
        Some(path) => SettingsFile::read(path),
        None => home().and_then(|home| SettingsFile::read(&home.join(agent.user_settings()))),
    };
    let title = format!("{name}: connection");
    let connection = file.and_then(|file| Ok(agent.connection(file.text())?));
    checks.extend(match connection {
        Ok(Some(connection)) => connected(agent, &title, version.as_deref(), &connection),
        Ok(None) => {
            let finding = format!("Its user settings do not ask Handraise. Run `handraise connect {}`.", agent.name());
            vec![Check::new(title, State::Note, finding)]
        }
        Err(error) => vec![Check::new(title, State::Wrong, format!("{error:#}."))],
    });
    checks
}

fn connected(agent: &dyn Agent, title: &str, version: Option<&str>, connection: &Connection) -> Vec<Check> {
    let again = format!("Run `handraise connect {}` again.", agent.name());
    let mut checks = vec![match (connection.switched_off, connection.every_call) {
        (true, _) => Check::new(title, State::Wrong, "Its settings switch all hooks off, so it asks nobody."),
        (false, true) => Check::new(title, State::Fine, "It asks before every call."),
        (false, false) => Check::new(title, State::Note, "It asks only about some calls."),
    }];
    let title = format!("{}: hook", agent.display_name());
    checks.push(match &connection.handler {
        Handler::Http(url) => {
            Check::new(title, State::Note, format!("It posts to {url} and cannot check who answers."))
        }
        Handler::Command(command) => hook(title, command, connection.timeout_seconds, &again),
    });
    checks.push(on_failure(agent, version, connection, &again));
    checks
}

/// The command can run, and ends before the agent stops waiting for it.
fn hook(title: String, command: &str, timeout_seconds: Option<u64>, again: &str) -> Check {
    let words = shell_word::words(command).unwrap_or_default();
    let Some(program) = words.first() else {
        return Check::new(title, State::Wrong, format!("Its command cannot be understood. {again}"));
    };
    if !is_executable(Path::new(program)) {
        let finding =
            format!("{program} is missing or cannot be run: calls may pass without being asked about. {again}");
        return Check::new(title, State::Wrong, finding);
    }
    let deadline = words.iter().skip_while(|word| *word != "--deadline").nth(1).and_then(|text| text.parse().ok());
    match (deadline, timeout_seconds) {
        (Some(deadline), Some(timeout)) if timeout <= deadline => {
            let finding = format!(
                "The agent stops waiting after {timeout} seconds, before the hook denies after {deadline}: calls that \
                 nobody answers run. {again}"
            );
            Check::new(title, State::Wrong, finding)
        }
        _ => Check::new(title, State::Fine, format!("{program} can be run.")),
    }
}

fn on_failure(agent: &dyn Agent, version: Option<&str>, connection: &Connection, again: &str) -> Check {
    let title = format!("{}: when the hook fails", agent.display_name());
    let can_block = version.map(|version| agent.can_block_on_failure(version));
    let open = "it runs the tool when the hook program is missing or killed. Keep its own permissions at \"ask\".";
    match (connection.on_failure_block, can_block) {
        (true, Some(true)) => Check::new(title, State::Fine, "It blocks the call."),
        (true, _) => {
            let finding =
                format!("Its settings say to block the call, but it is not known to understand that; if not, {open}");
            Check::new(title, State::Note, finding)
        }
        (false, Some(true)) => {
            Check::new(title, State::Note, format!("It could block the call, but its settings do not say so. {again}"))
        }
        (false, Some(false)) => Check::new(title, State::Note, format!("This version cannot block: {open} Update it.")),
        (false, None) => Check::new(title, State::Note, format!("Unless it is new enough and told to block, {open}")),
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
