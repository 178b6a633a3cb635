// A small editor: starts an agent, sends one prompt, and prints what it saw as JSON. It would allow everything
// that it is asked.
// Usage: node client.mjs VERSION PROMPT COMMAND...
// With ASKS=form or ASKS=form,url in the environment it can ask its person, who says nothing until a line "answer" comes.
// A line "cancel" on stdin cancels the turn, "leave" ends this program, "withdraw" lets the agent withdraw.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";

const [versionText, text, command, ...commandArguments] = process.argv.slice(2);
const version = Number(versionText);
const acp = await import(version === 2 ? "@agentclientprotocol/sdk/experimental/v2" : "@agentclientprotocol/sdk");
const modes = (process.env.ASKS ?? "").split(",").filter((mode) => mode !== "");
const elicitation = Object.fromEntries(modes.map((mode) => [mode, {}]));
const capabilities = modes.length === 0 ? {} : { elicitation };
let reply = () => {};
const seen = { elicited: 0, takenBack: 0, completed: 0, asked: 0, updates: [], said: "", stopped: null, error: null, exitCode: null };

const agent = spawn(command, commandArguments, { stdio: ["pipe", "pipe", "inherit"] });
const exited = new Promise((resolve) => agent.on("close", (code, signal) => resolve(code ?? signal)));

async function turn(connected) {
  const info = { name: "test-client", version: "1" };
  const says = version === 1 ? { clientCapabilities: capabilities } : { info, capabilities };
  await connected.request("initialize", { protocolVersion: version, ...says });
  const { sessionId } = await connected.request("session/new", { cwd: process.cwd(), mcpServers: [] });
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (line === "cancel") connected.notify("session/cancel", { sessionId });
    if (line === "leave") process.exit(0);
    if (line === "answer") reply({ action: "accept", content: { branch: "dev", count: 1 } });
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
    .onRequest("elicitation/create", ({ signal }) => {
      seen.elicited += 1;
      process.stderr.write("client asks\n");
      return new Promise((resolve) => {
        reply = resolve;
        signal.addEventListener("abort", () => {
          seen.takenBack += 1;
          resolve({ action: "accept", content: { branch: "main", count: 99 } });
        });
      });
    })
    .onNotification("elicitation/complete", () => {
      seen.completed += 1;
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
