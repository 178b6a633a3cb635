// OpenCode with the plugin of the npm package `@handraise/opencode`, installed the way docs/mcp.md says.
import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeJson, writeText } from "../files.js";
import { openCode } from "./opencode.js";

const run = promisify(execFile);
const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "../../../../sdk/typescript");

export const openCodePlugin = {
  ...openCode,
  name: "opencode-plugin",
  raisesHand: true,
  connect: async ({ project, environment, flags }) => {
    const folder = join(project, ".opencode");
    await mkdir(join(folder, "node_modules/@opencode-ai"), { recursive: true });
    const npm = async (cwd, ...words) => (await run("npm", [...words, "--silent"], { cwd, env: environment })).stdout;
    const pack = ["pack", "--ignore-scripts", "--pack-destination", folder, ".", "./adapters/opencode"];
    const [core, plugin] = (await npm(PACKAGE, ...pack)).trim().split("\n").slice(-2);
    const dependencies = { handraise: `file:./${core}`, "@handraise/opencode": `file:./${plugin}` };
    await writeJson(join(folder, "package.json"), { dependencies });
    await npm(folder, "install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps");
    // OpenCode itself installs this beside every plugin, which takes a network.
    const beside = "node_modules/@opencode-ai/plugin";
    await symlink(join(PACKAGE, beside), join(folder, beside));
    await writeText(join(folder, "plugins/handraise-sdk.ts"), pluginFile(flags));
  },
};

/** The file of docs/mcp.md, or one with the options that correspond to flags of `handraise connect`. */
function pluginFile(flags) {
  const options = {};
  if (flags.includes("--only-what-agent-asks")) options.everyCall = false;
  if (flags.includes("--deadline")) options.deadlineSeconds = Number(flags[flags.indexOf("--deadline") + 1]);
  if (Object.keys(options).length === 0) return "export { Handraise } from '@handraise/opencode';\n";
  return `import { handraise } from '@handraise/opencode';\nexport const Handraise = handraise(${JSON.stringify(options)});\n`;
}
