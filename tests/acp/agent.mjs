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

// Asks the person something that is no permission.
async function elicit(client, sessionId, what, signal) {
  const form = {
    mode: "form",
    message: "Before I push",
    requestedSchema: {
      type: "object",
      properties: {
        branch: { type: "string", title: "Branch", enum: ["main", "dev"] },
        count: { type: "integer", title: "How many", minimum: 1 },
        note: { type: "string", title: "Note" },
      },
      required: ["branch", "count"],
    },
  };
  const page = { mode: "url", message: "Sign in", elicitationId: "e1", url: "https://git.example/sign-in" };
  const asked = { sessionId, ...(what === "page" ? page : form) };
  const { action, content } = await client.request("elicitation/create", asked, { cancellationSignal: signal });
  if (what === "page") await client.notify("elicitation/complete", { elicitationId: "e1" });
  return content === undefined ? action : `${action} ${JSON.stringify(content)}`;
}

// Asks about what only version 2 can tell of.
async function tell(client, sessionId) {
  const update = (sessionUpdate, fields) => client.notify("session/update", { sessionId, update: { sessionUpdate, ...fields } });
  await update("terminal_update", { terminalId: "t1", command: "npm test", cwd: "/work" });
  await update("terminal_output_chunk", { terminalId: "t1", data: Buffer.from("2 failed").toString("base64") });
  await update("tool_call_content_chunk", { toolCallId: "c1", content: { type: "terminal", terminalId: "t1" } });
  const patch = { format: "git_patch", text: "--- a/src/a\n+++ b/src/a\n@@ -1 +1 @@\n-old line\n+new line\n" };
  const diff = { type: "diff", changes: [{ operation: "modify", path: "/repo/src/a" }], patch };
  await update("tool_call_content_chunk", { toolCallId: "c1", content: diff });
  const toolCall = { toolCallId: "c1", title: "Mend a", kind: "edit", locations: [{ path: "/repo/src/a", line: 1 }] };
  const own = [
    { optionId: "slow", name: "Mend it slowly", kind: "_slow" },
    { optionId: "fast", name: "Mend it fast", kind: "_fast" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
  const asked = { sessionId, title: "May I?", subject: { type: "tool_call", toolCall }, options: own };
  const { outcome } = await client.request("session/request_permission", asked);
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
  if (what === "form" || what === "page") answer = await elicit(client, sessionId, what);
  if (what === "tell") answer = await tell(client, sessionId);
  if (what === "withdraw-form") {
    const withdrawal = new AbortController();
    process.once("SIGUSR2", () => withdrawal.abort());
    const asking = elicit(client, sessionId, "form", withdrawal.signal);
    answer = await asking.catch((error) => `error ${error.code}`);
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
