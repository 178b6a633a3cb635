// `handraise-mcp serve` speaks both eras, on one connection.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { answer, handraiseMcp, textOf } from './mcp-support.js';
import { endPrograms, speaking } from './programs.js';
import { RunningGate, eventually, pending } from './running-gate.js';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

let gate: RunningGate;
let approver: Approver;

before(async () => {
  gate = await RunningGate.start('version = 1\n');
  approver = gate.approver();
});
after(async () => {
  endPrograms();
  approver.close();
  await gate.stop();
});

interface Answer {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; data?: Record<string, unknown> };
}

test('a client of SDK 2.x asks, runs and takes back', async () => {
  const [command = '', ...args] = handraiseMcp(gate, 'serve');
  const client = new Client(
    { name: 'a-second-client', version: '2' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StdioClientTransport({ command, args }));
  const { tools } = await client.listTools();
  assert.equal(tools.length, 7);
  const asked = client.callTool({ name: 'raise_hand', arguments: { question: 'Which?' } });
  const question = await answer(gate, { custom: 'this' });
  assert.equal(question['agent'], 'a-second-client');
  assert.equal(textOf(await asked), 'this');

  const abort = new AbortController();
  const call = { name: 'execute_command', arguments: { command: 'touch', args: ['/nowhere/x'] } };
  const taken = client.callTool(call, { signal: abort.signal });
  taken.catch(() => {});
  await pending(approver, 'execute_command');
  abort.abort();
  await assert.rejects(taken);
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
  await client.close();
});

test('each message is answered in the form of its revision', async () => {
  const { child, write, next } = speaking(handraiseMcp(gate, 'serve'));
  const ask = (method: string, params?: object) => {
    write({ id: method, method, ...(params === undefined ? {} : { params }) });
    return next<Answer>();
  };

  const discovered = (await ask('server/discover', { _meta: meta })).result;
  assert.deepEqual(discovered?.['supportedVersions'], ['2026-07-28']);
  assert.equal(discovered?.['resultType'], 'complete');
  const listed = (await ask('tools/list', { _meta: meta })).result;
  assert.equal(listed?.['cacheScope'], 'public');
  assert.equal(typeof listed?.['ttlMs'], 'number');

  // The older era on the same connection: nothing of the newer one is in its answers.
  const opened = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {} });
  assert.equal(opened.result?.['protocolVersion'], '2025-06-18');
  assert.deepEqual(Object.keys((await ask('tools/list')).result ?? {}), ['tools']);
  assert.deepEqual((await ask('ping')).result, {});
  assert.equal(
    (await ask('initialize', { protocolVersion: '1999' })).result?.['protocolVersion'],
    '2025-11-25',
  );

  assert.equal((await ask('ping', { _meta: meta })).error?.code, -32601);
  assert.equal((await ask('nothing')).error?.code, -32601);
  const half = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  assert.equal((await ask('tools/list', { _meta: half })).error?.code, -32602);
  const later = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
  const unknown = (await ask('tools/list', { _meta: later })).error;
  assert.equal(unknown?.code, -32022);
  assert.equal(unknown?.data?.['requested'], '2031-01-01');

  const acknowledged = await ask('subscriptions/listen', {
    _meta: meta,
    notifications: { toolsListChanged: true },
  });
  assert.equal(acknowledged.method, 'notifications/subscriptions/acknowledged');
  assert.deepEqual(acknowledged.params?.['notifications'], {});
  assert.equal((await next<Answer>()).result?.['resultType'], 'complete');
  child.stdin.end();
});
