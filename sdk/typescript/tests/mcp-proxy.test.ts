import assert from 'node:assert/strict';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import {
  connect,
  emptyFolder,
  endClients,
  handraiseMcp,
  oddServer,
  serverCommand,
  textOf,
} from './mcp-support.js';
import { RunningGate, pending } from './running-gate.js';

const POLICY = `version = 1
trusted_servers = ["trusted"]
[[rule]]
pattern = "mcp__open__*"
action = "allow"
[[rule]]
server = "files"
pattern = "mcp__files__*"
action = "ask"
[[rule]]
pattern = "mcp__files__list_directory"
action = "allow"
[[rule]]
pattern = "mcp__files__move_file"
action = "deny"
reason = "files stay where they are"
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

function proxied(name: string, command: string[], ...options: string[]): Promise<Client> {
  return connect(handraiseMcp(gate, 'proxy', '--name', name, ...options, '--', ...command));
}

test('a filesystem server: allowed, denied by the policy, approved and denied by a person', async () => {
  const folder = await realpath(await emptyFolder());
  await writeFile(join(folder, 'a.txt'), 'hello');
  const files = await proxied('files', serverCommand('server-filesystem', folder));

  const listed = await files.callTool({ name: 'list_directory', arguments: { path: folder } });
  assert.match(textOf(listed), /a\.txt/);

  // It has an output schema: official clients throw on a plain result there.
  const moved = await files.callTool({
    name: 'move_file',
    arguments: { source: join(folder, 'a.txt'), destination: join(folder, 'b.txt') },
  });
  assert.equal(moved.isError, true);
  assert.equal(textOf(moved), 'Denied: files stay where they are');

  const write = { name: 'write_file', arguments: { path: join(folder, 'new.txt'), content: 'written' } };
  const denied = files.callTool(write);
  await approver.deny(await pending(approver, 'write_file'), 'not this one');
  assert.equal(textOf(await denied), 'Denied: not this one');
  await assert.rejects(readFile(join(folder, 'new.txt')), { code: 'ENOENT' });

  const approved = files.callTool(write);
  const approval = await pending(approver, 'write_file');
  assert.equal(approval.server, 'files');
  assert.equal(approval.agent, 'a-test');
  await approver.approve(approval);
  assert.notEqual((await approved).isError, true);
  assert.equal(await readFile(join(folder, 'new.txt'), 'utf8'), 'written');
});

test('a person may change the arguments', async () => {
  const folder = await realpath(await emptyFolder());
  const files = await proxied(
    'files',
    serverCommand('server-filesystem', folder),
    '--data-dir',
    await emptyFolder(),
  );
  const asked = files.callTool({
    name: 'write_file',
    arguments: { path: join(folder, 'x'), content: 'one' },
  });
  const approval = await pending(approver, 'write_file');
  await approver.approve(approval, { arguments: { path: join(folder, 'x'), content: 'two' } });
  await asked;
  assert.equal(await readFile(join(folder, 'x'), 'utf8'), 'two');
});

test('a server’s own hints lower the risk only where the person trusts it', async () => {
  const call = { name: 'greet', arguments: {} };
  const stranger = await proxied('stranger', oddServer());
  const asked = stranger.callTool(call);
  const approval = await pending(approver, 'greet');
  assert.equal(approval.risk.level, 'write');
  await approver.deny(approval);
  assert.match(textOf(await asked), /^Denied: /);
  const trusted = await proxied('trusted', oddServer());
  assert.equal(textOf(await trusted.callTool(call)), 'done');
});

test('everything else passes as it is, with fields that nobody knows', async () => {
  const plain = await connect(oddServer());
  const behind = await proxied('open', oddServer());
  assert.deepEqual(behind.getServerCapabilities(), plain.getServerCapabilities());
  assert.deepEqual(behind.getServerVersion(), plain.getServerVersion());
  assert.deepEqual(await behind.listTools(), await plain.listTools());
  const result = await behind.callTool({ name: 'greet', arguments: {} });
  assert.equal(result['odd'], 'field');
  const sent = { name: 'echo', arguments: { a: 1.5, ü: '\u2028' }, odd: [null], _meta: { 'x/y': { z: 1 } } };
  const echoed = JSON.parse(textOf(await behind.callTool(sent as never))) as { params: unknown };
  assert.deepEqual(echoed.params, sent);
});

test('everything and memory work as they do without the proxy', async () => {
  const everything = await proxied(
    'open',
    serverCommand('server-everything'),
    '--data-dir',
    await emptyFolder(),
  );
  const plain = await connect(serverCommand('server-everything'));
  assert.deepEqual(await everything.listTools(), await plain.listTools());
  assert.deepEqual(await everything.listPrompts(), await plain.listPrompts());
  assert.deepEqual(await everything.listResourceTemplates(), await plain.listResourceTemplates());
  const echo = { name: 'echo', arguments: { message: 'hello' } };
  assert.deepEqual(await everything.callTool(echo), await plain.callTool(echo));
  const steps: number[] = [];
  const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } };
  await everything.callTool(long, undefined, { onprogress: ({ progress }) => steps.push(progress) });
  assert.ok(steps.length >= 1, String(steps));

  const memory = await connect(
    handraiseMcp(
      gate,
      'proxy',
      '--name',
      'open',
      '--data-dir',
      await emptyFolder(),
      '--',
      ...serverCommand('server-memory'),
    ),
    undefined,
    { MEMORY_FILE_PATH: join(await emptyFolder(), 'memory.jsonl') },
  );
  const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }];
  await memory.callTool({ name: 'create_entities', arguments: { entities } });
  const graph = await memory.callTool({ name: 'read_graph', arguments: {} });
  assert.match(textOf(graph), /likes tea/);
});

test('a call that was not waited for goes on once, for the same call', async () => {
  const client = await proxied('later', oddServer(), '--pending', '0');
  const call = { name: 'greet', arguments: { name: 'Ann' } };
  const first = await client.callTool(call);
  assert.match(textOf(first), /^Approval pending: /);
  const { approvalId } = first['_meta'] as { approvalId: string };
  assert.match(textOf(await client.callTool({ ...call, _meta: { approvalId } })), /^Approval pending: /);
  await approver.approve(await pending(approver, 'greet'));

  const other = { name: 'greet', arguments: { name: 'Eve', _approval_token: approvalId } };
  assert.match(textOf(await client.callTool(other)), /^Denied: This approval cannot be used/);
  const otherTool = { name: 'echo', arguments: { name: 'Ann', _approval_token: approvalId } };
  assert.match(textOf(await client.callTool(otherTool)), /^Denied: This approval cannot be used/);

  const again = { name: 'greet', arguments: { name: 'Ann', _approval_token: approvalId } };
  const both = await Promise.all([
    client.callTool(again),
    client.callTool({ ...call, _meta: { approvalId } }),
  ]);
  assert.deepEqual(both.map(textOf).sort(), [
    'Denied: This approval cannot be used: it is for another call, or was used before.',
    'done',
  ]);
  await assert.rejects(client.callTool({ name: 'greet', arguments: { _approval_token: 7 } }), /strings/);
});

test('the token is taken out before the server sees the call', async () => {
  const client = await proxied('later', oddServer(), '--pending', '0');
  const first = await client.callTool({ name: 'echo', arguments: { a: 1 } });
  const { approvalId } = first['_meta'] as { approvalId: string };
  await approver.approve(await pending(approver, 'echo'));
  const echoed = textOf(
    await client.callTool({ name: 'echo', arguments: { a: 1, _approval_token: approvalId } }),
  );
  assert.deepEqual(JSON.parse(echoed).params.arguments, { a: 1 });
});

test('a denial is an error only for tools with an output schema, unless it is wanted otherwise', async () => {
  const refusals = async (...options: string[]) => {
    const client = await proxied('plain', oddServer(), ...options);
    const outcomes: unknown[] = [];
    for (const name of ['greet', 'structured']) {
      const asked = client.callTool({ name, arguments: {} });
      await approver.deny(await pending(approver, name), 'no');
      const result = await asked;
      assert.equal(textOf(result), 'Denied: no');
      assert.equal(
        (result['_meta'] as Record<string, { status: string }>)['handraise/approval']?.status,
        'denied',
      );
      outcomes.push(result.isError);
    }
    return outcomes;
  };
  assert.deepEqual(await refusals(), [false, true]);
  assert.deepEqual(await refusals('--denial-is-error', 'always'), [true, true]);
});

test('huge results pass', async () => {
  const client = await proxied('open', oddServer());
  assert.equal(textOf(await client.callTool({ name: 'huge', arguments: {} })).length, 8 * 1024 * 1024);
});

test('a thousand calls at once', async () => {
  const client = await proxied('open', oddServer());
  const calls = Array.from({ length: 1000 }, (_, number) =>
    client.callTool({ name: 'echo', arguments: { number } }, undefined, { timeout: 120_000 }),
  );
  const numbers = (await Promise.all(calls)).map(
    (result) => JSON.parse(textOf(result)).params.arguments.number,
  );
  assert.deepEqual(
    numbers,
    Array.from({ length: 1000 }, (_, number) => number),
  );
});
