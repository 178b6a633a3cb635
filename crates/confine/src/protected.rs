//! Files of a project that make something run later, or decide about it, outside of the walls.

use std::path::{Path, PathBuf};

use crate::git_settings::{self, MARK_OF_REPOSITORIES};

/// Relative to a folder of the project. Files and whole folders. What the policy calls control files is more: a test of
/// the server holds that each of these is one.
pub const PROTECTED: &[&str] = &[
    // hg(1) "FILES": hooks and settings, and where they are taken from.
    ".hg/hgrc",
    ".hg/hgrc-not-shared",
    ".hg/sharedpath",
    // Jujutsu and Sapling: settings that name programs.
    ".jj/repo/config.toml",
    ".jj/workspace-config.toml",
    ".sl/config",
    // Git hooks that a project has in its own tree.
    ".husky",
    ".githooks",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".lefthook-local.yml",
    ".lefthook-local.yaml",
    "lefthook.yml",
    "lefthook.yaml",
    "lefthook-local.yml",
    "lefthook-local.yaml",
    "lefthook.toml",
    "lefthook.json",
    "lefthook-local.toml",
    "lefthook-local.json",
    ".config/lefthook.yml",
    ".config/lefthook.yaml",
    ".config/lefthook.toml",
    ".config/lefthook.json",
    ".lefthook",
    ".lefthook-local",
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
    ".agents/plugins",
    ".agents/skills",
    ".claude-plugin",
    ".copilot",
    ".devin",
    ".crush.json",
    "crush.json",
    ".amazonq",
    ".kilocode",
    ".continue",
    ".junie",
    ".factory",
    ".openhands",
    ".pi",
    ".trae",
    ".iflow",
    ".augment",
    ".grok",
    ".vibe",
    ".roomodes",
    ".aider.conf.yml",
    ".github/hooks",
    ".github/copilot",
    ".github/prompts",
    ".github/agents",
    ".github/skills",
    ".github/chatmodes",
    // Editors: tasks, settings that name programs.
    ".vscode",
    ".idea",
    // Run configurations, and tasks of Visual Studio.
    ".run",
    "tasks.vs.json",
    "launch.vs.json",
    ".zed",
    ".fleet",
    ".helix",
    ".nvim.lua",
    ".lazy.lua",
    ".lvimrc",
    ".nvimrc",
    ".exrc",
    ".vimrc",
    ".dir-locals.el",
    ".dir-locals-2.el",
    ".gdbinit",
    ".lldbinit",
    // What shells and tools load in passing.
    ".envrc",
    ".autoenv",
    ".autoenv.zsh",
    ".tool-versions",
    ".prototools",
    // Package managers and build tools: what they load, and which programs run in place of their own.
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".pnpmfile.mjs",
    ".cargo/config",
    ".cargo/config.toml",
    ".mvn",
    // What runs elsewhere, with the rights of the project, as soon as it is pushed.
    ".github/workflows",
    ".github/actions",
    ".gitlab-ci.yml",
    ".circleci",
    // mise, "Configuration".
    "mise.toml",
    "mise.local.toml",
    "mise/config.toml",
    "mise/config.local.toml",
    ".mise.toml",
    ".mise.local.toml",
    ".mise",
    ".config/mise.toml",
    ".config/mise",
    ".miserc.toml",
    ".rtx.toml",
    ".devcontainer",
    ".devcontainer.json",
];

/// Relative to a repository's own folder (gitrepository-layout(5)): hooks, settings that name programs
/// (`core.fsmonitor`, filters, `core.hooksPath`), and where these are taken from.
const OF_REPOSITORIES: &[&str] = &["hooks", "config", "config.worktree", "info/attributes", "commondir", "gitdir"];

/// Whole projects in what is kept: Claude Code has its working trees there.
#[cfg(target_os = "linux")]
const LEFT_ALONE: &str = ".claude/worktrees";

/// Whether a place is not kept although it lies in one that is.
#[cfg(target_os = "linux")]
pub(crate) fn is_left_alone(path: &Path) -> bool {
    path.ends_with(LEFT_ALONE)
}

/// The places that have to be after the call as they were before: of each project folder, and of each folder between it
/// and where the command is started; of all their repositories, what these name in the project; and what the walls add.
/// They need not exist.
pub(crate) fn places(projects: &[PathBuf], start: &Path, homes: &[PathBuf], more: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for project in projects {
        let between = start.ancestors().take_while(|folder| folder.starts_with(project));
        let mut folders: Vec<&Path> = between.collect();
        if !folders.contains(&project.as_path()) {
            folders.push(project);
        }
        for folder in folders {
            found.extend(PROTECTED.iter().map(|place| folder.join(place)));
            let is_repository = folder.join(MARK_OF_REPOSITORIES).exists();
            if !is_repository {
                found.push(folder.join(MARK_OF_REPOSITORIES));
            }
            let git = git_settings::folder(folder);
            let own = is_repository.then(|| folder.to_owned());
            let repositories: Vec<PathBuf> = own.into_iter().chain(repositories(&git)).collect();
            for repository in &repositories {
                found.extend(git_settings::named(folder, repository, homes));
            }
            // Also where `.git` is a file: what stands there is kept with these.
            for repository in repositories.into_iter().chain([folder.join(".git")]) {
                found.extend(OF_REPOSITORIES.iter().map(|place| repository.join(place)));
            }
        }
        found.extend(more.iter().map(|place| project.join(place)));
    }
    // What lies elsewhere cannot be changed, and a whole project is more than settings.
    found.retain(|place| projects.iter().any(|project| place.starts_with(project) && place != project));
    found.sort();
    found.dedup();
    found
}

/// The folder of a repository, and those below it of its submodules and working trees.
fn repositories(git: &Path) -> Vec<PathBuf> {
    let mut found = submodules(&git.join("modules"), 0);
    found.extend(list(&git.join("worktrees")));
    found.push(git.to_owned());
    found
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect()
}

/// The folders below `.git/modules` that are repositories: they have a `HEAD`. A submodule's name may have slashes.
fn submodules(folder: &Path, depth: usize) -> Vec<PathBuf> {
    const MAX_DEPTH: usize = 8;
    let mut found = Vec::new();
    if depth > MAX_DEPTH {
        return found;
    }
    for path in list(folder) {
        if path.join(MARK_OF_REPOSITORIES).is_file() {
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
        let found = places(&["/p".into()], Path::new("/p/a/b"), &[], &["bin/deploy".into()]);
        for place in
            ["/p/.git/hooks", "/p/HEAD", "/p/a/HEAD", "/p/.claude", "/p/a/.claude", "/p/a/b/.mcp.json", "/p/bin/deploy"]
        {
            assert!(found.contains(&place.into()), "{place}");
        }
        assert!(!found.contains(&"/.claude".into()) && !found.contains(&"/p/a/b/c/.claude".into()));
        let elsewhere = places(&["/p".into()], Path::new("/q"), &[], &[]);
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
        let settings = "[core]\n\tworktree = ../../../lib\n\thooksPath = checks # ours\n";
        std::fs::write(project.path().join(".git/modules/lib/config"), settings).unwrap();
        let found = places(&[project.path().into()], project.path(), &[], &[]);
        assert!(found.contains(&project.path().join("lib/checks/pre-commit")), "{found:?}");
        for name in ["lib/config", "group/deep/hooks", "lib/modules/inner/config"] {
            assert!(found.contains(&project.path().join(".git/modules").join(name)), "{name}");
        }
    }
}
