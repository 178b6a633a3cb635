// Copilot CLI, by GitHub.
import { writeJson } from "../files.js";

export const copilotCli = {
  name: "copilot-cli",
  package: "@github/copilot",
  program: "copilot",
  environment: ({ model }) => ({
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_API_KEY: "none",
    COPILOT_MODEL: "scripted",
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
  }),
  prepare: ({ home, project }) =>
    writeJson(`${home}/.copilot/config.json`, { trusted_folders: [project], trustedFolders: [project], banner: "never" }),
  free: (prompt) => ["--prompt", prompt, "--allow-all-tools"],
  asking: (prompt) => ["--interactive", prompt],
  question: /Do you want to run this command/,
  off: { ".github/copilot/settings.json": '{"disableAllHooks": true}\n' },
  isOffForGood: true,
};
