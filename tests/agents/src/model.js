// A model of a few lines, in the four forms in which the agents speak to theirs. It asks for one
// shell command, and ends the turn once it has seen what became of that. Every request is kept.
import { createServer } from "node:http";

/** What the agents call their shell tool, with the arguments that run `command`. */
const SHELLS = {
  Bash: (command) => ({ command, description: "Make the marker" }),
  bash: (command) => ({ command, description: "Make the marker" }),
  run_shell_command: (command) => ({ command, description: "Make the marker", is_background: false }),
  exec_command: (command) => ({ cmd: command }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ["bash", "-c", command] }),
};
const CALL = "call_handraise_1";
/** The last words of the turn. */
export const END = "All done.";

/**
 * Starts the model on a free port of this machine.
 * @param {string} command what it asks the agent to run
 * @param {Record<string, (command: string) => object>} [tools] the tools that it may call, with their arguments
 */
export async function startModel(command, tools = SHELLS) {
  /** @type {{ path: string, body: string, sent: "call" | "end" | "aside" | "other" }[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const path = request.url ?? "";
      let sent = "other";
      try {
        sent = answer(path, body ? JSON.parse(body) : {}, command, tools, response);
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
      requests.push({ path, body, sent });
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Whether the model has asked for the command. */
    hasAsked: () => requests.some((request) => request.sent === "call"),
    /** What the agent told the model after that, one text for each request. */
    told: () => requests.slice(requests.findIndex((request) => request.sent === "call") + 1).map(({ body }) => body),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(path, body, command, tools, response) {
  const route = path.split("?")[0];
  const form = [
    [/\/messages$/, MESSAGES],
    [/\/responses$/, RESPONSES],
    [/\/chat\/completions$/, CHAT],
    [/:(streamGenerateContent|generateContent)$/, GEMINI],
  ].find(([pattern]) => pattern.test(route))?.[1];
  if (!form) {
    json(response, route.endsWith("/models") ? { object: "list", data: [{ id: "scripted", object: "model" }] } : {});
    return "other";
  }
  const tool = form.tools(body).find((name) => name in tools);
  // A request without tools is for a title or the like.
  const sent = !tool ? "aside" : form.hasResult(body) ? "end" : "call";
  const said = sent === "call" ? { tool, input: tools[tool](command) } : { text: sent === "end" ? END : "Marker" };
  const streams = form === GEMINI ? route.endsWith(":streamGenerateContent") : body.stream === true;
  if (streams) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of form.events(said, body)) {
      const name = event.type && form !== CHAT && form !== GEMINI ? `event: ${event.type}\n` : "";
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(form === CHAT ? "data: [DONE]\n\n" : undefined);
  } else {
    json(response, form.whole(said, body));
  }
  return sent;
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Anthropic Messages. */
const MESSAGES = {
  tools: (body) => (body.tools ?? []).map((tool) => tool.name),
  hasResult: (body) =>
    (body.messages ?? []).some(
      ({ content }) => Array.isArray(content) && content.some((block) => block.tool_use_id === CALL),
    ),
  whole: (said, body) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: body.model,
    content: [said.tool ? { type: "tool_use", id: CALL, name: said.tool, input: said.input } : { type: "text", text: said.text }],
    stop_reason: said.tool ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10 },
  }),
  events: (said, body) => {
    const whole = MESSAGES.whole(said, body);
    const block = said.tool ? { type: "tool_use", id: CALL, name: said.tool, input: {} } : { type: "text", text: "" };
    const delta = said.tool
      ? { type: "input_json_delta", partial_json: JSON.stringify(said.input) }
      : { type: "text_delta", text: said.text };
    return [
      { type: "message_start", message: { ...whole, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: whole.stop_reason, stop_sequence: null },
        usage: { input_tokens: 10, output_tokens: 10 },
      },
      { type: "message_stop" },
    ];
  },
};

/** OpenAI Responses. */
const RESPONSES = {
  tools: (body) => (body.tools ?? []).map((tool) => tool.name),
  hasResult: (body) => Array.isArray(body.input) && body.input.some((item) => item.type === "function_call_output"),
  whole: (said, body) => ({
    id: "resp_1",
    object: "response",
    created_at: 0,
    status: "completed",
    model: body.model,
    output: [
      said.tool
        ? { type: "function_call", id: "fc_1", call_id: CALL, name: said.tool, arguments: JSON.stringify(said.input), status: "completed" }
        : {
            type: "message",
            id: "msg_1",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: said.text, annotations: [] }],
          },
    ],
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 20,
    },
  }),
  events: (said, body) => {
    const response = RESPONSES.whole(said, body);
    const item = response.output[0];
    return [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response },
    ].map((event, sequence_number) => ({ ...event, sequence_number }));
  },
};

/** OpenAI Chat Completions. */
const CHAT = {
  tools: (body) => (body.tools ?? []).map((tool) => tool.function?.name),
  hasResult: (body) => (body.messages ?? []).some((message) => message.role === "tool"),
  message: (said) =>
    said.tool
      ? {
          role: "assistant",
          content: null,
          tool_calls: [
            { index: 0, id: CALL, type: "function", function: { name: said.tool, arguments: JSON.stringify(said.input) } },
          ],
        }
      : { role: "assistant", content: said.text },
  whole: (said, body) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: body.model,
    choices: [{ index: 0, message: CHAT.message(said), finish_reason: said.tool ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  }),
  events: (said, body) => {
    const { usage, ...rest } = CHAT.whole(said, body);
    const chunk = { ...rest, object: "chat.completion.chunk" };
    const [{ finish_reason }] = rest.choices;
    return [
      { ...chunk, choices: [{ index: 0, delta: CHAT.message(said), finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...chunk, choices: [], usage },
    ];
  },
};

/** Gemini generateContent. */
const GEMINI = {
  tools: (body) => (body.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map(({ name }) => name)),
  hasResult: (body) => (body.contents ?? []).some(({ parts }) => (parts ?? []).some((part) => part.functionResponse)),
  whole: (said) => ({
    candidates: [
      {
        index: 0,
        content: {
          role: "model",
          parts: [said.tool ? { functionCall: { id: CALL, name: said.tool, args: said.input } } : { text: said.text }],
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
  }),
  events: (said) => [GEMINI.whole(said)],
};
