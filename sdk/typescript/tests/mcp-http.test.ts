import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { connect, handraiseMcp, proxyOver, textOf } from './mcp-support.js';
import { endPrograms, listening, speaking } from './programs.js';
import { RunningGate, eventually, pending } from './running-gate.js';

let gate: RunningGate;
let approver: Approver;
let url: string;
let behind: string;

before(async () => {
  gate = await RunningGate.start();
  approver = gate.approver();
  url = await listening([process.execPath, resolve('build/tests/conformance-server.js')]);
  behind = await proxyOver(gate, 'web', url);
});
after(async () => {
  endPrograms();
  approver.close();
  await gate.stop();
});

const CALL = { name: 'test_simple_text', arguments: {} };

async function asksAndAnswers(client: Client): Promise<void> {
  const denied = client.callTool(CALL);
  await approver.deny(await pending(approver, CALL.name), 'no');
  assert.equal(textOf(await denied), 'Denied: no');

  // Long enough for a first notification.
  const told: (string | undefined)[] = [];
  const options = { onprogress: ({ message }: { message?: string | undefined }) => void told.push(message) };
  const approved = client.callTool(CALL, undefined, options);
  const approval = await pending(approver, CALL.name);
  await eventually('progress', async () => told.length > 0);
  await approver.approve(approval);
  assert.match(textOf(await approved), /simple text response/);
  assert.deepEqual(told, ['Handraise is asking a person.']);

  const abort = new AbortController();
  const cancelled = client.callTool(CALL, undefined, { signal: abort.signal });
  cancelled.catch(() => {});
  await pending(approver, CALL.name);
  abort.abort('enough');
  await assert.rejects(cancelled);
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
}

test('a client over HTTP', async () => {
  const client = new Client({ name: 'a-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(behind)) as never);
  await asksAndAnswers(client);
  await client.close();
});

test('a client over stdin and stdout, a server over HTTP', async () => {
  const client = await connect(handraiseMcp(gate, 'proxy', '--name', 'web', '--url', url));
  await asksAndAnswers(client);
  await client.close();
});

test('web pages, other hosts and batches with calls are refused', async () => {
  const send = (headers: Record<string, string>, body: unknown) =>
    new Promise<number | undefined>((done, failed) => {
      const sent = request(behind, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
      });
      sent.on('response', (response) => done(response.resume().statusCode)).on('error', failed);
      sent.end(JSON.stringify(body));
    });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL };
  assert.equal(await send({ Host: 'evil.example' }, call), 403);
  assert.equal(await send({ Origin: 'https://evil.example' }, call), 403);
  assert.equal(await send({ 'Content-Encoding': 'gzip' }, call), 415);
  assert.equal(await send({}, [call]), 400);
  assert.equal(await send({}, { ...call, id: undefined }), 400);
  assert.deepEqual((await approver.list()).approvals, []);
});

test('told to stop, the proxy stops, though its client stays', async () => {
  const { child, write, next } = speaking(handraiseMcp(gate, 'proxy', '--name', 'web', '--url', url));
  const ended = once(child, 'exit');
  // An answer shows that it listens to signals.
  write({ id: 1, method: 'ping' });
  await next();
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
