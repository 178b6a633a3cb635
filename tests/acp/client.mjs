// A small editor: starts an agent, sends one prompt, and prints what it saw as JSON. It would allow everything
// that it is asked.
// Usage: node client.mjs VERSION PROMPT COMMAND...
// A line "cancel" on stdin cancels the turn, "leave" ends this program, "withdraw" lets the agent withdraw.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";

const [versionText, text, command, ...commandArguments] = process.argv.slice(2);
const version = Number(versionText);
const acp = await import(version === 2 ? "@agentclientprotocol/sdk/experimental/v2" : "@agentclientprotocol/sdk");
const seen = { asked: 0, updates: [], said: "", stopped: null, error: null, exitCode: null };

const agent = spawn(command, commandArguments, { stdio: ["pipe", "pipe", "inherit"] });
const exited = new Promise((resolve) => agent.on("close", (code, signal) => resolve(code ?? signal)));

async function turn(connected) {
  const info = { name: "test-client", version: "1" };
  await connected.request("initialize", version === 1 ? { protocolVersion: 1 } : { protocolVersion: 2, info });
  const { sessionId } = await connected.request("session/new", { cwd: process.cwd(), mcpServers: [] });
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (line === "cancel") connected.notify("session/cancel", { sessionId });
    if (line === "leave") process.exit(0);
  });
  const prompt = [{ type: "text", text }];
  const ended = await connected.request("session/prompt", { sessionId, prompt });
  seen.stopped = ended.stopReason ?? ended.messageId;
}

try {
  await acp
    .client({ name: "test-client" })
    .onRequest("session/request_permission", ({ params }) => {
      seen.asked += 1;
      const option = params.options.find(({ kind }) => kind === "allow_once");
      return { outcome: { outcome: "selected", optionId: option.optionId } };
    })
    .onNotification("session/update", ({ params }) => {
      seen.updates.push(params.update.sessionUpdate);
      if (params.update.sessionUpdate === "agent_message_chunk") seen.said += params.update.content.text;
    })
    .connectWith(acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)), turn);
} catch (error) {
  seen.error = String(error.message ?? error);
}
agent.stdin.end();
seen.exitCode = await exited;
console.log(JSON.stringify(seen));
process.exit(0);
