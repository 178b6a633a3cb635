// Answers that no Handraise gives: whatever comes, nothing but an explicit approval of this very call
// approves.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Client, Gate, GateUnavailableError, argumentsHash, isDenied, withApproval } from 'handraise';

import { FrameDecoder } from '../src/client/event-stream.js';
import { proofOf } from '../src/transport/token.js';

const TOKEN = 'hrq_0123456789ab_c0ffee';
const CALL = { tool: 't', arguments: { n: 1 } };
const APPROVED = {
  id: '0190a5c0-0000-7000-8000-000000000000',
  status: 'approved',
  risk: 'write',
  arguments_hash: argumentsHash(CALL.arguments),
  requested_at: '2026-01-01T00:00:00Z',
  expires_at: '2026-01-01T00:05:00Z',
};

let folder: string;
let server: Server;
let client: Client;
/** What the server writes when it is asked; the connection is closed after it when `closes`. */
let answer: { pieces: (string | Buffer)[]; closes?: boolean };
/** Whether it knows the token. */
let knows = true;
const connections = new Set<Socket>();

function head(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
}

async function speak(socket: Socket, path: string): Promise<void> {
  let text = '';
  for await (const bytes of socket) {
    text += String(bytes);
    const whole = /Content-Length: (\d+)\r\n(?:[^]*?\r\n)?\r\n([^]*)$/i.exec(text);
    if (!whole || Buffer.byteLength(whole[2] ?? '') < Number(whole[1])) continue;
    const isChallenge = text.startsWith('POST /v1/challenge ');
    text = '';
    if (isChallenge && knows) {
      const { nonce } = JSON.parse(whole[2] ?? '') as { nonce: string };
      const proof = proofOf(TOKEN, nonce, path);
      const body = JSON.stringify({ proof });
      socket.write(head(body) + body);
      continue;
    }
    for (const piece of answer.pieces) {
      socket.write(piece);
      await new Promise((next) => setImmediate(next));
    }
    if (answer.closes) socket.end();
  }
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handraise-hostile-'));
  const folders = { config: join(folder, 'config'), runtime: join(folder, 'run') };
  for (const path of [folders.config, folders.runtime]) await mkdir(path, { mode: 0o700 });
  const socket = join(folders.runtime, 'handraise.sock');
  const endpoint = { version: 1, address: '127.0.0.1:1', socket, pid: 1 };
  await writeFile(join(folders.runtime, 'endpoint.json'), JSON.stringify(endpoint), { mode: 0o600 });
  server = createServer((connection) => {
    connections.add(connection);
    speak(connection, socket).catch(() => undefined);
  });
  await new Promise<void>((done) => server.listen({ path: socket }, done));
  client = new Client({ folders, credential: { token: TOKEN }, reconnectSeconds: 0.1 });
});
after(async () => {
  client.close();
  server.close();
  for (const connection of connections) connection.destroy();
  await rm(folder, { recursive: true, force: true });
});

function says(body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  answer = { pieces: [head(text) + text] };
}

test('the made-up server is believed when it says what Handraise says', async () => {
  says(APPROVED);
  assert.equal((await client.request(CALL)).status, 'approved');
  const text = JSON.stringify(APPROVED);
  const bytes = Buffer.from(text);
  const chunk = (part: Buffer) => [`${part.length.toString(16)};x=y\r\n`, part, '\r\n'];
  answer = {
    pieces: [
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Enc',
      'oding: chunked\r\n\r',
      '\n',
      ...chunk(bytes.subarray(0, 7)),
      ...chunk(bytes.subarray(7)),
      '0\r\nTrailer: x\r\n\r\n',
    ],
  };
  assert.equal((await client.request(CALL)).status, 'approved');
});

test('a status that nobody knows is a denial, and a model reads why', async () => {
  says({ ...APPROVED, status: 'excellent' });
  const result = await client.request(CALL);
  assert.equal(result.status, 'denied');
  assert.match(result.reason ?? '', /excellent/);
  const gated = withApproval(() => assert.fail('it ran'), { gate: new Gate({ client }), name: 't' });
  const denied = await (gated as (args: object) => Promise<unknown>)(CALL.arguments);
  assert.ok(isDenied(denied));
});

