// OpenCode.
import { writeJson, writeText } from "../files.js";

export const openCode = {
  name: "opencode",
  package: "opencode-ai",
  program: "opencode",
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  prepare: async ({ home, model, asks }) => {
    await writeJson(`${home}/.config/opencode/opencode.json`, {
      model: "local/scripted",
      small_model: "local/scripted",
      autoupdate: false,
      share: "disabled",
      permission: asks ? { bash: "ask" } : {},
      provider: {
        local: {
          npm: "@ai-sdk/openai-compatible",
          name: "local",
          options: { baseURL: `${model}/v1`, apiKey: "none" },
          models: { scripted: { name: "scripted", tool_call: true } },
        },
      },
    });
    // Beside a plugin it installs the package for writing one, and waits for that; without network this must fail at once.
    await writeText(`${home}/.npmrc`, "registry=http://127.0.0.1:9/\nfetch-retries=0\n");
  },
  free: (prompt) => ["run", prompt],
  asking: (prompt) => ["--prompt", prompt],
  question: /Permission required/,
  asksMeanwhile: true,
};
