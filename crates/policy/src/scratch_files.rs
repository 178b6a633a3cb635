//! Where agents keep their own plans, drafts and notes: writing there changes nothing that anybody else works on.

use handraise_shell::path::components;

/// Folders of plans and notes below a person's home folder; `*` is one folder of any name. Like `AGENTS.md`, notes are text:
/// whatever an agent does because of them is judged again.
///
/// Sources: Claude Code's setting `plansDirectory`, and its documentation page "Memory"; Gemini CLI's documentation page "Plan Mode"; Qwen Code, which keeps
/// Gemini CLI's layout; Copilot CLI's session state; Cursor's documentation page "Plan Mode".
const PLANS: &[&str] = &[
    ".claude/plans",
    ".claude/projects/*/memory",
    ".gemini/tmp/*/plans",
    ".qwen/tmp/*/plans",
    ".copilot/session-state/*",
    ".cursor/plans",
];
/// Where folders for temporary files are, on Linux, macOS and (below a home folder) Windows.
const TEMPORARY: &[&str] = &["tmp", "private/tmp", "var/tmp"];
const TEMPORARY_OF_WINDOWS: &[&str] = &["appdata", "local", "temp"];

/// Such folders besides: of macOS for each user, and in memory.
const TEMPORARY_BESIDES: &[&str] = &["var/folders", "private/var/folders", "dev/shm"];

/// Whether the absolute path `path` lies in a folder for temporary files, or is one.
///
/// Source: Filesystem Hierarchy Standard 3.0, "/tmp: Temporary files": nothing there has to be kept from one start of a
/// program to the next.
pub(crate) fn is_temporary(path: &str) -> bool {
    let parts: Vec<&str> = components(path).collect();
    let is_in = |folder: &&str| {
        let folder: Vec<&str> = components(folder).collect();
        parts.starts_with(&folder)
    };
    TEMPORARY.iter().chain(TEMPORARY_BESIDES).any(is_in) || below_temporary_of_windows(&parts).is_some()
}

/// Whether the absolute path `path` is such a folder itself, which is everybody's.
pub(crate) fn is_folder_for_temporary_files(path: &str) -> bool {
    let parts: Vec<&str> = components(path).collect();
    TEMPORARY.iter().any(|folder| components(folder).eq(parts.iter().copied()))
}

/// Whether the absolute path `path` is a file in a folder that an agent keeps for itself.
pub(crate) fn is_scratch(path: &str, home: Option<&str>) -> bool {
    let parts: Vec<&str> = components(path).collect();
    is_plan(&parts, home) || is_scratchpad(&parts)
}

fn is_plan(parts: &[&str], home: Option<&str>) -> bool {
    let home: Vec<&str> = home.map(components).into_iter().flatten().collect();
    let Some(below) = parts.strip_prefix(home.as_slice()).filter(|_| !home.is_empty()) else { return false };
    let is_document = parts.last().is_some_and(|name| name.to_ascii_lowercase().ends_with(".md"));
    is_document && PLANS.iter().any(|folder| is_in(below, folder))
}

/// Claude Code's scratchpad: `/tmp/claude-1000/PROJECT/SESSION/scratchpad/`.
fn is_scratchpad(parts: &[&str]) -> bool {
    let is_claude = |name: &str| {
        name == "claude"
            || name.strip_prefix("claude-").is_some_and(|user| user.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let below =
        TEMPORARY.iter().find_map(|folder| parts.strip_prefix(components(folder).collect::<Vec<_>>().as_slice()));
    match below.or_else(|| below_temporary_of_windows(parts)) {
        Some([claude, _, _, "scratchpad", _, ..]) => is_claude(claude),
        _ => false,
    }
}

/// What of a path lies in a user's folder for temporary files on Windows.
fn below_temporary_of_windows<'a>(parts: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let is_there = |folders: &[&str]| {
        folders.iter().zip(TEMPORARY_OF_WINDOWS).all(|(folder, wanted)| folder.eq_ignore_ascii_case(wanted))
    };
    let at = parts.windows(TEMPORARY_OF_WINDOWS.len()).position(is_there)?;
    parts.get(at + TEMPORARY_OF_WINDOWS.len()..)
}

/// Whether `parts` name something in `folder`.
fn is_in(parts: &[&str], folder: &str) -> bool {
    let folder: Vec<&str> = folder.split('/').collect();
    parts.len() > folder.len() && folder.iter().zip(parts).all(|(wanted, part)| *wanted == "*" || wanted == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_and_scratchpads_are_known() {
        for path in [
            "/home/ann/.claude/plans/calm-river.md",
            "/home/ann/.claude/projects/-home-ann-app/memory/MEMORY.md",
            "/home/ann/.gemini/tmp/5fe1/plans/a.md",
            "/home/ann/.copilot/session-state/8f/plan.md",
            "/tmp/claude-1000/-home-ann-app/8f/scratchpad/a.py",
            "/private/tmp/claude-501/-Users-ann-app/8f/scratchpad/notes/a.md",
            "/c/Users/ann/AppData/Local/Temp/claude/D--app/8f/scratchpad/a.js",
        ] {
            assert!(is_scratch(path, Some("/home/ann")), "{path}");
        }
    }

    #[test]
    fn what_lies_beside_them_is_not() {
        for path in [
            "/home/ann/.claude/plans",
            "/home/ann/.claude/plans/run.sh",
            "/home/ann/.claude/settings.json",
            "/home/ann/.claude/projects/-home-ann-app/memory/run.sh",
            "/home/ann/.claude/projects/-home-ann-app/8f.jsonl",
            "/home/bob/.claude/plans/a.md",
            "/home/ann/.gemini/tmp/5fe1/logs.md",
            "/home/ann/app/.claude/plans.md",
            "/tmp/claude-1000/-home-ann-app/8f/scratchpad",
            "/tmp/claude-1000/-home-ann-app/8f/tasks/a.md",
            "/tmp/claude-x/a/b/scratchpad/c",
            "/tmp/other/a/b/scratchpad/c",
            "/srv/tmp/claude/a/b/scratchpad/c",
        ] {
            assert!(!is_scratch(path, Some("/home/ann")), "{path}");
        }
        assert!(!is_scratch("/.claude/plans/a.md", None));
    }
}
