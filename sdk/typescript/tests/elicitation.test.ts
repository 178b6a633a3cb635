// The handler that asks through the MCP client, with the official SDK at both ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ElicitationApprovalHandler, createApprovalRequest } from 'handraise/handlers';
import { ApprovalGate } from '@handraise/apcore';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

import { textOf } from './mcp-support.js';

const NAMED = { name: 'a-test', version: '1' };
const request = createApprovalRequest({
  moduleId: 'files.delete',
  description: 'Deletes a file',
  arguments: { name: 'a.txt', force: true },
});

/** A client whose person answers with `answer`; without one it cannot ask. */
async function clientOf(server: Server | McpServer, answer?: () => ElicitResult | Promise<ElicitResult>) {
  const client = new Client(NAMED, { capabilities: answer ? { elicitation: {} } : {} });
  const asked: ElicitRequest['params'][] = [];
  if (answer) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params);
      return answer();
    });
  }
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  return { client, asked };
}

async function decided(answer?: () => ElicitResult | Promise<ElicitResult>, options = {}) {
  const server = new Server(NAMED, { capabilities: {} });
  const { client, asked } = await clientOf(server, answer);
  const { status, reason } = await new ElicitationApprovalHandler(server, options).requestApproval(request);
  await client.close();
  return { status, reason, asked };
}

test('what the person is asked', async () => {
  const { status, asked } = await decided(() => ({ action: 'accept', content: { approve: true } }));
  assert.equal(status, 'approved');
  assert.deepEqual(asked, [
    {
      mode: 'form',
      message:
        'Approval required for tool: files.delete\n\nDeletes a file\n\nArguments: {"name":"a.txt","force":true}',
      requestedSchema: {
        type: 'object',
        properties: { approve: { type: 'boolean', title: 'Approve this action?' } },
        required: ['approve'],
      },
    },
  ]);
});

test('nothing but a yes approves', async () => {
  const answers: [ElicitResult, string][] = [
    [{ action: 'decline' }, 'User action: decline'],
    [{ action: 'cancel' }, 'User action: cancel'],
    [{ action: 'decline', content: { approve: true } }, 'User action: decline'],
    [{ action: 'accept', content: { approve: false } }, 'User declined approval'],
    // What does not fit the form does not pass the SDK; a form that is missing does.
    [{ action: 'accept', content: { approve: 'yes' } }, 'Elicitation request failed'],
    [{ action: 'accept', content: {} }, 'Elicitation request failed'],
    [{ action: 'accept' }, 'User declined approval'],
  ];
  for (const [answer, expected] of answers) {
    const { status, reason } = await decided(() => answer);
    assert.deepEqual([status, reason], ['rejected', expected], JSON.stringify(answer));
  }
});

test('a client that cannot ask, fails or does not answer in time approves nothing', async () => {
  const silent = await decided();
  assert.deepEqual([silent.status, silent.reason], ['rejected', 'The client does not support elicitation']);
  const failing = await decided(() => Promise.reject(new Error('no screen')));
  assert.deepEqual([failing.status, failing.reason], ['rejected', 'Elicitation request failed']);
  const slow = await decided(() => new Promise(() => undefined), { timeoutSeconds: 0.05 });
  assert.deepEqual([slow.status, slow.reason], ['rejected', 'Elicitation request failed']);
  const unconnected = new ElicitationApprovalHandler(new Server(NAMED, { capabilities: {} }));
  assert.equal((await unconnected.requestApproval(request)).status, 'rejected');
  const odd = new ElicitationApprovalHandler({ elicitInput: async () => undefined });
  assert.equal((await odd.requestApproval(request)).reason, 'Elicitation returned no response');
  const check = await odd.checkApproval('x');
  assert.deepEqual([check.status, check.reason], ['rejected', 'Phase B not supported via MCP elicitation']);
});

test('what is shown misleads nobody, and holds no secrets', async () => {
  const server = new Server(NAMED, { capabilities: {} });
  const { client, asked } = await clientOf(server, () => ({ action: 'decline' }));
  const hostile = createApprovalRequest({
    moduleId: 'files\u200b.delete',
    arguments: { name: '\u202egnp.exe', token: 'hunter2' },
  });
  await new ElicitationApprovalHandler(server).requestApproval(hostile);
  const message = asked[0]?.message ?? '';
  assert.match(message, /files\\u\{200B\}\.delete\n\n\n\nArguments: \{"name":"\\u\{202E\}gnp\.exe"/);
  assert.ok(!message.includes('hunter2') && !message.includes('\u202e'));
  await client.close();
});

test('a tool of a server waits for the person in front of its client', async () => {
  const server = new McpServer(NAMED);
  const log = { info: () => undefined, warn: () => undefined };
  const executor = new ApprovalGate({ handler: new ElicitationApprovalHandler(server), strict: true, log });
  const ran: unknown[] = [];
  server.registerTool('delete', { inputSchema: { name: z.string() } }, async (args) => {
    ran.push(await executor.check({ moduleId: 'files.delete', arguments: args }));
    return { content: [{ type: 'text', text: 'deleted' }] };
  });
  const answers: ElicitResult[] = [{ action: 'decline' }, { action: 'accept', content: { approve: true } }];
  const { client } = await clientOf(server, () => answers.shift() ?? { action: 'cancel' });
  const denied = await client.callTool({ name: 'delete', arguments: { name: 'a' } });
  assert.equal(denied.isError, true);
  assert.match(textOf(denied), /User action: decline/);
  assert.deepEqual(ran, []);
  assert.equal(textOf(await client.callTool({ name: 'delete', arguments: { name: 'b' } })), 'deleted');
  assert.deepEqual(ran, [{ name: 'b' }]);
  await client.close();
});
