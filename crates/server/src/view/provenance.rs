//! Where a request comes from, in safe words.

use handraise_display::line;
use handraise_policy::{Contradiction, Provenance as Found, ProvenanceProgram as FoundProgram};
use handraise_protocol::{Provenance, ProvenanceProgram, ProvenanceRepository};

use super::agent;

/// Longest name, in characters; the rest is counted.
const MAX_NAME: usize = 60;
/// Longest name within the summary, where a person has to see what stands behind it as well.
const MAX_IN_SUMMARY: usize = 32;
/// Longest path, in characters; the rest is counted.
const MAX_PATH: usize = 400;
/// Digits of a commit that are told.
const COMMIT_DIGITS: usize = 10;

/// `found` as a surface may have it.
pub(super) fn provenance(found: &Found) -> Provenance {
    let programs = found.programs.iter().enumerate().map(|(at, program)| ProvenanceProgram {
        name: program_name(program),
        pid: program.pid,
        executable: path(program.executable.as_ref()),
        script: path(program.script.as_ref()),
        is_agent: found.agent == Some(at),
    });
    let repository = found.repository.as_ref().map(|repository| ProvenanceRepository {
        folder: line(&repository.folder, MAX_PATH),
        branch: repository.branch.as_ref().map(|branch| line(branch, MAX_NAME)),
        commit: repository.commit.as_ref().map(|commit| short(commit)),
        worktree_of: path(repository.worktree_of.as_ref()),
    });
    let container = found.container.as_ref().map(|container| match &container.id {
        Some(id) => line(&format!("{} {id}", container.kind), MAX_NAME),
        None => line(&container.kind, MAX_NAME),
    });
    let ssh = found.ssh.as_ref().map(|ssh| match &ssh.client {
        Some(client) => line(&format!("from {client}"), MAX_NAME),
        None => "from another machine".to_owned(),
    });
    Provenance {
        summary: summary(found),
        programs: programs.collect(),
        terminal: terminal(found),
        folder: path(found.folder.as_ref()),
        repository,
        container,
        ssh,
    }
}

/// The sentence for a contradiction, and the field that it is about.
pub(super) fn contradiction(found: &Contradiction) -> (&'static str, String) {
    match found {
        Contradiction::OtherAgent { claimed, found } => (
            "agent",
            format!("It calls itself {}, but the program that asks is {}.", agent_name(claimed), agent_name(found)),
        ),
        Contradiction::NoAgent { claimed } => {
            let claimed = agent_name(claimed);
            ("agent", format!("It calls itself {claimed}, but none of the programs behind it is {claimed}."))
        }
        Contradiction::OtherFolder { claimed, found } => {
            let (claimed, found) = (line(claimed, MAX_PATH), line(found, MAX_PATH));
            ("cwd", format!("It says that it works in {claimed}, but its process works in {found}."))
        }
        Contradiction::OtherUser { user } => {
            ("origin", format!("The agent runs as another user, number {user}, and with that user's rights."))
        }
        Contradiction::InContainer => (
            "origin",
            "It runs in a container, or in a file system of its own: a path may be another file there.".to_owned(),
        ),
    }
}

/// `Claude Code in shopfront (branch main) · GNOME Terminal over SSH`
fn summary(found: &Found) -> String {
    let agent = found.agent.and_then(|at| found.programs.get(at)).or(found.programs.first());
    let agent = agent.map_or_else(|| "A program".to_owned(), program_name);
    let folder = found.repository.as_ref().map(|repository| &repository.folder).or(found.folder.as_ref());
    let folder = folder.map(|folder| format!(" in {}", last_part(folder)));
    let checked_out = found.repository.as_ref().and_then(|repository| {
        let state = match (&repository.branch, &repository.commit) {
            (Some(branch), _) => format!("branch {}", line(branch, MAX_IN_SUMMARY)),
            (None, Some(commit)) => format!("no branch, at {}", short(commit)),
            (None, None) => return None,
        };
        let main = repository.worktree_of.as_ref().map(|main| format!(", worktree of {}", last_part(main)));
        Some(format!(" ({state}{})", main.unwrap_or_default()))
    });
    let terminal = found.terminal.as_ref().and_then(|terminal| terminal.program.as_ref());
    let mut places: Vec<String> = terminal.map(|program| line(program, MAX_NAME)).into_iter().collect();
    if found.ssh.is_some() && !places.iter().any(|place| place == "SSH") {
        places.push("SSH".to_owned());
    }
    places.extend(found.container.as_ref().map(|container| line(&container.kind, MAX_NAME)));
    let places: String = places.iter().map(|place| format!(" · {place}")).collect();
    format!("{agent}{}{}{places}", folder.unwrap_or_default(), checked_out.unwrap_or_default())
}

fn terminal(found: &Found) -> Option<String> {
    let terminal = found.terminal.as_ref()?;
    let parts: Vec<&str> = [terminal.program.as_deref(), terminal.device.as_deref()].into_iter().flatten().collect();
    Some(line(&parts.join(", "), MAX_NAME))
}

fn program_name(program: &FoundProgram) -> String {
    if let Some(agent) = &program.agent {
        return agent_name(agent);
    }
    let file = program.executable.as_deref().map(|path| path.strip_suffix(" (deleted)").unwrap_or(path));
    let name = file.map_or_else(|| line(&program.name, MAX_NAME), last_part);
    match &program.script {
        Some(script) => format!("{name} {}", last_part(script)),
        None => name,
    }
}

/// The name for people, where there is one.
fn agent_name(name: &str) -> String {
    agent::known(name).map_or_else(|| line(name, MAX_NAME), str::to_owned)
}

fn last_part(path: &str) -> String {
    let part = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    line(if part.is_empty() { path } else { part }, MAX_IN_SUMMARY)
}

fn path(path: Option<&String>) -> Option<String> {
    path.map(|path| line(path, MAX_PATH))
}

fn short(commit: &str) -> String {
    line(&commit.chars().take(COMMIT_DIGITS).collect::<String>(), COMMIT_DIGITS)
}
