// A server of SDK 2.x, which speaks both eras: over stdin and stdout, or with `--http` over HTTP, where its first line
// on stdout is its address. `--modern-only` refuses the older era; `--legacy` is a server of SDK 1.x.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const { values } = parseArgs({
  options: { http: { type: 'boolean' }, 'modern-only': { type: 'boolean' }, legacy: { type: 'boolean' } },
});
const text = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const inputSchema = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }), count: z.number() });
const list = z.object({ list: z.string() });

/** Calls of `hang`. */
const hanging = { begun: 0, cancelled: 0 };

/** A server with the tools of the tests. */
function second(): McpServer {
  const server = new McpServer({ name: 'second', version: '2' });
  server.registerTool('greet', { description: 'Says hello.' }, () => text('hello'));
  server.registerTool('routed', { description: 'Is sent by a header.', inputSchema }, ({ region, count }) =>
    text(`${region} ${count}`),
  );
  server.registerTool('structured', { outputSchema: z.object({ fine: z.boolean() }) }, () => ({
    ...text('fine'),
    structuredContent: { fine: true },
  }));
  server.registerTool('hanging', { description: 'Says how many hang.' }, () => text(JSON.stringify(hanging)));
  server.registerTool('hang', { description: 'Waits until it is cancelled.' }, async (ctx) => {
    const { signal } = ctx.mcpReq;
    hanging.begun += 1;
    await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
    hanging.cancelled += 1;
    return text('never');
  });
  server.registerTool(
    'mail',
    { description: 'Asks for a list.', inputSchema: z.object({ to: z.string() }) },
    (args, ctx) => {
      const chosen = acceptedContent(ctx.mcpReq.inputResponses, 'which', list);
      if (chosen !== undefined) return text(`sent to ${args.to} of ${chosen.list}`);
      // For one who is written to at any price it asks until it has an answer.
      if (ctx.mcpReq.inputResponses !== undefined && args.to !== 'Ann, at any price') return text('not sent');
      const which = inputRequired.elicit({
        message: 'Which list?',
        requestedSchema: { type: 'object', properties: { list: { type: 'string' } }, required: ['list'] },
      });
      return inputRequired({ inputRequests: { which }, requestState: `mail to ${args.to}` });
    },
  );
  server.registerTool(
    'draft',
    {
      description: 'Asks the person for a list and the model for words.',
      inputSchema: z.object({ to: z.string() }),
    },
    (args, ctx) => {
      const { inputResponses } = ctx.mcpReq;
      const chosen = acceptedContent(inputResponses, 'which', list);
      const words = inputResponse(inputResponses, 'words');
      if (inputResponses !== undefined)
        return text(JSON.stringify({ to: args.to, list: chosen?.list ?? null, words: words.kind }));
      const which = inputRequired.elicit({
        message: 'Which list?',
        requestedSchema: { type: 'object', properties: { list: { type: 'string' } }, required: ['list'] },
      });
      const content = { type: 'text' as const, text: 'Write a letter.' };
      const sampled = inputRequired.createMessage({ messages: [{ role: 'user', content }], maxTokens: 100 });
      return inputRequired({ inputRequests: { which, words: sampled }, requestState: `draft to ${args.to}` });
    },
  );
  return server;
}

function first(): FirstServer {
  const server = new FirstServer({ name: 'first', version: '1' });
  server.registerTool('greet', { description: 'Says hello.' }, () => text('hello'));
  const inputSchema = { to: z.string() };
  server.registerTool(
    'letter',
    { description: 'Asks for a list.', inputSchema },
    async ({ to }, { signal }) => {
      const message = 'Which list?';
      const properties = { list: { type: 'string' as const } };
      const requestedSchema = { type: 'object' as const, properties, required: ['list'] };
      const { action, content } = await server.server.elicitInput({ message, requestedSchema }, { signal });
      return text(
        action === 'accept' ? `sent to ${to} of ${String(content?.['list'])}` : `${action}: not sent`,
      );
    },
  );
  return server;
}

async function listen(handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  const server = createServer(handler);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);
}

/** One transport of SDK 1.x for each session. */
function firstHandler(): (request: IncomingMessage, response: ServerResponse) => void {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return (request, response) => {
    void (async () => {
      const known = sessions.get(String(request.headers['mcp-session-id']));
      if (known !== undefined) return known.handleRequest(request, response);
      const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
      await first().connect(transport as never);
      return transport.handleRequest(request, response);
    })();
  };
}

const refusesLegacy = values['modern-only'] ? { legacy: 'reject' as const } : {};
if (values.http) {
  if (values.legacy) await listen(firstHandler());
  else {
    const handler = toNodeHandler(createMcpHandler(second, refusesLegacy));
    await listen((request, response) => void handler(request as never, response));
  }
} else if (values.legacy) await first().connect(new StdioServerTransport());
else serveStdio(second, refusesLegacy);
