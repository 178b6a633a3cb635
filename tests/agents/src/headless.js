// An agent without a terminal, which ends with its turn.
import { spawn } from "node:child_process";
import { until } from "./wait.js";

/**
 * @param {import("./place.js").Place} place
 * @param {import("./agents/index.js").AgentProgram} agent
 */
export function runHeadless(place, agent, prompt) {
  // In a session of its own, as an agent has its own terminal: the agent is not part of this program's processes.
  const child = spawn(agent.program, agent.free(prompt), {
    cwd: place.project,
    env: { ...place.environment, TERM: "dumb" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  let isOver = false;
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  child.once("error", (error) => {
    output += error;
    isOver = true;
  });
  child.once("close", () => (isOver = true));
  return {
    isOver: () => isOver,
    output: () => output,
    end: () => until(`${agent.program} to end`, () => isOver),
    stop() {
      try {
        if (child.pid) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    },
  };
}
