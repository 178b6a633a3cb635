import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import { connect, emptyFolder, endClients, handraiseMcp, oddServer, textOf } from './mcp-support.js';
import { RunningGate, eventually, pending } from './running-gate.js';

const POLICY = `version = 1
[[rule]]
pattern = "mcp__open__*"
action = "allow"
`;

let gate: RunningGate;
let approver: Approver;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
});
after(async () => {
  await endClients();
  approver.close();
  await gate.stop();
});

/** A client behind the proxy, with pins of its own. */
function proxied(data: string, command: string[], ...options: string[]): Promise<Client> {
  const words = ['--name', 'open', '--data-dir', data, ...options, '--', ...command];
  return connect(handraiseMcp(gate, 'proxy', ...words));
}

const shown = (pieces: unknown) => JSON.stringify(pieces);
const greet = { name: 'greet', arguments: {} };

test('a definition that changes is shown and asked about, also after a restart', async () => {
  const data = await emptyFolder();
  const client = await proxied(data, oddServer());
  assert.equal(textOf(await client.callTool(greet)), 'done');
  await client.callTool({ name: 'change', arguments: {} });

  const denied = client.callTool(greet);
  const approval = await pending(approver, 'greet');
  assert.match(shown(approval.description), /has changed what it says.*id_ed25519/s);
  await approver.deny(approval, 'a trap');
  assert.equal(textOf(await denied), 'Denied: a trap');

  const approved = client.callTool(greet);
  await approver.approve(await pending(approver, 'greet'));
  assert.equal(textOf(await approved), 'done');
  // Looked at once, it is the pinned one.
  assert.equal(textOf(await client.callTool(greet)), 'done');

  const later = await proxied(data, oddServer());
  const asked = later.callTool(greet);
  await approver.deny(await pending(approver, 'greet'));
  assert.match(textOf(await asked), /^Denied/);
});

test('names that collide are asked about', async () => {
  const twice = await proxied(await emptyFolder(), oddServer('--double', 'Greet'));
  const asked = twice.callTool(greet);
  const approval = await pending(approver, 'greet');
  assert.match(shown(approval.description), /looks alike/);
  await approver.deny(approval);
  await asked;

  const data = await emptyFolder();
  const one = await proxied(data, oddServer());
  await one.callTool(greet);
  const other = await proxied(data, oddServer('--description', 'Another one.'), '--name', 'open_too');
  const shared = other.callTool(greet);
  const about = await pending(approver, 'greet');
  assert.match(shown(about.description), /offers another tool with this name/);
  await approver.deny(about);
  await shared;
});

test('another server behind the same name is asked about', async () => {
  const data = await emptyFolder();
  await (await proxied(data, oddServer())).callTool(greet);
  const other = await proxied(data, oddServer('--double', 'more'));
  const asked = other.callTool(greet);
  const approval = await pending(approver, 'greet');
  assert.match(shown(approval.description), /Another server goes by the name/);
  await approver.approve(approval);
  assert.equal(textOf(await asked), 'done');
  assert.equal(textOf(await other.callTool(greet)), 'done');
});

test('a tool that the server does not list is asked about', async () => {
  const client = await proxied(await emptyFolder(), oddServer());
  const asked = client.callTool({ name: 'hidden', arguments: {} });
  const approval = await pending(approver, 'hidden');
  assert.match(shown(approval.description), /does not list/);
  await approver.deny(approval);
  await asked;
});

test('who cancels takes the request back, and the server never sees the call', async () => {
  const client = await proxied(await emptyFolder(), oddServer(), '--name', 'asked');
  const abort = new AbortController();
  const asked = client.callTool(greet, undefined, { signal: abort.signal });
  asked.catch(() => {});
  await pending(approver, 'greet');
  abort.abort('changed my mind');
  await assert.rejects(asked);
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
  const counted = client.callTool({ name: 'count', arguments: {} });
  await approver.approve(await pending(approver, 'count'));
  assert.equal(textOf(await counted), '1');
});

test('a client that goes away takes its requests along', async () => {
  const client = await proxied(await emptyFolder(), oddServer(), '--name', 'asked');
  client.callTool(greet).catch(() => {});
  await pending(approver, 'greet');
  await client.close();
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
});

test('a gate that stops in the middle approves nothing', async () => {
  const mortal = await RunningGate.start();
  try {
    const words = ['--name', 'm', '--reconnect', '0', '--', ...oddServer()];
    const client = await connect(handraiseMcp(mortal, 'proxy', ...words));
    const asked = client.callTool(greet);
    await pending(mortal.approver(), 'greet');
    await mortal.kill();
    assert.match(textOf(await asked), /^Denied: .*Handraise/);
    assert.match(textOf(await client.callTool(greet)), /^Denied: .*Handraise/);
    const listed = await client.listTools();
    assert.ok(listed.tools.length > 0);
  } finally {
    await mortal.stop();
  }
});

test('what programs read differently never reaches the server', async () => {
  const [program = '', ...args] = handraiseMcp(gate, 'proxy', '--name', 'raw', '--', ...oddServer('--log'));
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  let log = '';
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const call = '"method":"tools/call","params":{"name":"greet","arguments":{}}';
  const attacks = [
    `{"jsonrpc":"2.0","id":1,${call},"method":"ping"}`,
    `{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping"}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"greet"}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","Arguments":{"x":1}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"n":NaN}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"n":12345678901234567891}}}`,
    `{"jsonrpc":"2.0",${call}}`,
    `"just text"`,
  ];
  for (const attack of attacks) {
    child.stdin.write(`${attack}\n`);
    const answer = JSON.parse(String((await answers.next()).value)) as { error?: { code: number } };
    assert.ok(answer.error, attack);
  }
  // A batch is taken apart; a carriage return is no line break.
  child.stdin.write(`[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,${call}}]\n`);
  assert.equal((JSON.parse(String((await answers.next()).value)) as { id: number }).id, 2);
  await approver.deny(await pending(approver, 'greet'));
  assert.equal((JSON.parse(String((await answers.next()).value)) as { id: number }).id, 3);
  child.stdin.write(`{"id":4,\r"method":"ping",\r"jsonrpc":"2.0"}\n`);
  assert.equal((JSON.parse(String((await answers.next()).value)) as { id: number }).id, 4);
  child.stdin.end();
  await once(child, 'exit');
  assert.doesNotMatch(log, /greet/);
  assert.doesNotMatch(log, /\r/);
});

test('the proxy ends with its server, or when it is told to, though the client stays', async () => {
  for (const [how, code] of [
    ['end', 7],
    ['SIGTERM', 0],
  ] as const) {
    const [program = '', ...args] = handraiseMcp(gate, 'proxy', '--name', 'open', '--', ...oddServer());
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await answers.next();
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'end', arguments: {} } };
    if (how === 'end') child.stdin.write(`${JSON.stringify(call)}\n`);
    else child.kill(how);
    assert.deepEqual(await ended, [code, null], how);
  }
});
