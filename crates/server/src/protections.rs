//! The files that govern the gate: whoever changes one of them changes what is asked.

use std::path::{Path, PathBuf};

use handraise_locations::Folders;

use crate::paths::Protected;

/// Everything in a protected folder is protected. Relative to the home folder.
///
/// The settings, hook and plugin files of the agents that are known, from their own documentation: an
/// agent that may write one of them can switch its hook off, or have a command run outside of it.
const IN_HOME: &[&str] = &[
    // Claude Code: settings, and plugins that bring hooks.
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/plugins",
    ".claude/hooks",
    ".claude.json",
    // OpenAI Codex.
    ".codex/config.toml",
    ".codex/hooks.json",
    ".codex/hooks",
    ".codex/rules",
    ".codex/requirements.toml",
    // Gemini CLI and Qwen Code.
    ".gemini/settings.json",
    ".gemini/policies",
    ".gemini/extensions",
    ".gemini/trustedFolders.json",
    ".qwen/settings.json",
    ".qwen/trustedFolders.json",
    // OpenCode.
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.jsonc",
    ".config/opencode/plugin",
    ".config/opencode/plugins",
    // GitHub Copilot.
    ".copilot/settings.json",
    ".copilot/config.json",
    ".copilot/hooks",
    ".copilot/mcp-config.json",
    // Cursor.
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".cursor/cli-config.json",
    // Windsurf and Devin.
    ".codeium/windsurf/hooks.json",
    ".codeium/windsurf/mcp_config.json",
    ".codeium/hooks.json",
    // Goose.
    ".config/goose/config.yaml",
    ".config/goose/permission.yaml",
    ".agents/plugins",
    // Amp.
    ".config/amp/settings.json",
    ".config/amp/settings.jsonc",
    ".config/amp/plugins",
    // Cline.
    ".cline/hooks",
    "Documents/Cline/Hooks",
    // Crush.
    ".config/crush/crush.json",
    // Zed.
    ".config/zed/settings.json",
    // Kiro and Kimi Code.
    ".kiro/agents",
    ".kiro/hooks",
    ".kiro/settings",
    ".kimi-code/config.toml",
    // Start at login.
    ".config/autostart/handraise.desktop",
    ".config/systemd/user/handraise.service",
    ".local/share/applications/handraise.desktop",
];

/// The same in a project folder, relative to it.
const IN_PROJECT: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".mcp.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".codex/hooks",
    ".codex/rules",
    ".gemini/settings.json",
    ".qwen/settings.json",
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/plugin",
    ".opencode/plugins",
    ".github/hooks",
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".cursor/cli.json",
    ".windsurf/hooks.json",
    ".devin/hooks.json",
    ".devin/hooks.v1.json",
    ".agents/plugins",
    ".amp/settings.json",
    ".amp/plugins",
    ".cline/hooks",
    ".clinerules/hooks",
    "crush.json",
    ".crush.json",
    ".zed/settings.json",
    ".kiro/agents",
    ".kiro/hooks",
    ".kiro/settings",
];

/// Settings for all users of the machine.
const FOR_EVERYBODY: &[&str] = &[
    "/etc/claude-code",
    "/etc/codex",
    "/etc/gemini-cli",
    "/etc/cursor",
    "/etc/windsurf",
    "/etc/github-copilot",
    "/etc/opencode",
];

/// Names of Handraise's own programs.
const PROGRAMS: &[&str] = &["handraise", "handraise-desktop"];

/// What is to be protected, whether it exists or not.
#[derive(Clone, Debug)]
pub(crate) struct Protections {
    paths: Vec<PathBuf>,
    in_projects: Vec<PathBuf>,
    home: Option<PathBuf>,
}

impl Protections {
    /// Handraise's own `folders`, its programs, and the agents' settings below `home`.
    pub(crate) fn new(folders: &Folders, home: Option<PathBuf>) -> Self {
        let mut paths = vec![folders.config.clone(), folders.data.clone(), folders.runtime.clone()];
        paths.extend(FOR_EVERYBODY.iter().map(PathBuf::from));
        paths.extend(own_programs());
        let mut in_projects: Vec<PathBuf> = IN_PROJECT.iter().map(PathBuf::from).collect();
        let agents = || handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name));
        in_projects.extend(agents().map(|agent| PathBuf::from(agent.project_settings())));
        if let Some(home) = &home {
            paths.extend(IN_HOME.iter().map(|file| home.join(file)));
            paths.extend(agents().map(|agent| home.join(agent.user_settings())));
        }
        Self { paths, in_projects, home }
    }

    /// As it is on the disk now: links followed, files that exist known by their identity.
    pub(crate) fn look(&self) -> Protected {
        let paths = self.paths.iter().map(PathBuf::as_path);
        Protected::new(paths, self.in_projects.iter().map(PathBuf::as_path), self.home.as_deref())
    }
}

/// This program and those that are installed beside it.
fn own_programs() -> Vec<PathBuf> {
    let Ok(own) = std::env::current_exe() else { return Vec::new() };
    let folder = own.parent().map(Path::to_owned).unwrap_or_default();
    let beside = PROGRAMS.iter().map(|name| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)));
    beside.chain([own.clone()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gates_own_files_and_the_agents_settings_are_protected() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |name: &str| Some(root.join(name));
        let folders = Folders::with(at("config"), at("data"), at("runtime")).unwrap();
        let protected = Protections::new(&folders, at("home")).look();
        for path in [
            folders.policy_file(),
            folders.confirmed_policy_file(),
            folders.audit_database(),
            folders.socket(),
            folders.endpoint_file(),
            folders.token_file("default"),
            root.join("home/.claude/settings.json"),
            root.join("home/.config/autostart/handraise.desktop"),
            root.join("project/.claude/settings.local.json"),
            root.join("project/.opencode/plugins/any.ts"),
            std::env::current_exe().unwrap(),
        ] {
            assert!(protected.covers(&path), "{}", path.display());
        }
        for path in ["home/notes.txt", "project/src/main.rs", "home/.claude/CLAUDE.md", "home"] {
            assert!(!protected.covers(&root.join(path)), "{path}");
        }
    }
}
