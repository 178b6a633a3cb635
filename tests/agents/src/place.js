// A home folder with an agent in it, connected to a Handraise of its own, and a scripted model.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { writeText } from "./files.js";
import { startHandraise } from "./handraise.js";
import { startModel } from "./model.js";
import { until } from "./wait.js";

const run = promisify(execFile);
export const PROMPT = "Make the marker file.";

/**
 * @param {{ work: string, program: string, programs: string }} folders where everything of this run is, the built
 *   `handraise`, and the folder of the agents' programs
 * @param {import("./agents/index.js").AgentProgram} agent
 * @param {{ asks?: boolean, connected?: boolean, flags?: string[], tools?: object,
 *   files?: Record<string, string>, system?: boolean, policy?: string, command?: () => string }} how whether the agent's own settings
 *   ask about the call; whether the agent is connected, and with which flags of `connect`; tools that the model calls in
 *   the place of the shell; files of the project with their text; whether the settings of the whole machine keep hooks on;
 *   a policy that is confirmed; the command that the model runs in the place of making the marker
 */
export async function makePlace(
  { work, program, programs },
  agent,
  { asks = false, connected = true, flags = [], tools, files = {}, system = false, policy, command } = {},
) {
  const home = await newHome(work);
  const project = join(home, "project");
  const marker = join(project, "marker-file");
  await mkdir(project);
  const model = await startModel(command?.() ?? `touch ${marker}`, tools);
  const environment = {
    HOME: home,
    PATH: [programs, dirname(process.execPath), process.env.PATH].join(":"),
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    USER: process.env.USER ?? "user",
    ...agent.environment({ model: model.url }),
  };
  await run("git", ["init", "--quiet"], { cwd: project, env: environment });
  await agent.prepare({ home, project, model: model.url, asks });
  for (const [file, text] of Object.entries(files)) await writeText(join(project, file), text);
  if (policy) await writeText(join(home, ".config/handraise/policy.toml"), policy);
  const handraise = await startHandraise({ program, home, environment, confirm: Boolean(policy) });
  if (connected) await (agent.connect?.({ project, environment, flags }) ?? handraise.connect(agent.name, ...flags));
  if (system) await handraise.connect(agent.name, "--system");
  const place = {
    home,
    project,
    environment,
    model,
    handraise,
    hasRun: () => existsSync(marker),
    /** The request that waits for a person. `over` tells that none will come any more. */
    request: (over = () => false) =>
      until("a request to Handraise", async () => {
        const [request] = await handraise.pending();
        if (!request && over()) throw new Error("the agent ended without asking Handraise");
        return request;
      }),
    /** That nothing waits any more. */
    nothingPending: () => until("nothing to be pending", async () => (await handraise.pending()).length === 0, 20),
    async stop() {
      await handraise.kill();
      model.stop();
    },
  };
  return place;
}

/** A home folder that nothing of an earlier check writes into any more; root's, as everybody is here. */
async function newHome(work) {
  const home = await mkdtemp(join(work, "home-"));
  const users = join(work, "passwd");
  const text = await readFile(users, "utf8");
  // In place: the file is mounted over the system's.
  await writeFile(users, text.replace(/^(root:[^:]*:0:[^:]*:[^:]*:)[^:]*/m, `$1${home}`));
  return home;
}
