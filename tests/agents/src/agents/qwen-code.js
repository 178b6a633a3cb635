// Qwen Code, by Alibaba.
import { writeJson } from "../files.js";

export const qwenCode = {
  name: "qwen-code",
  package: "@qwen-code/qwen-code",
  program: "qwen",
  environment: ({ model }) => ({
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_MODEL: "scripted",
  }),
  prepare: ({ home }) =>
    writeJson(`${home}/.qwen/settings.json`, {
      security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    }),
  free: (prompt) => ["--yolo", "--prompt", prompt],
  asking: (prompt) => ["--approval-mode", "default", "--prompt-interactive", prompt],
  question: /Allow execution/,
  confinesOnlyWhatItAsks: true,
  off: { ".qwen/settings.json": '{"disableAllHooks": true}\n' },
};
