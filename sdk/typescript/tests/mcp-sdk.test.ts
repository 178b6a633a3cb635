import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { type Approver, type Client as Gate } from 'handraise';
import { gateClient, gateServer } from 'handraise/mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

import { connect, oddServer, textOf } from './mcp-support.js';
import { RunningGate, eventually, pending } from './running-gate.js';

const POLICY = `version = 1
trusted_servers = ["own"]
[[rule]]
pattern = "mcp__other__count"
action = "allow"
`;

let gate: RunningGate;
let approver: Approver;
let client: Gate;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
  client = gate.client();
});
after(async () => {
  approver.close();
  client.close();
  await gate.stop();
});

test('a server of the official SDK: every tool asks, also those that come later', async () => {
  const server = new McpServer({ name: 'mine', version: '1' });
  const ran: unknown[] = [];
  const inputSchema = { to: z.string() };
  const answer = ({ to }: { to: string }) => {
    ran.push(to);
    return { content: [{ type: 'text' as const, text: `sent to ${to}` }], structuredContent: { ok: true } };
  };
  server.registerTool('look', { annotations: { readOnlyHint: true } }, () => ({ content: [] }));
  gateServer(server, { client, server: 'own' });
  server.registerTool('send', { inputSchema, outputSchema: { ok: z.boolean() } }, answer);

  const caller = new Client({ name: 'a-test', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), caller.connect(other)]);
  await caller.listTools();
  assert.notEqual((await caller.callTool({ name: 'look' })).isError, true);

  const send = { name: 'send', arguments: { to: 'Ann' } };
  const denied = caller.callTool(send);
  await approver.deny(await pending(approver, 'send'), 'not Ann');
  // It has an output schema: the official client takes this only as an error.
  assert.equal((await denied).isError, true);
  assert.equal(textOf(await denied), 'Denied: not Ann');
  assert.deepEqual(ran, []);

  const approved = caller.callTool(send);
  await approver.approve(await pending(approver, 'send'), { arguments: { to: 'Bob' } });
  assert.equal(textOf(await approved), 'sent to Bob');
  assert.deepEqual(ran, ['Bob']);
  await caller.close();
});

test('a server of the official SDK: each session of its transport is one of its own', async () => {
  const inSession = async (sessionId: string) => {
    const server = gateServer(new McpServer({ name: 'mine', version: '1' }), {
      client,
      server: 'own',
      session: 'program',
    });
    server.registerTool('mail', {}, () => ({ content: [{ type: 'text' as const, text: 'sent' }] }));
    const caller = new Client({ name: 'a-test', version: '1' });
    const [one, other] = InMemoryTransport.createLinkedPair();
    one.sessionId = sessionId;
    await Promise.all([server.connect(one), caller.connect(other)]);
    return caller;
  };
  const [first, second] = await Promise.all([inSession('one'), inSession('two')]);
  const asked = first.callTool({ name: 'mail' });
  const approval = await pending(approver, 'mail');
  assert.match(approval.session?.id ?? '', /^program\/[0-9a-f]{32}$/);
  await approver.approve(approval, { scope: 'session', breadth: 'tool' });
  assert.equal(textOf(await asked), 'sent');
  assert.equal(textOf(await first.callTool({ name: 'mail' })), 'sent');
  const unasked = second.callTool({ name: 'mail' });
  await approver.deny(await pending(approver, 'mail'), 'asked');
  assert.equal(textOf(await unasked), 'Denied: asked');
  await Promise.all([first.close(), second.close()]);
});

test('a client of the official SDK: nothing reaches the server before it is approved', async () => {
  const caller = gateClient(await connect(oddServer()), { client, server: 'other' });
  const denied = caller.callTool({ name: 'echo', arguments: { a: 1 } });
  await approver.deny(await pending(approver, 'echo'), 'no');
  assert.equal(textOf(await denied), 'Denied: no');
  // By `request`, past `callTool`.
  const raw = caller.request({ method: 'tools/call', params: { name: 'echo' } }, CallToolResultSchema);
  await approver.deny(await pending(approver, 'echo'), 'neither');
  assert.equal(textOf(await raw), 'Denied: neither');
  assert.equal(textOf(await caller.callTool({ name: 'count', arguments: {} })), '1');

  const changing = caller.callTool({ name: 'change', arguments: {} });
  await approver.approve(await pending(approver, 'change'));
  await changing;
  await caller.listTools();
  const asked = caller.callTool({ name: 'greet', arguments: {} });
  const approval = await pending(approver, 'greet');
  assert.match(JSON.stringify(approval.description), /has changed what it says/);
  await approver.deny(approval);
  await asked;
  await caller.close();
});

test('who aborts takes the request back', async () => {
  const caller = gateClient(await connect(oddServer()), { client, server: 'other' });
  const abort = new AbortController();
  const asked = caller.callTool({ name: 'echo', arguments: {} }, undefined, { signal: abort.signal });
  asked.catch(() => {});
  await pending(approver, 'echo');
  abort.abort(new Error('changed my mind'));
  await assert.rejects(asked, /changed my mind/);
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
  await caller.close();
});
