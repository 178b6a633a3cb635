// The real `handraise`: connected as a person does it, running without a desktop, answered from outside.
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "./wait.js";

const run = promisify(execFile);

/**
 * One gate, and an agent that is connected to it.
 * @param {{ program: string, home: string, environment: Record<string, string> }} where
 */
export async function startHandraise({ program, home, environment }) {
  const token = join(home, "approver.token");
  const command = async (...words) => {
    const { stdout } = await run(program, words, { cwd: home, env: environment });
    return stdout;
  };
  const server = spawn(program, ["serve", "--port", "0", "--approver-token-file", token], {
    cwd: home,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  let printed = "";
  server.stdout.on("data", (data) => (printed += data));
  await until("Handraise to listen", () => printed.includes("\n"));

  return {
    /** @param {string} agent @param {string[]} flags */
    connect: (agent, ...flags) => command("connect", agent, "--yes", ...flags),
    /** What waits for a person. @returns {Promise<{ id: string }[]>} */
    pending: async () => JSON.parse(await command("pending", "--json", "--token-file", token)),
    /** @param {"approve" | "deny"} decision @param {string} id @param {string} [reason] */
    decide: (decision, id, reason) =>
      command(decision, id, "--token-file", token, ...(reason ? ["--reason", reason] : [])),
    /** @param {string} id of a question @param {string} text in the person's own words */
    answer: (id, text) => command("answer", id, "--token-file", token, "--text", text),
    /** From now on it answers nothing, as if it hung. */
    freeze: () => process.kill(server.pid, "SIGSTOP"),
    thaw: () => process.kill(server.pid, "SIGCONT"),
    kill: async () => {
      server.kill("SIGKILL");
      await ended;
    },
  };
}
