//! The files that govern the gate: whoever changes one of them changes what is asked.

use std::path::{Path, PathBuf};

use handraise_agents::Level;
use handraise_locations::Folders;
use handraise_policy::path::{ProtectedPath, Protection};
use handraise_policy::rules::{PROJECT_SETTINGS, Protections};

use crate::paths::Protected;

/// Everything in a protected folder is protected. Relative to the home folder.
///
/// The settings, hook and plugin files of the agents that are known, from their own documentation: an
/// agent that may write one of them can switch its hook off, or have a command run outside of it. Files
/// that an environment variable moves elsewhere (as `CLAUDE_CONFIG_DIR`, `CODEX_HOME`) are not known here.
const IN_HOME: &[&str] = &[
    // Claude Code: settings, and plugins that bring hooks.
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/plugins",
    ".claude/hooks",
    ".claude/skills",
    ".claude/commands",
    ".claude/agents",
    ".claude/output-styles",
    ".claude.json",
    // OpenAI Codex.
    ".codex/config.toml",
    ".codex/hooks.json",
    ".codex/hooks",
    ".codex/rules",
    ".codex/requirements.toml",
    ".codex/prompts",
    ".codex/skills",
    ".codex/agents",
    // Gemini CLI and Qwen Code.
    ".gemini/settings.json",
    ".gemini/policies",
    ".gemini/extensions",
    ".gemini/trustedFolders.json",
    ".gemini/commands",
    ".gemini/skills",
    ".gemini/agents",
    ".qwen/settings.json",
    ".qwen/trustedFolders.json",
    ".qwen/commands",
    ".qwen/skills",
    ".qwen/agents",
    ".qwen/extensions",
    // OpenCode.
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.jsonc",
    ".config/opencode/plugin",
    ".config/opencode/plugins",
    ".config/opencode/command",
    ".config/opencode/commands",
    ".config/opencode/agent",
    ".config/opencode/agents",
    ".config/opencode/tool",
    ".config/opencode/tools",
    ".config/opencode/skill",
    ".config/opencode/skills",
    // GitHub Copilot.
    ".copilot/settings.json",
    ".copilot/config.json",
    ".copilot/hooks",
    ".copilot/mcp-config.json",
    ".copilot/agents",
    ".copilot/skills",
    ".copilot/prompts",
    // Cursor.
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".cursor/cli-config.json",
    ".cursor/commands",
    ".cursor/skills",
    ".cursor/agents",
    // Windsurf and Devin.
    ".codeium/windsurf/hooks.json",
    ".codeium/windsurf/mcp_config.json",
    ".codeium/hooks.json",
    // Goose.
    ".config/goose/config.yaml",
    ".config/goose/permission.yaml",
    ".agents/plugins",
    ".agents/skills",
    // Amp.
    ".config/amp/settings.json",
    ".config/amp/settings.jsonc",
    ".config/amp/plugins",
    ".config/amp/commands",
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
];

/// What starts Handraise at login, relative to the home folder (Desktop Application Autostart
/// Specification 0.5; systemd.unit(5), user units).
const OWN_IN_HOME: &[&str] = &[
    ".config/autostart/handraise.desktop",
    ".config/systemd/user/handraise.service",
    ".local/share/applications/handraise.desktop",
];

/// Settings for all users of the machine.
const FOR_EVERYBODY: &[&str] = &[
    "/etc/claude-code",
    "/etc/codex",
    "/etc/gemini-cli",
    "/etc/qwen-code",
    "/etc/cursor",
    "/etc/windsurf",
    "/etc/github-copilot",
    "/etc/opencode",
];

/// Names of Handraise's own programs.
const PROGRAMS: &[&str] = &["handraise", "handraise-hook", "handraise-confine", "handraise-desktop"];

/// What is to be protected, whether it exists or not.
#[derive(Clone, Debug)]
pub(crate) struct GuardedFiles {
    paths: Vec<(PathBuf, Protection)>,
    in_projects: Vec<PathBuf>,
    home: Option<PathBuf>,
}

