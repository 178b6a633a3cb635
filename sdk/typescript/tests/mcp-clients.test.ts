// Many clients at one address, and calls that go on with earlier ones.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';

import { emptyFolder, handraiseMcp, oddServer, proxyOver } from './mcp-support.js';
import { endPrograms, speaking } from './programs.js';
import { RecordingServer } from './recording-server.js';
import { RunningGate, eventually, pending } from './running-gate.js';

const POLICY = `version = 1
[[rule]]
pattern = "mcp__open__*"
action = "allow"
`;
const REVISION = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

let gate: RunningGate;
let approver: Approver;
let server: RecordingServer;
let url: string;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
  server = await RecordingServer.start();
  url = await proxy('web');
});
after(async () => {
  endPrograms();
  server.stop();
  approver.close();
  await gate.stop();
});

const proxy = (name: string) => proxyOver(gate, name, server.url);

type Answer = { result?: Record<string, unknown>; error?: { message: string } };

async function post(address: string, message: object, headers: Record<string, string> = {}): Promise<Answer> {
  const sent = await fetch(address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await sent.text();
  const data = text.includes('data: ') ? text.slice(text.lastIndexOf('data: ') + 6) : text;
  return data.trim() === '' ? {} : (JSON.parse(data) as Answer);
}

const greet = (id: number | string, more: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name: 'greet', arguments: {}, ...more },
});

/** Opens a session at the server, through the proxy. */
async function opened(id: string): Promise<Record<string, string>> {
  server.session = id;
  await post(url, {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {} },
  });
  server.session = undefined;
  return { 'Mcp-Session-Id': id };
}

test('without a session that the server has opened, nothing is remembered', async () => {
  for (const headers of [{}, { 'Mcp-Session-Id': 'made-up' }, { Authorization: 'Bearer x' }] as Record<
    string,
    string
  >[]) {
    const first = post(url, greet(1), headers);
    const approval = await pending(approver, 'greet');
    assert.equal(approval.session, undefined);
    assert.deepEqual([...new Set(approval.scopes.map(({ scope }) => scope))].includes('session'), false);
    await approver.approve(approval);
    assert.ok((await first).result);
    const again = post(url, greet(2), headers);
    await approver.deny(await pending(approver, 'greet'), 'asked again');
    assert.match(JSON.stringify(await again), /Denied: asked again/);
  }
});

test('what is approved for one session lets no other pass, also when the server gives its id away again', async () => {
  const one = await opened('one');
  const other = await opened('two');
  const asked = post(url, greet(1), one);
  const approval = await pending(approver, 'greet');
  await approver.approve(approval, { scope: 'session', breadth: 'tool' });
  assert.ok((await asked).result);
  assert.ok((await post(url, greet(2), one)).result);
  for (const headers of [other, {}, { 'Mcp-Session-Id': 'three' }, await opened('one')] as Record<
    string,
    string
  >[]) {
    const unasked = post(url, greet(3), headers);
    await approver.deny(await pending(approver, 'greet'), 'asked');
    assert.match(JSON.stringify(await unasked), /Denied: asked/);
  }
});

test('equal ids of two clients are two calls, and nobody cancels the other one’s', async () => {
  const first = post(url, greet(7));
  const approval = await pending(approver, 'greet');
  const second = post(url, greet(7));
  await eventually('both', async () => (await approver.list()).approvals.length === 2);
  await post(url, { method: 'notifications/cancelled', params: { requestId: 7 } });
  await post(url, { method: 'notifications/cancelled', params: { requestId: 7 } }, await opened('canceller'));
  assert.equal((await approver.list()).approvals.length, 2);
  await approver.approve(approval);
  assert.ok((await first).result ?? (await second).result);
  await approver.deny(await pending(approver, 'greet'), 'no');
  const texts = [JSON.stringify(await first), JSON.stringify(await second)];
  assert.equal(texts.filter((text) => text.includes('Denied: no')).length, 1);
});

test('a client of a session cancels its own call, by an id of the same kind', async () => {
  const own = await opened('own');
  const asked = post(url, greet(9), own);
  await pending(approver, 'greet');
  await post(url, { method: 'notifications/cancelled', params: { requestId: '9' } }, own);
  assert.equal((await approver.list()).approvals.length, 1);
  await post(url, { method: 'notifications/cancelled', params: { requestId: 9 } }, own);
  assert.match(JSON.stringify(await asked), /cancelled the call/);
  assert.deepEqual((await approver.list()).approvals, []);
});

test('a client that closes its connection takes its call along', async () => {
  const abort = new AbortController();
  const asked = fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...greet(1) }),
    signal: abort.signal,
  });
  asked.catch(() => {});
  await pending(approver, 'greet');
  abort.abort();
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
});

