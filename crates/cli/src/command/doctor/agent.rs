//! One agent: is it there, does it ask, and what happens when asking fails.

use std::path::{Path, PathBuf};

use anyhow::Context;
use handraise_agents::{Agent, Connection, Handler, Level};
use handraise_locations::Folders;
use handraise_server::projects::HooksOff;

use super::{Check, State, probe};
use crate::command::agents::hooks_off;
use crate::command::connect::trust;
use crate::command::settings_file::{AgentFile, SettingsFile, files, home, root};
use crate::command::time_limits::TimeLimits;
use crate::command::{agent_program, connected_hook};

/// What is found about `agent`; `settings` is another settings file than its usual one. Nothing about
/// an agent that is neither installed nor connected.
pub(super) fn checks(agent: &'static dyn Agent, settings: Option<&Path>, folders: Option<&Folders>) -> Vec<Check> {
    let name = agent.display_name();
    let version = agent_program::version(agent);
    let connections = connections(agent, settings);
    let is_connected = !matches!(&connections, Ok(found) if found.is_empty());
    let installed = match &version {
        Some(version) => super::check(name, State::Fine, format!("Installed: {version}.")),
        None if agent_program::is_installed(agent) => {
            super::check(name, State::Note, format!("`{} --version` tells nothing.", agent.program()))
        }
        None if is_connected => super::check(name, State::Note, format!("`{}` is not on the PATH.", agent.program())),
        None => return Vec::new(),
    };
    let mut checks = vec![installed];
    let title = format!("{name}: connection");
    match connections {
        Ok(found) if found.is_empty() => {
            let finding = format!("Its settings do not ask Handraise. Run `handraise connect {}`.", agent.name());
            checks.push(super::check(title, State::Note, finding));
        }
        Ok(found) => {
            for FoundConnection { level, file, connection } in &found {
                checks.extend(connected(agent, &title, version.as_deref(), connection, folders));
                if trust::is_needed(agent) && settings.is_none() {
                    checks.push(trusted(agent, *level, file));
                }
            }
            if [Level::User, Level::Project].iter().all(|level| found.iter().any(|found| found.level == *level)) {
                let finding = format!(
                    "It is connected for you and for this project, and may ask twice. Run `handraise disconnect {} \
                     --project`.",
                    agent.name()
                );
                checks.push(super::check(title.as_str(), State::Note, finding));
            }
            checks.extend(projects(agent));
            let open = agent.stays_open(version.as_deref());
            let title = format!("{name}: stays open");
            checks.extend(open.iter().map(|sentence| super::check(title.as_str(), State::Note, *sentence)));
        }
        Err(error) => checks.push(super::check(title, State::Wrong, format!("{error:#}."))),
    }
    checks.into_iter().map(|check| Check { agent: Some(agent.name().to_owned()), ..check }).collect()
}

/// A connection, and where it is.
struct FoundConnection {
    level: Level,
    file: PathBuf,
    connection: Connection,
}

/// Every connection of `agent`: of the user, and of the project in this folder.
fn connections(agent: &dyn Agent, settings: Option<&Path>) -> anyhow::Result<Vec<FoundConnection>> {
    let mut places = Vec::new();
    match (settings, agent.files(Level::User).into_iter().next()) {
        (Some(path), Some(first)) => {
            places.push((Level::User, AgentFile { file: SettingsFile::read(path)?, edit: first.text }));
        }
        _ => {
            let home = home()?;
            places.extend(files(agent, Level::User, &home)?.into_iter().map(|file| (Level::User, file)));
            let here = std::env::current_dir().ok().filter(|here| *here != home);
            let here = here.map(|here| files(agent, Level::Project, &here)).transpose()?.unwrap_or_default();
            places.extend(here.into_iter().map(|file| (Level::Project, file)));
        }
    }
    let mut found = Vec::new();
    for (level, AgentFile { file, edit }) in places {
        let connection = edit.connection(file.text()).with_context(|| file.path().display().to_string())?;
        found.extend(connection.map(|connection| FoundConnection { level, file: file.path().to_owned(), connection }));
    }
    Ok(found)
}

/// Codex skips hooks that are not trusted without a word.
fn trusted(agent: &dyn Agent, level: Level, file: &Path) -> Check {
    let title = format!("{}: trust", agent.display_name());
    let again = format!("Run `handraise connect {}` again, or trust them with /hooks in Codex.", agent.name());
    let folder = match level {
        Level::User => home(),
        Level::Project => std::env::current_dir().map_err(Into::into),
    };
    match folder.ok().and_then(|folder| trust::hooks(agent, file, &folder)) {
        None => {
            super::check(title, State::Note, "Codex could not be asked whether it trusts the hooks; look with /hooks.")
        }
        Some(hooks) if hooks.is_empty() => {
            super::check(title, State::Wrong, format!("Codex does not see the hooks in {}. {again}", file.display()))
        }
        Some(hooks) if hooks.iter().all(|hook| hook.is_trusted) => {
            super::check(title, State::Fine, "Codex trusts the hooks, so it runs them.")
        }
        Some(_) => {
            super::check(title, State::Wrong, format!("Codex does not trust the hooks, so it asks nobody. {again}"))
        }
    }
}

