// What must not be possible, however it is tried.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';

import {
  ApprovalCancelledError,
  ApprovalDeniedError,
  ApprovalTimeoutError,
  Approver,
  Gate,
  GateRefusedError,
  GateUnavailableError,
  errorOf,
} from 'handraise';
import { ApprovalGate } from '@handraise/apcore';
import { HandraiseApprovalHandler } from 'handraise/handlers';

import { RunningGate, pending } from './running-gate.js';

let gate: RunningGate;
before(async () => {
  gate = await RunningGate.start();
});
after(() => gate.stop());

const refusedWith = (code: string) => (error: unknown) => {
  assert.ok(error instanceof GateRefusedError, String(error));
  assert.equal(error.problem.code, code);
  return true;
};

test('a requester token decides nothing', async () => {
  const client = gate.client();
  const open = await client.submit({ tool: 'self_approval' });
  const impostor = new Approver({
    folders: gate.folders,
    credential: { token: await gate.requesterToken() },
  });
  await assert.rejects(impostor.decide(open.id, { decision: 'approve' }), refusedWith('not_an_approver'));
  await assert.rejects(impostor.list(), refusedWith('not_an_approver'));
  await assert.rejects(impostor.grants(), refusedWith('not_an_approver'));
  assert.equal((await client.result(open.id)).status, 'pending');
  await client.cancel(open.id);
});

test('a requester token answers no question', async () => {
  const client = gate.client();
  const open = await client.ask({ question: 'May I?' }, { wait: 0 });
  const impostor = new Approver({
    folders: gate.folders,
    credential: { token: await gate.requesterToken() },
  });
  await assert.rejects(impostor.answer(open.id, { custom: 'yes' }), refusedWith('not_an_approver'));
  await assert.rejects(impostor.questions(), refusedWith('not_an_approver'));
  assert.equal((await client.answer(open.id, { wait: 0 })).status, 'pending');
  await client.cancelQuestion(open.id);
});

test('what an agent starts decides nothing, even with an approver token', async () => {
  const client = gate.client();
  const open = await client.submit({ tool: 'by_proxy' });
  const program = `
    import { Approver } from 'handraise';
    const [folders, tokenFile, id] = JSON.parse(process.argv[1]);
    const approver = new Approver({ folders, credential: { tokenFile } });
    await approver.decide(id, { decision: 'approve' }).then(
      ({ result }) => console.log(result.status),
      (error) => console.log(error.problem?.code ?? String(error)),
    );
    approver.close();`;
  const argument = JSON.stringify([gate.folders, gate.approverTokenFile, open.id]);
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.equal((await text(child.stdout)).trim(), 'own_process_tree');
  assert.equal((await client.result(open.id)).status, 'pending');
  await client.cancel(open.id);
});

test('another requester cannot look at, withdraw or use a request', async () => {
  const open = await gate.client().submit({ tool: 'mine', arguments: { n: 1 } });
  const other = gate.client({ credential: { name: 'claude-code' } });
  await assert.rejects(other.result(open.id), refusedWith('not_found'));
  await assert.rejects(other.cancel(open.id), refusedWith('not_found'));
  const approver = gate.approver();
  await approver.approve(await pending(approver, 'mine'));
  await assert.rejects(
    other.resume(open.id, { tool: 'mine', arguments: { n: 1 } }),
    refusedWith('not_found'),
  );
});

