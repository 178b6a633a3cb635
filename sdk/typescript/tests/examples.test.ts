import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

import { type Approval, type Approver } from 'handraise';

import { RunningGate, eventually } from './running-gate.js';

let gate: RunningGate;
before(async () => {
  gate = await RunningGate.start();
});
after(() => gate.stop());

function example(name: string, ...flags: string[]) {
  const path = fileURLToPath(new URL(`../examples/${name}.js`, import.meta.url));
  const folders = ['--config-dir', gate.folders.config, '--runtime-dir', gate.folders.runtime];
  const child = spawn(process.execPath, [path, ...folders, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

const fromAgent = (approver: Approver, to: string) =>
  eventually(`the mail to ${to}`, async () => {
    const { approvals } = await approver.list();
    return approvals.find((approval) => JSON.stringify(approval.arguments).includes(to));
  });

test('the agent loop: one call denied, one approved, and the model reads why', async () => {
  const { lines } = example('agent-loop');
  const approver = gate.approver();
  await approver.deny(await fromAgent(approver, 'ann@'), 'Ann is on leave');
  await approver.approve(await fromAgent(approver, 'bob@'));
  assert.equal((await lines.next()).value, 'Done: Denied: Ann is on leave; sent to bob@example.org');
});

test('the page shows what waits and takes the answers', async () => {
  // The page and the agent are no relatives: what an agent starts cannot approve.
  const { child, lines } = example('approval-page', '--token-file', gate.approverTokenFile);
  try {
    const address = new URL((await lines.next()).value as string);
    const key = address.searchParams.get('key') as string;
    const html = await (await fetch(address)).text();
    assert.match(html, /new EventSource/);
    assert.equal((await fetch(new URL('/', address))).status, 401);
    assert.equal((await fetch(address, { headers: { origin: 'https://evil.example' } })).status, 403);

    const agent = example('agent-loop');
    const stream = await fetch(new URL(`/events?key=${key}`, address));
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async <T>(what: string, look: (frames: string[]) => T | undefined): Promise<T> => {
      for (;;) {
        // The last piece is no whole frame.
        const found = look(text.split('\n\n').slice(0, -1));
        if (found !== undefined) return found;
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended before ${what}`);
        text += value;
      }
    };
    const shown = (to: string) =>
      until(to, (frames) =>
        frames
          .filter((frame) => frame.startsWith('event: approval_requested\ndata: '))
          .map((frame) => (JSON.parse(frame.slice(frame.indexOf('{'))) as { approval: Approval }).approval)
          .find((approval) => JSON.stringify(approval.arguments).includes(to)),
      );
    const ann = await shown('ann@');
    const bob = await shown('bob@');
    const post = (id: string, headers: Record<string, string>, body: object) =>
      fetch(new URL(`/approve/${id}`, address), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    assert.equal((await post(ann.id, {}, { approved: true })).status, 401);
    const other = await post(ann.id, { 'X-Key': key }, { approved: true, arguments_hash: 'ab'.repeat(32) });
    assert.equal(other.status, 409);
    for (const [{ id, arguments_hash }, approved] of [
      [ann, true],
      [bob, false],
    ] as const) {
      const reason = approved ? undefined : 'not Bob';
      const response = await post(id, { 'X-Key': key }, { approved, reason, arguments_hash });
      assert.deepEqual([response.status, await response.json()], [200, { status: 'ok' }]);
    }
    assert.equal((await agent.lines.next()).value, 'Done: sent to ann@example.org; Denied: not Bob');
    const isOver = (frame: string) => frame.startsWith('event: approval_resolved') && frame.includes(bob.id);
    await until('the end', (frames) => frames.find(isOver));
    await reader.cancel();
  } finally {
    child.kill();
  }
});
