// Gemini CLI, by Google.
import { writeJson } from "../files.js";

export const geminiCli = {
  name: "gemini-cli",
  package: "@google/gemini-cli",
  program: "gemini",
  environment: ({ model }) => ({
    GEMINI_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  prepare: ({ home }) =>
    writeJson(`${home}/.gemini/settings.json`, {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      ui: { hideTips: true },
    }),
  free: (prompt) => ["--model", "gemini-2.5-pro", "--yolo", "--prompt", prompt],
  asking: (prompt) => ["--model", "gemini-2.5-pro", "--prompt-interactive", prompt],
  question: /Allow execution/,
  confirms: true,
  off: { ".gemini/settings.json": '{"hooksConfig": {"enabled": false}}\n' },
};
