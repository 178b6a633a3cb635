// A server with the tools, resources and prompts that the official conformance suite looks for, over
// Streamable HTTP with the transport of the official SDK. Its first line on stdout is its address.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as mcp from '@modelcontextprotocol/sdk/types.js';

import { PROMPTS, resource, SIMPLE, text, URIS } from './conformance-contents.js';

const pause = () => new Promise((done) => setTimeout(done, 20));

type Extra = Parameters<Parameters<Server['setRequestHandler']>[1]>[1];
type Tool = (args: Record<string, string>, server: Server, extra: Extra) => unknown;

const elicit = async (
  server: Server,
  extra: Extra,
  message: string,
  properties: object,
  required: string[] = [],
) => {
  const requestedSchema = { type: 'object', properties, required };
  const params = { message, requestedSchema } as never;
  const { action, content } = await server.elicitInput(params, { relatedRequestId: extra.requestId });
  return {
    content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)],
  };
};
const titled = ['value1', 'value2', 'value3'].map((value, at) => ({
  const: value,
  title: `Option ${at + 1}`,
}));

const TOOLS: Record<string, Tool> = {
  ...SIMPLE,
  async test_tool_with_logging(_args, _server, extra) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
      await pause();
    }
    return { content: [text('done')] };
  },
  async test_tool_with_progress(_args, _server, extra) {
    const progressToken = extra._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
      await pause();
    }
    return { content: [text(String(progressToken))] };
  },
  async test_sampling({ prompt = '' }, server, extra) {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
    const answer = await server.createMessage(
      { messages, maxTokens: 100 },
      { relatedRequestId: extra.requestId },
    );
    return { content: [text(`LLM response: ${JSON.stringify(answer.content)}`)] };
  },
  test_elicitation: ({ message = '' }, server, extra) =>
    elicit(
      server,
      extra,
      message,
      { username: { type: 'string', description: 'Name' }, email: { type: 'string' } },
      ['username', 'email'],
    ),
  test_elicitation_sep1034_defaults: (_args, server, extra) =>
    elicit(server, extra, 'Defaults', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  test_elicitation_sep1330_enums: (_args, server, extra) =>
    elicit(server, extra, 'Enums', {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    }),
};

function fixtures(): Server {
  const capabilities = {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    logging: {},
    completions: {},
  };
  const server = new Server({ name: 'conformance-fixtures', version: '1' }, { capabilities });
  const inputSchema = { type: 'object' as const };
  server.setRequestHandler(mcp.ListToolsRequestSchema, () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema })),
  }));
  server.setRequestHandler(mcp.CallToolRequestSchema, async ({ params }, extra) => {
    const answer = await TOOLS[params.name]?.(
      (params.arguments ?? {}) as Record<string, string>,
      server,
      extra as never,
    );
    return answer as mcp.CallToolResult;
  });
  const named = (uri: string) => ({ uri, name: uri, description: uri, mimeType: 'text/plain' });
  server.setRequestHandler(mcp.ListResourcesRequestSchema, () => ({ resources: URIS.map(named) }));
  server.setRequestHandler(mcp.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler(mcp.ReadResourceRequestSchema, ({ params }) => ({
    contents: [resource(params.uri)] as never,
  }));
  server.setRequestHandler(mcp.SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(mcp.UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(mcp.SetLevelRequestSchema, () => ({}));
  server.setRequestHandler(mcp.ListPromptsRequestSchema, () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({ name, description: name })),
  }));
  server.setRequestHandler(
    mcp.GetPromptRequestSchema,
    ({ params }) => PROMPTS[params.name]?.(params.arguments ?? {}) as mcp.GetPromptResult,
  );
  server.setRequestHandler(mcp.CompleteRequestSchema, () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
  return server;
}

const sessions = new Map<string, StreamableHTTPServerTransport>();
let address = '';

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { host, origin, 'mcp-session-id': id } = request.headers;
  const isLocal = (name: string) => name === address || name === address.replace('127.0.0.1', 'localhost');
  const isForeign = origin !== undefined && !isLocal(origin.replace('http://', ''));
  if (!isLocal(host ?? '') || isForeign) return void response.writeHead(403).end();
  let transport = typeof id === 'string' ? sessions.get(id) : undefined;
  if (transport === undefined) {
    const made = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, made),
    });
    await fixtures().connect(made as never);
    transport = made;
  }
  await transport.handleRequest(request, response);
}

const server = createServer((request, response) => void handle(request, response));
server.listen(0, '127.0.0.1', () => {
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.stdout.write(`${JSON.stringify({ url: `http://${address}/mcp` })}\n`);
});
