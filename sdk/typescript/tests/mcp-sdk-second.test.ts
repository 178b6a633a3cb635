// gateServer and gateClient with SDK 2.x.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';

import { type Approver, type Client as Gate } from 'handraise';
import { gateClient, gateServer } from 'handraise/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { textOf } from './mcp-support.js';
import { RunningGate, eventually, pending } from './running-gate.js';

let gate: RunningGate;
let approver: Approver;
let client: Gate;
const closing: (() => unknown)[] = [];

before(async () => {
  gate = await RunningGate.start('version = 1\n');
  approver = gate.approver();
  client = gate.client();
});
after(async () => {
  for (const close of closing) await close();
  approver.close();
  client.close();
  await gate.stop();
});

const ran: string[] = [];
const list = z.object({ list: z.string() });

/** A gated server: the SDK makes one for each request. */
function mail(): McpServer {
  const server = gateServer(new McpServer({ name: 'mine', version: '1' }), { client, server: 'own' });
  const inputSchema = z.object({ to: z.string() });
  server.registerTool('mail', { description: 'Sends mail.', inputSchema }, ({ to }, ctx) => {
    const chosen = acceptedContent(ctx.mcpReq.inputResponses, 'which', list);
    if (chosen === undefined) {
      const which = inputRequired.elicit({
        message: 'Which list?',
        requestedSchema: { type: 'object', properties: { list: { type: 'string' } }, required: ['list'] },
      });
      return inputRequired({ inputRequests: { which }, requestState: 'half way' });
    }
    ran.push(`${to} of ${chosen.list}`);
    return { content: [{ type: 'text', text: `sent to ${to}` }] };
  });
  return server;
}

async function listening(): Promise<URL> {
  const handler = toNodeHandler(createMcpHandler(mail));
  const server = createServer((request, response) => void handler(request as never, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

function caller(): Client {
  const one = new Client(
    { name: 'a-test', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  one.setRequestHandler('elicitation/create', () => ({
    action: 'accept' as const,
    content: { list: 'staff' },
  }));
  closing.push(() => one.close());
  return one;
}

/** Approves the call with other arguments, and then what was typed. */
async function approveBoth(): Promise<void> {
  const first = await pending(approver, 'mail');
  await approver.approve(first, { arguments: { to: 'Bob' } });
  const next = await eventually('what is typed', async () => {
    const { approvals } = await approver.list();
    return approvals.find(({ id }) => id !== first.id);
  });
  assert.match(JSON.stringify(next.description), /Which list\?.*staff/s);
  await approver.approve(next);
}

test('a server of SDK 2.x: every call asks, and goes on where it was left', async () => {
  const one = caller();
  await one.connect(new StreamableHTTPClientTransport(await listening()));
  const call = { name: 'mail', arguments: { to: 'Ann' } };
  const denied = one.callTool(call);
  await approver.deny(await pending(approver, 'mail'), 'not Ann');
  assert.equal(textOf(await denied), 'Denied: not Ann');
  assert.deepEqual(ran, []);

  const sent = one.callTool(call);
  await approveBoth();
  assert.equal(textOf(await sent), 'sent to Bob');
  assert.deepEqual(ran, ['Bob of staff']);

  const abort = new AbortController();
  const cancelled = one.callTool(call, { signal: abort.signal });
  cancelled.catch(() => {});
  await pending(approver, 'mail');
  abort.abort();
  await assert.rejects(cancelled);
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
});

test('a client of SDK 2.x: nothing reaches the server before it is approved, also what the SDK sends itself', async () => {
  const command = { command: process.execPath, args: [resolve('build/tests/modern-server.js')] };
  for (const isEarly of [true, false]) {
    const one = caller();
    if (isEarly) gateClient(one, { client, server: 'other' });
    await one.connect(new StdioClientTransport(command));
    if (!isEarly) gateClient(one, { client, server: 'other' });
    const denied = one.callTool({ name: 'greet' });
    await approver.deny(await pending(approver, 'greet'), 'no');
    assert.equal(textOf(await denied), 'Denied: no');
    const sent = one.callTool({ name: 'mail', arguments: { to: 'Ann' } });
    await approveBoth();
    assert.equal(textOf(await sent), 'sent to Bob of staff');

    const abort = new AbortController();
    const cancelled = one.callTool({ name: 'greet' }, { signal: abort.signal });
    cancelled.catch(() => {});
    await pending(approver, 'greet');
    abort.abort();
    await assert.rejects(cancelled);
    await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
  }
});

test('a client of SDK 2.x over HTTP: headers follow the arguments, and an abort takes the question back', async () => {
  const one = gateClient(caller(), { client, server: 'remote' });
  await one.connect(new StreamableHTTPClientTransport(await remote()));
  await one.listTools();
  const call = { name: 'routed', arguments: { region: 'eu' } };
  const routed = one.callTool(call);
  await approver.approve(await pending(approver, 'routed'), { arguments: { region: 'us' } });
  assert.equal(textOf(await routed), 'us');

  const abort = new AbortController();
  const cancelled = one.callTool(call, { signal: abort.signal });
  cancelled.catch(() => {});
  await pending(approver, 'routed');
  abort.abort();
  await assert.rejects(cancelled);
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
});

/** A server of its own, without a gate. */
async function remote(): Promise<URL> {
  const inputSchema = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) });
  const handler = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer({ name: 'remote', version: '1' });
      server.registerTool('routed', { inputSchema }, ({ region }) => ({
        content: [{ type: 'text', text: region }],
      }));
      return server;
    }),
  );
  const server = createServer((request, response) => void handler(request as never, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}