test('the proxy of many clients takes no session from its command line', async () => {
  const words = ['--name', 'x', '--url', server.url, '--listen', '0', '--session', 's'];
  const [program = '', ...args] = handraiseMcp(gate, 'proxy', ...words);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  const code = await new Promise((done) => child.once('exit', done));
  assert.equal(code, 2);
});

test('answers typed in the middle of a call are shown, whatever the policy allows, and belong to that call', async () => {
  const allowed = await proxy('open');
  const headers = { 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'greet' };
  const call = (id: number, more: object = {}) => post(allowed, greet(id, { _meta: meta, ...more }), headers);
  server.requests.length = 0;
  const asks = { resultType: 'input_required', requestState: 'left-here', inputRequests: { who: {} } };
  server.answer = (params) =>
    params['inputResponses'] === undefined ? asks : { resultType: 'complete', content: [] };

  const isAsked = async (sent: Promise<Answer>, about: RegExp) => {
    const approval = await pending(approver, 'greet');
    assert.match(JSON.stringify(approval.description), about);
    await approver.deny(approval, 'no');
    assert.match(JSON.stringify(await sent), /Denied: no/);
  };
  // Nothing is open yet.
  const answers = { inputResponses: { who: { action: 'accept', content: { name: 'eve' } } } };
  await isAsked(call(1, answers), /knows of none.*not asked for.*eve/s);
  await isAsked(call(2, { requestState: 'made-up' }), /knows of none/);

  assert.equal((await call(3)).result?.['requestState'], 'left-here');
  const other = { requestState: 'another', ...answers };
  await isAsked(call(4, other), /knows of none/);
  const stray = { requestState: 'left-here', inputResponses: { more: 1 } };
  await isAsked(call(5, stray), /more.*not asked for/s);
  const changed = { requestState: 'left-here', arguments: { loud: true }, ...answers };
  await isAsked(call(6, changed), /knows of none/);
  const long = { requestState: 'left-here', inputResponses: { who: 'x'.repeat(9000) } };
  assert.match((await call(7, long)).error?.message ?? '', /longer than/);

  const goesOn = call(8, { requestState: 'left-here', ...answers });
  const approval = await pending(approver, 'greet');
  assert.match(JSON.stringify(approval.description), /gets these answers.*eve/s);
  await approver.approve(approval);
  assert.equal((await goesOn).result?.['resultType'], 'complete');
  // Once.
  await isAsked(call(9, { requestState: 'left-here', ...answers }), /knows of none/);
  assert.equal(server.arrived('tools/call').length, 2);

  // "Come back later" types nothing: the policy decides as ever.
  server.answer = (params) =>
    params['requestState'] === undefined
      ? { resultType: 'input_required', requestState: 'later' }
      : { content: [] };
  await call(10);
  assert.ok((await call(11, { requestState: 'later' })).result);
});

test('over stdin and stdout, too: rounds, ids, and answers of the server to calls that it has not seen', async () => {
  const words = ['--name', 'open', '--data-dir', await emptyFolder()];
  const proxy = speaking(handraiseMcp(gate, 'proxy', ...words, '--', ...oddServer('--rounds')));
  const { child, write } = proxy;
  const next = () => proxy.next<Answer & { id: unknown }>();
  const round = (id: number, more: object = {}) =>
    write({ id, method: 'tools/call', params: { name: 'round', arguments: {}, _meta: meta, ...more } });

  round(1, { inputResponses: { who: 'eve' } });
  const unknown = await pending(approver, 'round');
  assert.match(JSON.stringify(unknown.description), /knows of none.*eve/s);
  await approver.deny(unknown, 'who?');
  assert.match(JSON.stringify(await next()), /Denied: who/);
  round(2);
  assert.equal((await next()).result?.['resultType'], 'input_required');
  round(3, { requestState: 'state', inputResponses: { who: 'eve' } });
  const approval = await pending(approver, 'round');
  assert.match(JSON.stringify(approval.description), /eve/);

  // The server says that call 3 has ended well. It has not even seen it.
  write({ id: 4, method: 'tools/call', params: { name: 'answers', arguments: { id: 3 } } });
  assert.equal((await next()).id, 4);
  // The same id while it is open; another kind of id is another one.
  write({ id: 3, method: 'ping' });
  assert.match((await next()).error?.message ?? '', /id is open/);
  write({ id: '3', method: 'ping' });
  assert.equal((await next()).id, '3');
  write({ method: 'notifications/cancelled', params: { requestId: '3' } });
  assert.equal((await approver.list()).approvals.length, 1);
  await approver.approve(approval);
  const done = await next();
  assert.equal(done.id, 3);
  assert.equal(done.result?.['went'], 'on');

  write({
    id: 5,
    method: 'tools/list',
    params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } },
  });
  assert.match((await next()).error?.message ?? '', /revision "2031-01-01"/);
  child.stdin.end();
});
