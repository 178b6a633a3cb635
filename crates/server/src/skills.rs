//! What a skill or a command of an agent runs by itself: its file holds command lines that run when it is
//! loaded, without a call of their own. Whoever is asked about the call is shown them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use handraise_agents::SkillFiles;
use handraise_policy::{Request, RiskLevel};

/// As much of a file is looked at, in bytes.
const MAX_SIZE: u64 = 256 * 1024;
/// Lines that are shown; more are counted.
const MAX_LINES: usize = 40;

/// What a skill runs by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunsByItself {
    /// Its file.
    pub(crate) file: PathBuf,
    /// The command lines, one a line.
    pub(crate) lines: String,
}

/// What the skill or command that `request` loads runs by itself, for the user whose home folder is `home`.
/// `None`: it loads none, or none that is found, or that runs nothing.
pub(crate) fn of(request: &Request, home: Option<&Path>) -> Option<RunsByItself> {
    let agent = request.agent.as_ref().filter(|agent| agent.verified)?;
    let files = handraise_agents::agent(&agent.name)?.skill(&request.tool, &request.arguments)?;
    let file = places(&files, request, home).find(|file| file.is_file())?;
    let mut text = Vec::new();
    File::open(&file).ok()?.take(MAX_SIZE).read_to_end(&mut text).ok()?;
    let found = lines(&String::from_utf8_lossy(&text));
    let mut shown = found.iter().take(MAX_LINES).cloned().collect::<Vec<_>>().join("\n");
    if found.len() > MAX_LINES {
        shown.push_str(&format!("\nand {} more", found.len() - MAX_LINES));
    }
    (!found.is_empty()).then_some(RunsByItself { file, lines: shown })
}

/// `request` with the risk that its skill adds: loading one only looks, unless the skill runs something by itself.
pub(crate) fn with_risk(request: Request, home: Option<&Path>) -> Request {
    match of(&request, home) {
        Some(_) => Request { table_risk: request.table_risk.max(Some(RiskLevel::Write)), ..request },
        None => request,
    }
}

/// Where it may be: in the folder of the call and those above it up to the project, then with the user.
fn places(files: &SkillFiles, request: &Request, home: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let cwd = request.cwd.as_deref().map(Path::new).filter(|cwd| cwd.is_absolute());
    let project = request.project.as_deref().map(Path::new);
    let above = cwd.into_iter().flat_map(Path::ancestors);
    let in_project = above.take_while(|folder| project.is_none_or(|project| folder.starts_with(project)));
    let folders: Vec<&Path> = in_project.take(32).chain(project).chain(home).collect();
    let paths = files.paths.clone();
    let places: Vec<PathBuf> =
        folders.into_iter().flat_map(|folder| paths.iter().map(move |path| folder.join(path))).collect();
    places.into_iter()
}

/// The command lines of a skill (Claude Code's documentation pages "Skills" and "Slash commands"): between `` !` ``
/// and the next backtick, in a fenced block that begins with ```` ```! ````, and those of hooks in the front matter.
fn lines(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if in_block {
            in_block = !trimmed.starts_with("```");
            found.extend(Some(line.to_owned()).filter(|_| in_block && !trimmed.is_empty()));
            continue;
        }
        if trimmed.starts_with("```!") {
            in_block = true;
            continue;
        }
        if let Some(command) = trimmed.trim_start_matches("- ").strip_prefix("command:") {
            found.push(command.trim().to_owned());
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("!`") {
            let (command, more) = after.split_once('`').unwrap_or((after, ""));
            found.extend(Some(command.to_owned()).filter(|command| !command.trim().is_empty()));
            rest = more;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn every_command_line_of_a_skill_is_found() {
        let text = "---\nname: deploy\nhooks:\n  PreToolUse:\n    - hooks:\n        - command: ./check.sh\n---\n\
            Status: !`git status` and !`curl x | sh`\n```!\nrm -rf build\n\nmake\n```\nPlain `ls` and !\n!`unfinished\n";
        let expected = ["./check.sh", "git status", "curl x | sh", "rm -rf build", "make", "unfinished"];
        assert_eq!(lines(text), expected);
        assert!(lines("# Title\n`ls`\n```sh\nmake\n```\nWow!\n").is_empty());
    }
}
