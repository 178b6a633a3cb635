//! Settings of agents that lie in projects, known by their names wherever they are.

use std::sync::LazyLock;

use handraise_shell::path::Literals;

use crate::control_files::is_reference_of_skill;

use super::tree::FoldedPath;
use crate::rules::plain_text::PlainText;

/// Files and folders in a project that say what hooks an agent runs, which servers it starts and what
/// it may do without asking; and its skills, commands, agents and plugins, which hold command lines and tools
/// that run without a call of their own. From the agents' documentation. A folder stands for everything in
/// it. Lower case, parts joined by `/`.
pub const PROJECT_SETTINGS: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".claude/skills",
    ".claude/commands",
    ".claude/agents",
    ".claude/output-styles",
    ".claude/plugins",
    ".claude-plugin",
    ".mcp.json",
    ".codex",
    ".gemini",
    ".qwen/settings.json",
    ".qwen/commands",
    ".qwen/skills",
    ".qwen/agents",
    ".qwen/extensions",
    ".agents/skills",
    "opencode.json",
    "opencode.jsonc",
    ".opencode",
    ".github/hooks",
    ".github/prompts",
    ".github/agents",
    ".github/skills",
    ".github/chatmodes",
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".copilot",
    ".cursor/hooks.json",
    ".cursor/commands",
    ".cursor/skills",
    ".cursor/agents",
    ".cursor/mcp.json",
    ".cursor/cli.json",
    ".vscode/mcp.json",
    ".vscode/settings.json",
    ".windsurf/hooks.json",
    ".devin/hooks.json",
    ".devin/hooks.v1.json",
    ".agents/plugins",
    ".amp/settings.json",
    ".amp/plugins",
    ".amp/commands",
    ".goose",
    ".cline/hooks",
    ".cline/skills",
    ".clinerules/workflows",
    ".windsurf/workflows",
    ".windsurf/skills",
    ".clinerules/hooks",
    "crush.json",
    ".crush.json",
    ".zed/settings.json",
    ".kiro/agents",
    ".kiro/hooks",
    ".kiro/settings",
    ".kiro/skills",
];

/// Whether the absolute path `path` is one of them, or lies in one.
pub(in crate::rules) fn is_agent_setting(path: &str) -> bool {
    static PLACES: LazyLock<Literals> =
        LazyLock::new(|| Literals::new(PROJECT_SETTINGS.iter().map(|setting| format!("/{setting}/"))));
    let place = FoldedPath::of(path);
    let place = place.as_str();
    if is_reference_of_skill(place) {
        return false;
    }
    let found = PLACES.in_text(place).into_iter().filter_map(|setting| PROJECT_SETTINGS.get(setting));
    found.into_iter().any(|setting| place.contains(&format!("/{setting}/")))
}

/// Whether a text that was not understood names one of them.
pub(super) fn mentions_setting(text: &PlainText) -> bool {
    static NAMES: LazyLock<Literals> = LazyLock::new(|| {
        Literals::new(PROJECT_SETTINGS.iter().map(|setting| setting.rsplit('/').next().unwrap_or_default()))
    });
    let possible = text.literals(&NAMES).into_iter().filter_map(|setting| PROJECT_SETTINGS.get(setting));
    possible.into_iter().any(|setting| text.has_components(setting))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_known_in_any_project() {
        for path in ["/p/.claude/settings.json", "/p/q/.codex/hooks/x.sh", "/p/OpenCode.json", "/p/.mcp.json"] {
            assert!(is_agent_setting(path), "{path}");
        }
        for path in [
            "/p/.claude/skills/x/SKILL.md",
            "/p/.claude/commands/x.md",
            "/p/.github/prompts/x.prompt.md",
            "/p/.claude/skills/x/references/run.sh",
            "/p/.codex/skills/x/hooks/references",
        ] {
            assert!(is_agent_setting(path), "{path}");
        }
        for path in [
            "/p/claude/settings.json",
            "/p/.claude/notes.md",
            "/p/.claude/skills/x/references/a/b.md",
            "/p/my.codex",
            "/p/settings.json",
            "/p/AGENTS.md",
        ] {
            assert!(!is_agent_setting(path), "{path}");
        }
    }
}
