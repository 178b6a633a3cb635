// A small agent: does what the prompt says, and asks its client for permission as agents do.
// Usage: node agent.mjs VERSION
import { Readable, Writable } from "node:stream";

const version = Number(process.argv[2]);
const acp = await import(version === 2 ? "@agentclientprotocol/sdk/experimental/v2" : "@agentclientprotocol/sdk");
const options = [
  { optionId: "yes-for-ever", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
let calls = 0;

function question(sessionId, toolCall) {
  if (version === 1) return { sessionId, toolCall, options };
  return { sessionId, title: "May I?", subject: { type: "tool_call", toolCall }, options };
}

// Asks about a command. `early`: the command is told beforehand, and the question only says which call it is.
async function ask(client, sessionId, command, early, signal) {
  const toolCallId = `call-${++calls}`;
  const whole = { toolCallId, title: command, kind: "execute", status: "pending", rawInput: { command } };
  if (early) {
    const sessionUpdate = version === 1 ? "tool_call" : "tool_call_update";
    await client.notify("session/update", { sessionId, update: { sessionUpdate, ...whole } });
  }
  const asked = question(sessionId, early ? { toolCallId } : whole);
  const { outcome } = await client.request("session/request_permission", asked, { cancellationSignal: signal });
  return outcome.optionId ?? outcome.outcome;
}

async function prompt({ params, client }) {
  const { sessionId } = params;
  const [first] = params.prompt;
  const { what, command } = JSON.parse(first.text);
  let answer = "";
  if (what === "crash") process.exit(7);
  if (what === "kill") process.kill(process.pid, "SIGKILL");
  if (what === "run") answer = await ask(client, sessionId, command, false);
  if (what === "early") answer = await ask(client, sessionId, command, true);
  if (what === "both") {
    const both = [ask(client, sessionId, command, false), ask(client, sessionId, command, false)];
    answer = (await Promise.all(both)).join();
  }
  if (what === "withdraw") {
    const withdrawal = new AbortController();
    const asking = ask(client, sessionId, command, false, withdrawal.signal);
    // The client says when: the person can see the question by then.
    process.once("SIGUSR2", () => withdrawal.abort());
    answer = await asking.catch((error) => `error ${error.code}`);
  }
  process.stderr.write(`agent was told: ${answer}\n`);
  const content = { type: "text", text: answer };
  const chunk = { sessionUpdate: "agent_message_chunk", messageId: "m1", content };
  await client.notify("session/update", { sessionId, update: chunk });
  return version === 1 ? { stopReason: "end_turn" } : { messageId: "m0" };
}

const info = { name: "test-agent", version: "1" };
const connection = acp
  .agent({ name: "test-agent" })
  .onRequest("initialize", () =>
    version === 1 ? { protocolVersion: 1, agentInfo: info } : { protocolVersion: 2, info, capabilities: { session: {} } },
  )
  .onRequest("session/new", () => ({ sessionId: "session-1" }))
  .onRequest("session/prompt", prompt)
  .onNotification("session/cancel", () => {})
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
await connection.closed;
