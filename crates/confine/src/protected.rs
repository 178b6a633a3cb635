//! Files of a project that make something run later, or decide about it, outside of the walls.

use std::path::{Path, PathBuf};

/// Relative to a folder of the project. Files and whole folders. What the policy calls control files is more: a test of
/// the server holds that each of these is one.
pub const PROTECTED: &[&str] = &[
    // gitrepository-layout(5): hooks, and settings that name programs (`core.fsmonitor`, filters, `core.hooksPath`).
    ".git/hooks",
    ".git/config",
    ".git/config.worktree",
    ".git/info/attributes",
    ".git/commondir",
    // Git hooks that a project has in its own tree.
    ".husky",
    ".githooks",
    ".lefthook.yml",
    "lefthook.yml",
    ".pre-commit-config.yaml",
    // Agents: hooks, permissions, servers that they start.
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".qwen",
    ".opencode",
    "opencode.json",
    "opencode.jsonc",
    ".windsurf",
    ".cline",
    ".clinerules",
    ".roo",
    ".kiro",
    ".goose",
    ".amp",
    ".mcp.json",
    ".github/hooks",
    ".github/copilot",
    // Editors: tasks, settings that name programs.
    ".vscode",
    ".idea",
    ".zed",
    ".nvim.lua",
    ".exrc",
    ".dir-locals.el",
    // What shells and tools load in passing.
    ".envrc",
    ".tool-versions",
    "mise.toml",
    ".mise.toml",
    ".devcontainer",
];

/// The places that have to be after the call as they were before: of each project folder, and of each folder between it
/// and where the command is started; of the repositories of submodules; and what the walls add. They need not exist.
pub(crate) fn places(projects: &[PathBuf], start: &Path, more: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for project in projects {
        let between = start.ancestors().take_while(|folder| folder.starts_with(project));
        let mut folders: Vec<&Path> = between.collect();
        if !folders.contains(&project.as_path()) {
            folders.push(project);
        }
        for folder in folders {
            found.extend(PROTECTED.iter().map(|place| folder.join(place)));
        }
        found.extend(more.iter().map(|place| project.join(place)));
        for repository in submodules(&project.join(".git/modules"), 0) {
            found.extend(["hooks", "config", "config.worktree", "info/attributes"].map(|name| repository.join(name)));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The folders below `.git/modules` that are repositories: they have a `HEAD`. A submodule's name may have slashes.
fn submodules(folder: &Path, depth: usize) -> Vec<PathBuf> {
    const MAX_DEPTH: usize = 8;
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    let mut found = Vec::new();
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        let path = entry.path();
        if path.join("HEAD").is_file() {
            found.extend(submodules(&path.join("modules"), depth + 1));
            found.push(path);
        } else {
            found.extend(submodules(&path, depth + 1));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_down_to_the_start_are_covered() {
        let found = places(&["/p".into()], Path::new("/p/a/b"), &["bin/deploy".into()]);
        for place in ["/p/.git/hooks", "/p/.claude", "/p/a/.claude", "/p/a/b/.mcp.json", "/p/bin/deploy"] {
            assert!(found.contains(&place.into()), "{place}");
        }
        assert!(!found.contains(&"/.claude".into()) && !found.contains(&"/p/a/b/c/.claude".into()));
        let elsewhere = places(&["/p".into()], Path::new("/q"), &[]);
        assert!(elsewhere.contains(&"/p/.claude".into()) && !elsewhere.contains(&"/q/.claude".into()));
    }

    #[test]
    fn repositories_of_submodules_are_found() {
        let project = tempfile::tempdir().unwrap();
        for name in ["lib", "group/deep", "lib/modules/inner"] {
            let repository = project.path().join(".git/modules").join(name);
            std::fs::create_dir_all(&repository).unwrap();
            std::fs::write(repository.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        }
        let found = places(&[project.path().into()], project.path(), &[]);
        for name in ["lib/config", "group/deep/hooks", "lib/modules/inner/config"] {
            assert!(found.contains(&project.path().join(".git/modules").join(name)), "{name}");
        }
    }
}
