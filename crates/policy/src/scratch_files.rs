//! Where agents keep their own plans and drafts: writing there changes nothing that anybody else works on.

use handraise_shell::path::components;

/// Folders of plans below a person's home folder; `*` is one folder of any name.
///
/// Sources: Claude Code's setting `plansDirectory`; Gemini CLI's documentation page "Plan Mode"; Qwen Code, which keeps
/// Gemini CLI's layout; Copilot CLI's session state; Cursor's documentation page "Plan Mode".
const PLANS: &[&str] =
    &[".claude/plans", ".gemini/tmp/*/plans", ".qwen/tmp/*/plans", ".copilot/session-state/*", ".cursor/plans"];
/// Where folders for temporary files are, on Linux, macOS and (below a home folder) Windows.
const TEMPORARY: &[&str] = &["tmp", "private/tmp", "var/tmp"];
const TEMPORARY_OF_WINDOWS: &[&str] = &["appdata", "local", "temp"];

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
    let of_windows = || {
        let lower: Vec<String> = parts.iter().map(|part| part.to_ascii_lowercase()).collect();
        let at = lower.windows(TEMPORARY_OF_WINDOWS.len()).position(|folders| folders == TEMPORARY_OF_WINDOWS)?;
        parts.get(at + TEMPORARY_OF_WINDOWS.len()..)
    };
    match below.or_else(of_windows) {
        Some([claude, _, _, "scratchpad", _, ..]) => is_claude(claude),
        _ => false,
    }
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