test('an approval of something else is none', async () => {
  const wrong = [
    { ...APPROVED, arguments_hash: argumentsHash({ n: 2 }) },
    { ...APPROVED, arguments_hash: undefined },
    { ...APPROVED, arguments: { n: 2 } },
  ];
  for (const body of wrong) {
    says(body);
    await assert.rejects(
      client.request(CALL),
      (error) => error instanceof GateUnavailableError && error.why === 'answer',
    );
  }
  says({ results: [APPROVED] });
  await assert.rejects(client.batch({ requests: [CALL, CALL] }), GateUnavailableError);
});

test('what cannot be understood approves nothing', async () => {
  const never = () => assert.fail('it ran');
  const gate = new Gate({ client });
  const bodies = [
    '',
    'true',
    '"approved"',
    '[]',
    '{"status":"approved"}',
    '{"id":1,"status":"approved"}',
    '{',
    '<html>',
  ];
  for (const body of bodies) {
    says(body);
    await assert.rejects(gate.call(CALL, never), GateUnavailableError, body);
  }
  const text = JSON.stringify(APPROVED);
  const broken: (typeof answer)[] = [
    { pieces: [`HTTP/1.1 200 OK\r\nContent-Length: ${text.length + 1}\r\n\r\n${text}`], closes: true },
    { pieces: [`HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n${text}`] },
    { pieces: [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${text}`] },
    { pieces: [`HTTP/1.0 200 OK\r\n\r\n${text}`], closes: true },
    { pieces: [text], closes: true },
    { pieces: ['HTTP/1.1 200 OK\r\n', 'x'.repeat(70_000)] },
    { pieces: [`HTTP/1.1 500 Oh no\r\nContent-Length: ${text.length}\r\n\r\n${text}`] },
    { pieces: [], closes: true },
  ];
  for (const one of broken) {
    answer = one;
    await assert.rejects(gate.call(CALL, never), GateUnavailableError, String(one.pieces[0]).slice(0, 40));
  }
});

test('who does not know the token may answer what he likes', async () => {
  knows = false;
  const stranger = new Client({
    folders: { config: join(folder, 'config'), runtime: join(folder, 'run') },
    credential: { token: TOKEN },
  });
  try {
    for (const pieces of [[''], ['HTTP/1.1 200 OK\r\n\r\n'], [head('{}'), '{}'], ['\0'.repeat(100_000)]]) {
      answer = { pieces, closes: true };
      await assert.rejects(
        stranger.request(CALL),
        (error) => error instanceof GateUnavailableError && error.why === 'not_proved',
      );
    }
    says(APPROVED);
    await assert.rejects(stranger.request(CALL), GateUnavailableError);
  } finally {
    knows = true;
  }
});

test('aborting does not wait for a server that says nothing', async () => {
  knows = false;
  answer = { pieces: [] };
  try {
    const silent = new Client({
      folders: { config: join(folder, 'config'), runtime: join(folder, 'run') },
      credential: { token: TOKEN },
    });
    const abort = new AbortController();
    const rejected = assert.rejects(silent.evaluate(CALL, { signal: abort.signal }), /enough/);
    setImmediate(() => abort.abort(new Error('enough')));
    await rejected;
  } finally {
    knows = true;
  }
});

test('events may come in pieces that end anywhere', () => {
  const stream =
    ': hello\r\n\r\nid: 1\r\nevent: a\r\ndata: {"x":\r\ndata: 1}\r\n\r\ndata:two\n\nevent: empty\n\nid: 3\rdata: 3\r\rx';
  const expected = [
    { id: '1', event: 'a', data: '{"x":\n1}' },
    { id: '1', event: 'message', data: 'two' },
    { id: '3', event: 'message', data: '3' },
  ];
  for (const size of [1, 2, 3, 5, 8, stream.length]) {
    const decoder = new FrameDecoder();
    const frames = [];
    for (let at = 0; at < stream.length; at += size)
      frames.push(...decoder.push(stream.slice(at, at + size)));
    assert.deepEqual(frames, expected, `in pieces of ${size}`);
  }
});