impl GuardedFiles {
    /// Handraise's own `folders`, its programs, and the agents' settings below `home`.
    pub(crate) fn new(folders: &Folders, home: Option<PathBuf>) -> Self {
        let mut own = vec![folders.config.clone(), folders.data.clone(), folders.runtime.clone()];
        own.extend(own_programs());
        let mut agents: Vec<PathBuf> = FOR_EVERYBODY.iter().map(PathBuf::from).collect();
        let mut in_projects: Vec<PathBuf> = PROJECT_SETTINGS.iter().map(PathBuf::from).collect();
        let known = || handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name));
        let files = |level| known().flat_map(move |agent| agent.files(level)).map(|file| PathBuf::from(file.path));
        in_projects.extend(files(Level::Project));
        if let Some(home) = &home {
            own.extend(OWN_IN_HOME.iter().map(|file| home.join(file)));
            agents.extend(IN_HOME.iter().map(|file| home.join(file)));
            agents.extend(files(Level::User).map(|file| home.join(file)));
        }
        // What is kept of one project is none of another's, and may hold its secrets.
        let secret = [folders.tokens(), folders.credentials_file(), folders.kept()];
        let with = |paths: Vec<PathBuf>, protection| paths.into_iter().map(move |path| (path, protection));
        let paths = with(agents, Protection::Agent)
            .chain(with(own, Protection::Own))
            .chain(with(secret.to_vec(), Protection::Secret))
            .collect();
        Self { paths, in_projects, home }
    }

    /// As it is on the disk now: links followed, files that exist known by their identity.
    pub(crate) fn look(&self) -> Protected {
        let paths = self.paths.iter().map(|(path, protection)| (path.as_path(), *protection));
        Protected::new(paths, self.in_projects.iter().map(PathBuf::as_path), self.home.as_deref())
    }

    /// The same for the gate, which compares names alone.
    pub(crate) fn for_gate(&self) -> Protections {
        let protected = |(path, protection): &(PathBuf, Protection)| {
            let path = soft_canonicalize::soft_canonicalize(path).unwrap_or_else(|_| path.clone());
            Some(ProtectedPath { path: path.to_str()?.to_owned(), protection: *protection })
        };
        let (agents, own) =
            self.paths.iter().filter_map(protected).partition(|path| path.protection == Protection::Agent);
        Protections::new(own, agents)
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
    use crate::paths::SeenFolders;

    #[test]
    fn the_gates_own_files_and_the_agents_settings_are_protected() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |name: &str| Some(root.join(name));
        let folders = Folders::with(at("config"), at("data"), at("runtime")).unwrap();
        let protected = GuardedFiles::new(&folders, at("home")).look();
        for (path, protection) in [
            (folders.policy_file(), Protection::Own),
            (folders.confirmed_policy_file(), Protection::Own),
            (folders.audit_database(), Protection::Own),
            (folders.socket(), Protection::Own),
            (folders.endpoint_file(), Protection::Own),
            (folders.token_file("default"), Protection::Secret),
            (folders.credentials_file(), Protection::Secret),
            (folders.kept().join("contents"), Protection::Secret),
            (root.join("home/.claude/settings.json"), Protection::Agent),
            (root.join("home/.config/autostart/handraise.desktop"), Protection::Own),
            (root.join("project/.claude/settings.local.json"), Protection::Agent),
            (root.join("project/.opencode/plugins/any.ts"), Protection::Agent),
            (std::env::current_exe().unwrap(), Protection::Own),
            (std::env::current_exe().unwrap().with_file_name("handraise"), Protection::Own),
            (std::env::current_exe().unwrap().with_file_name("handraise-hook"), Protection::Own),
            (std::env::current_exe().unwrap().with_file_name("handraise-desktop"), Protection::Own),
        ] {
            assert_eq!(protected.of(&path, &mut SeenFolders::default()), Some(protection), "{}", path.display());
        }
        for path in ["home/notes.txt", "project/src/main.rs", "home/.claude/CLAUDE.md", "home"] {
            assert_eq!(protected.of(&root.join(path), &mut SeenFolders::default()), None, "{path}");
        }
    }
}
