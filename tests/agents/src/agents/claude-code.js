// Claude Code, by Anthropic. Bypass mode is refused to root, whom a private namespace makes of everybody; a tool that
// is allowed beforehand runs just as freely.
import { writeJson } from "../files.js";

export const claudeCode = {
  name: "claude-code",
  package: "@anthropic-ai/claude-code",
  program: "claude",
  environment: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_AUTH_TOKEN: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  prepare: ({ home, project }) =>
    writeJson(`${home}/.claude.json`, {
      hasCompletedOnboarding: true,
      theme: "dark",
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
  free: (prompt) => ["--print", prompt, "--allowedTools", "Bash"],
  asking: (prompt) => ["--permission-mode", "default", prompt],
  question: /Do you want to proceed/,
  asksMeanwhile: true,
  off: { ".claude/settings.json": '{"disableAllHooks": true}\n' },
};