/// Whether a project's own files switch the hooks off, or could.
fn projects(agent: &'static dyn Agent) -> Vec<Check> {
    if agent.off_switches().is_empty() {
        return Vec::new();
    }
    let title = format!("{}: projects", agent.display_name());
    if handraise_server::projects::is_pinned(agent, &root()) {
        return vec![super::check(title, State::Fine, "It is laid down for this machine that its hooks stay on.")];
    }
    let forbid = match agent.system_files().is_empty() {
        true => "Nothing forbids that; look at such a file before you work there.".to_owned(),
        false => format!("`handraise connect {} --system` forbids it for every project.", agent.name()),
    };
    let off = hooks_off(agent);
    if off.is_empty() {
        let finding = format!("None that is known switches its hooks off, but any clone can. {forbid}");
        return vec![super::check(title, State::Note, finding)];
    }
    let wrong = |found: &HooksOff| super::check(title.as_str(), State::Wrong, format!("{} {forbid}", found.sentence()));
    off.iter().map(wrong).collect()
}

fn connected(
    agent: &dyn Agent,
    title: &str,
    version: Option<&str>,
    connection: &Connection,
    folders: Option<&Folders>,
) -> Vec<Check> {
    let again = format!("Run `handraise connect {}` again.", agent.name());
    let mut checks = vec![match (connection.switched_off, connection.every_call) {
        (true, _) => super::check(title, State::Wrong, "Its settings switch all hooks off, so it asks nobody."),
        (false, true) => super::check(title, State::Fine, "It asks before every call."),
        (false, false) => super::check(title, State::Note, "It asks only about some calls."),
    }];
    let title = format!("{}: hook", agent.display_name());
    let seconds = connection.timeout_seconds;
    let line = match &connection.handler {
        Handler::Http(url) => {
            let finding = format!("It posts to {url} and cannot check who answers.");
            checks.push(super::check(title, State::Note, finding));
            return checks;
        }
        Handler::Command(line) => Some(line.as_str()),
        Handler::Program(_) => None,
    };
    let words = connected_hook::words(&connection.handler).unwrap_or_default();
    let hook = hook(title, &words, seconds.unwrap_or_else(|| agent.timing().agent_seconds.into()), &again);
    let can_run = hook.state == State::Fine;
    checks.push(hook);
    if let (Some(folders), Some(deadline)) = (folders, connected_hook::deadline(&words)) {
        let waits = seconds.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(agent.timing().agent_seconds);
        let sentence = TimeLimits::of(agent, deadline, waits, folders).sentence();
        checks.push(super::check(format!("{}: time to answer", agent.display_name()), State::Fine, sentence));
    }
    if can_run {
        checks.push(probe::check(agent, &words, line));
    }
    checks.extend(version_matters(agent, version, connection, &again));
    checks
}

/// The command can run, and ends before the agent stops waiting for it.
fn hook(title: String, words: &[String], agent_seconds: u64, again: &str) -> Check {
    let Some(program) = words.first() else {
        return super::check(title, State::Wrong, format!("Its command cannot be understood. {again}"));
    };
    if !is_executable(Path::new(program)) {
        let finding = format!("{program} is missing or cannot be run: calls are blocked or pass unasked. {again}");
        return super::check(title, State::Wrong, finding);
    }
    match connected_hook::deadline(words) {
        Some(deadline) if agent_seconds <= deadline.into() => {
            let finding = format!(
                "The agent stops waiting after {agent_seconds} seconds, before the hook denies after {deadline}: calls \
                 that nobody answers run. {again}"
            );
            super::check(title, State::Wrong, finding)
        }
        Some(deadline) => {
            let finding =
                format!("{program} can be run. A call that nobody answers is denied after {deadline} seconds.");
            super::check(title, State::Fine, finding)
        }
        None => super::check(title, State::Fine, format!("{program} can be run.")),
    }
}

/// What a newer or older version of the agent would do otherwise.
fn version_matters(agent: &dyn Agent, version: Option<&str>, connection: &Connection, again: &str) -> Option<Check> {
    if agent.name() != "claude-code" {
        return None;
    }
    let title = format!("{}: when the hook is too late", agent.display_name());
    let can_block = version.map(|version| agent.can_block_on_failure(version));
    let (state, finding) = match (connection.on_failure_block, can_block) {
        (true, Some(true)) => (State::Fine, "It blocks the call.".to_owned()),
        (true, _) => {
            let finding =
                "Its settings say to block the call, but it is not known to understand that; if not, it runs it.";
            (State::Note, finding.to_owned())
        }
        (false, Some(true)) => {
            (State::Note, format!("It could block the call, but its settings do not say so. {again}"))
        }
        (false, Some(false)) => (State::Note, "This version cannot block: it runs the tool. Update it.".to_owned()),
        (false, None) => (State::Note, "Unless it is new enough and told to block, it runs the tool.".to_owned()),
    };
    Some(super::check(title, state, finding))
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
