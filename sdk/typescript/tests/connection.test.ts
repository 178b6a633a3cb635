import assert from 'node:assert/strict';
import { chmod, rename, symlink, unlink } from 'node:fs/promises';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { ApprovalError, Client, GateUnavailableError } from 'handraise';

import { RunningGate, eventually, pending } from './running-gate.js';

const isUnavailable = (why: string) => (error: unknown) => {
  assert.ok(error instanceof GateUnavailableError && error instanceof ApprovalError, String(error));
  assert.equal(error.code, 'GATE_UNAVAILABLE');
  assert.equal(error.why, why);
  return true;
};

function listening(server: Server, at: string | number): Promise<void> {
  const where = typeof at === 'number' ? { host: '127.0.0.1', port: at } : { path: at };
  return new Promise((done) => server.listen(where, done));
}

test('without a gate there is an error at once', async () => {
  const client = new Client({ folders: { config: '/nonexistent', runtime: '/nonexistent' } });
  await assert.rejects(client.request({ tool: 't' }), isUnavailable('not_running'));
});

test('the port is used where there is no socket', async () => {
  const gate = await RunningGate.start();
  try {
    await gate.point({});
    assert.equal((await gate.client().request({ tool: 'free_port' })).status, 'approved');
  } finally {
    await gate.stop();
  }
});

test('who sits on the port learns nothing', async () => {
  const gate = await RunningGate.start();
  const heard: string[] = [];
  const squatter = createServer((socket) => {
    socket.on('data', (bytes) => {
      heard.push(bytes.toString());
      const body = JSON.stringify({ proof: 'f'.repeat(64), status: 'approved' });
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    socket.on('error', () => undefined);
  });
  await listening(squatter, 0);
  try {
    const { port } = squatter.address() as { port: number };
    await gate.point({ address: `127.0.0.1:${port}` });
    const call = { tool: 'pay', arguments: { iban: 'DE00 SECRET' } };
    await assert.rejects(gate.client().request(call), isUnavailable('not_proved'));
    const secret = (await gate.requesterToken()).split('_')[2] as string;
    assert.match(heard.join(''), /POST \/v1\/challenge/);
    assert.ok(!heard.join('').includes(secret) && !heard.join('').includes('IBAN'), heard.join(''));
    assert.ok(!heard.join('').includes('SECRET'));

    await gate.point({ address: '192.0.2.1:4733' });
    await assert.rejects(gate.client().request(call), isUnavailable('not_proved'));
  } finally {
    squatter.close();
    await gate.stop();
  }
});

test('a proof cannot be passed on from another port', async () => {
  const gate = await RunningGate.start();
  const relay = createServer((socket) => {
    const port = Number(gate.address.split(':')[1]);
    const real = connect({ host: '127.0.0.1', port });
    socket.pipe(real).pipe(socket);
    for (const end of [socket, real]) end.on('error', () => undefined);
  });
  await listening(relay, 0);
  try {
    await gate.point({ address: `127.0.0.1:${(relay.address() as { port: number }).port}` });
    await assert.rejects(gate.client().request({ tool: 'free_lunch' }), isUnavailable('not_proved'));
  } finally {
    relay.close();
    await gate.stop();
  }
});

test('files that others can change are not believed', async () => {
  const gate = await RunningGate.start();
  try {
    const token = join(gate.folders.config, 'tokens/default.token');
    await chmod(token, 0o644);
    await assert.rejects(gate.client().request({ tool: 'free_lunch' }), isUnavailable('file'));
    await chmod(token, 0o600);
    const endpoint = join(gate.folders.runtime, 'endpoint.json');
    await rename(endpoint, `${endpoint}.real`);
    await symlink(`${endpoint}.real`, endpoint);
    await assert.rejects(gate.client().request({ tool: 'free_lunch' }), isUnavailable('file'));
    const wrong = gate.client({ credential: { token: 'hrq_short_x' } });
    await unlink(endpoint);
    await rename(`${endpoint}.real`, endpoint);
    await assert.rejects(wrong.request({ tool: 'free_lunch' }), isUnavailable('damaged_token'));
    const missing = gate.client({ credential: { name: 'nobody' } });
    await assert.rejects(missing.request({ tool: 'free_lunch' }), isUnavailable('no_token'));
  } finally {
    await gate.stop();
  }
});

test('a dropped connection is taken up again and nobody is asked twice', async () => {
  const gate = await RunningGate.start();
  const approver = gate.approver();
  // In the place of the socket: what passes can be cut off.
  const real = join(dirname(gate.socket), 'real.sock');
  await rename(gate.socket, real);
  const open = new Set<Socket>();
  let connections = 0;
  const proxy = createServer((socket) => {
    connections += 1;
    const behind = connect(real);
    for (const end of [socket, behind]) {
      open.add(end);
      end.on('close', () => open.delete(end));
      end.on('error', () => undefined);
    }
    socket.pipe(behind).pipe(socket);
  });
  await listening(proxy, gate.socket);
  try {
    const client = gate.client();
    const asked = client.request({ tool: 'transfer', arguments: { amount: 10 } });
    const first = await pending(approver, 'transfer');
    const before = connections;
    for (const socket of open) socket.destroy();
    await eventually('another connection', async () => connections > before);
    await eventually(
      'the same request, still open',
      async () => (await approver.list()).approvals.length === 1,
    );
    const again = await pending(approver, 'transfer');
    assert.equal(again.id, first.id);
    await approver.approve(again);
    const result = await asked;
    assert.equal(result.status, 'approved');
    assert.equal(result.id, first.id);
    assert.equal((await approver.list({ status: 'all', q: 'transfer' })).approvals.length, 1);

    // The event stream goes on as well.
    const abort = new AbortController();
    const seen = new Set<string>();
    const listening = (async () => {
      for await (const { event } of client.events({ signal: abort.signal })) {
        if (event.type === 'approval_requested') seen.add(event.approval.tool);
      }
    })();
    const appears = (tool: string) =>
      eventually(tool, async () => {
        if (!seen.has(tool)) await client.cancel((await client.submit({ tool })).id).catch(() => undefined);
        return seen.has(tool);
      });
    await appears('before_the_break');
    for (const socket of open) socket.destroy();
    await appears('after_the_break');
    abort.abort();
    await listening;
    client.close();
  } finally {
    approver.close();
    for (const socket of open) socket.destroy();
    proxy.close();
    await gate.stop();
  }
});

test('a request outlives a restart of the gate', async () => {
  const gate = await RunningGate.start();
  const asked = gate.client().request({ tool: 'patient', arguments: { n: 1 } });
  const before = await pending(gate.approver(), 'patient');
  await gate.kill();
  const again = await RunningGate.startIn(gate.folder);
  try {
    const after = await pending(again.approver(), 'patient');
    assert.equal(after.id, before.id);
    await again.approver().approve(after);
    assert.equal((await asked).status, 'approved');
  } finally {
    await again.stop();
  }
});
