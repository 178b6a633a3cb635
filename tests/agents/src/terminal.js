// An agent in a terminal, where it can ask questions of its own.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "./wait.js";

const run = promisify(execFile);

/**
 * @param {import("./place.js").Place} place
 * @param {import("./agents/index.js").AgentProgram} agent
 * @param {string[]} words its arguments
 */
export async function runInTerminal(place, agent, words) {
  const environment = { ...place.environment, TERM: "xterm-256color" };
  const tmux = async (...words) => {
    const { stdout } = await run("tmux", ["-S", join(place.home, "tmux"), "-f", "/dev/null", ...words], {
      env: environment,
      cwd: place.project,
    });
    return stdout;
  };
  let last = "";
  // What was on the terminal last is kept for the error message when the agent has gone.
  const screen = async () => (last = await tmux("capture-pane", "-p").catch(() => last));
  await tmux("new-session", "-d", "-x", "160", "-y", "50", "-c", place.project, "--", agent.program, ...words);
  return {
    screen,
    output: () => last,
    /** @param {string | RegExp} text */
    shows: async (text) => (await screen()).search(text) >= 0,
    /** Agrees to the question on the terminal. Some take no key for a moment after they have asked. */
    agree: () =>
      until("its question to take the answer", async () => {
        await tmux("send-keys", "Enter");
        return until("it to go", async () => (await screen()).search(agent.question) < 0, 2).catch(() => false);
      }),
    waitFor: (text) => until(`the terminal to show ${text}`, async () => (await screen()).search(text) >= 0),
    // The terminal is closed, as with the mouse: the agent gets SIGHUP.
    stop: () => tmux("kill-server").catch(() => {}),
  };
}
