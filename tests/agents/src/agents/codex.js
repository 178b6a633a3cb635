// Codex CLI, by OpenAI. The sandbox is off: it needs a kernel that lets it make one, and is not what is tried here.
import { writeText } from "../files.js";

export const codex = {
  name: "codex",
  package: "@openai/codex",
  program: "codex",
  environment: () => ({}),
  prepare: async ({ home, project, model, asks }) => {
    // Its policy "untrusted" has gone; a rule makes it ask just as well.
    if (asks) await writeText(`${home}/.codex/rules/default.rules`, 'prefix_rule(pattern=["touch"], decision="prompt")\n');
    await writeText(
      `${home}/.codex/config.toml`,
      `model = "scripted"
model_provider = "local"
approval_policy = "${asks ? "on-request" : "never"}"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.local]
name = "local"
base_url = "${model}/v1"
wire_api = "responses"

[projects."${project}"]
trust_level = "trusted"
`,
    );
  },
  free: (prompt) => ["exec", "--skip-git-repo-check", prompt],
  asking: (prompt) => [prompt],
  background: { without: ["--no-daemon"], record: ".codex/app-server-daemon/daemon.pid" },
  question: /Would you like to run/,
  off: { ".codex/config.toml": "[features]\nhooks = false\n" },
  typesUnasked: true,
};