test('a resumed token runs the very call, once', async () => {
  const handler = new HandraiseApprovalHandler({
    gate: new Gate({ client: gate.client() }),
    mode: 'pending',
  });
  const quiet = { info: () => undefined, warn: () => undefined };
  const executor = new ApprovalGate({ handler, log: quiet });
  const annotations = { requiresApproval: true };
  const call = { moduleId: 'payments.send', arguments: { to: 'ann', amount: 5 }, annotations };
  const asked = await executor.check(call).catch((error: unknown) => error);
  const token = (asked as { approvalId: string }).approvalId;
  const withToken = (change: object) => ({
    ...call,
    arguments: { ...call.arguments, ...change, _approval_token: token },
  });

  await assert.rejects(executor.check(withToken({})), { code: 'APPROVAL_PENDING', approvalId: token });
  const approver = gate.approver();
  await approver.approve(await pending(approver, 'payments.send'));
  await assert.rejects(executor.check(withToken({ amount: 5000 })), { code: 'APPROVAL_DENIED' });
  await assert.rejects(executor.check({ ...withToken({}), moduleId: 'payments.all' }), {
    code: 'APPROVAL_DENIED',
  });
  const both = await Promise.allSettled([executor.check(withToken({})), executor.check(withToken({}))]);
  const ran = both.filter(({ status }) => status === 'fulfilled');
  assert.equal(ran.length, 1);
  assert.deepEqual(ran[0], { status: 'fulfilled', value: { to: 'ann', amount: 5 } });
  await assert.rejects(executor.check(withToken({})), { code: 'APPROVAL_DENIED' });

  // Nor does another executor, which knows nothing of it, take the token for something else.
  const other = new ApprovalGate({ handler, log: quiet });
  await assert.rejects(other.check(withToken({ amount: 5000 })), { code: 'APPROVAL_DENIED' });
  await assert.rejects(other.check(withToken({})), { code: 'APPROVAL_DENIED' });
});

test('arguments that are changed while a person reads do not run', async () => {
  const gated = new Gate({ client: gate.client() });
  const args = { path: '/tmp/a' };
  const ran: unknown[] = [];
  const running = gated.call({ tool: 'remove', arguments: args }, (decided) => ran.push(decided));
  const approver = gate.approver();
  const approval = await pending(approver, 'remove');
  args.path = '/';
  await approver.approve(approval);
  await running;
  assert.deepEqual(ran, [{ path: '/tmp/a' }]);
});

test('an approval of other arguments than those that were shown is refused', async () => {
  const client = gate.client();
  const open = await client.submit({ tool: 'shown', arguments: { n: 1 } });
  const approver = gate.approver();
  const wrong = approver.decide(open.id, { decision: 'approve', arguments_hash: 'ab'.repeat(32) });
  await assert.rejects(wrong, refusedWith('other_arguments'));
  await client.cancel(open.id);
});

test('nothing runs when nobody answers, or the request is withdrawn', async () => {
  const gated = new Gate({ client: gate.client() });
  const never = () => assert.fail('it ran');
  await assert.rejects(gated.call({ tool: 'slow', timeoutSeconds: 1 }, never), ApprovalTimeoutError);
  const rejected = assert.rejects(gated.call({ tool: 'gone' }, never), ApprovalCancelledError);
  const { id } = await pending(gate.approver(), 'gone');
  await gate.client().cancel(id);
  await rejected;
});

test('a status that nobody knows is a denial', () => {
  const error = errorOf({ status: 'excellent', id: 'x' } as never);
  assert.ok(error instanceof ApprovalDeniedError);
});

test('a gate that stops in the middle approves nothing', async () => {
  const mortal = await RunningGate.start();
  try {
    const gated = new Gate({ client: mortal.client({ reconnectSeconds: 0.2 }) });
    const never = () => assert.fail('it ran');
    const rejected = assert.rejects(gated.call({ tool: 'last_wish' }, never), GateUnavailableError);
    const inBatch = gated.run([
      { tool: 'one', execute: never },
      { tool: 'two', execute: never },
    ]);
    await pending(mortal.approver(), 'last_wish');
    await pending(mortal.approver(), 'two');
    await mortal.kill();
    await rejected;
    for (const outcome of await inBatch) {
      assert.equal(outcome.status, 'failed');
      assert.ok(outcome.status === 'failed' && outcome.error instanceof GateUnavailableError);
    }
    await assert.rejects(gated.call({ tool: 'free_lunch' }, never), GateUnavailableError);
    await assert.rejects(
      new HandraiseApprovalHandler({ gate: gated }).requestApproval({ moduleId: 'm' } as never),
      GateUnavailableError,
    );
  } finally {
    await mortal.stop();
  }
});
