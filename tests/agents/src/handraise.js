// The real `handraise`: connected as a person does it, running without a desktop, answered from outside.
import { execFile, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { until } from "./wait.js";

const run = promisify(execFile);

/**
 * One gate, and an agent that is connected to it.
 * @param {{ program: string, home: string, environment: Record<string, string>, confirm?: boolean }} where; with
 *   `confirm` the policy that lies there is in force
 */
export async function startHandraise({ program, home, environment, confirm = false }) {
  const token = join(home, "approver.token");
  const command = async (...words) => {
    const { stdout } = await run(program, words, { cwd: home, env: environment });
    return stdout;
  };
  const server = spawn(program, ["serve", "--port", "0", "--approver-token-file", token, ...(confirm ? ["--confirm-policy"] : [])], {
    cwd: home,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  let printed = "";
  server.stdout.on("data", (data) => (printed += data));
  await until("Handraise to listen", () => printed.includes("\n"));
  const listed = async () => JSON.parse(await command("pending", "--json", "--token-file", token));

  return {
    /** @param {string} agent @param {string[]} flags */
    connect: (agent, ...flags) => command("connect", agent, "--yes", ...flags),
    /** @param {string} agent @param {string[]} flags */
    disconnect: (agent, ...flags) => command("disconnect", agent, "--yes", ...flags),
    /** What the doctor says in the folder `cwd`; it fails where something is wrong. @param {string} agent @param {string} cwd */
    doctor: async (agent, cwd) => {
      const ended = await run(program, ["doctor", "--agent", agent], { cwd, env: environment }).catch((error) => error);
      return ended.stdout;
    },
    /** The files with which a hook finds the server. @param {string} agent */
    places: async (agent) => {
      const { stdout } = await run(program, ["doctor", "--all"], { cwd: home, env: environment }).catch((error) => error);
      const socket = /It names [\d.:]+ and (.*handraise\.sock)\./.exec(stdout)?.[1];
      return { endpoint: join(dirname(socket), "endpoint.json"), token: join(home, `.config/handraise/tokens/${agent}.token`) };
    },
    /** What waits for a person. @returns {Promise<{ id: string }[]>} */
    pending: listed,
    /**
     * As whoever has read the call: an approval names it.
     * @param {"approve" | "deny"} decision @param {string} id @param {string} [reason]
     */
    decide: async (decision, id, reason) => {
      const read = decision === "approve" ? (await listed()).find((request) => request.id === id) : undefined;
      const hash = read ? ["--hash", read.arguments_hash] : [];
      return command(decision, id, "--token-file", token, ...hash, ...(reason ? ["--reason", reason] : []));
    },
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
