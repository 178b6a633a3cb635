import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import {
  ApprovalDeniedError,
  type Approver,
  type Client,
  Gate,
  GateRefusedError,
  argumentsHash,
  assertApproved,
} from 'handraise';

import { RunningGate, eventually, pending } from './running-gate.js';

let gate: RunningGate;
let client: Client;
let approver: Approver;

before(async () => {
  gate = await RunningGate.start();
  client = gate.client();
  approver = gate.approver();
});
after(async () => {
  client.close();
  approver.close();
  await gate.stop();
});

test('the policy answers at once', async () => {
  const result = await client.request({ tool: 'free_lunch', arguments: { plates: 2 } });
  assert.equal(result.status, 'approved');
  assert.equal(result.decided_by, 'policy');
  assert.ok(Object.isFrozen(result));

  const denied = await client.request({ tool: 'never_ever' });
  assert.throws(
    () => assertApproved(denied, 'never_ever'),
    (error) => {
      assert.ok(error instanceof ApprovalDeniedError);
      assert.equal(error.code, 'APPROVAL_DENIED');
      assert.equal(error.result, denied);
      return true;
    },
  );
});

test('a call waits until a person decides', async () => {
  const asked = client.request({ tool: 'deploy', arguments: { to: 'staging' }, session: 's' });
  const approval = await pending(approver, 'deploy');
  await approver.deny(approval, 'not on a Friday');
  const result = await asked;
  assert.equal(result.status, 'denied');
  assert.equal(result.reason, 'not on a Friday');
});

test('who aborts takes the request back', async () => {
  const abort = new AbortController();
  const asked = client.request({ tool: 'abandoned' }, { signal: abort.signal });
  const { id } = await pending(approver, 'abandoned');
  abort.abort(new Error('changed my mind'));
  await assert.rejects(asked, /changed my mind/);
  assert.equal((await approver.list({ q: 'abandoned' })).approvals.length, 0);
  assert.equal((await client.result(id)).status, 'cancelled');
});

test('submit, wait, and resume once for the very call', async () => {
  const call = { tool: 'publish', arguments: { version: '1.0' } };
  const open = await client.submit(call);
  assert.equal(open.status, 'pending');
  assert.equal((await client.wait(open.id, { wait: 0 })).status, 'pending');
  const waiting = client.wait(open.id);
  await approver.approve(await pending(approver, 'publish'));
  assert.equal((await waiting).status, 'approved');

  const isNotRedeemable = (error: unknown) =>
    error instanceof GateRefusedError && error.problem.code === 'not_redeemable';
  await assert.rejects(client.resume(open.id, { ...call, arguments: { version: '2.0' } }), isNotRedeemable);
  assert.equal((await client.resume(open.id, call)).status, 'approved');
  await assert.rejects(client.resume(open.id, call), isNotRedeemable);
});

test('a request that is withdrawn is cancelled', async () => {
  const open = await client.submit({ tool: 'withdrawn' });
  assert.equal((await client.cancel(open.id)).status, 'cancelled');
});

test('the dry run explains and asks nobody', async () => {
  const evaluation = await client.evaluate({ tool: 'deploy' });
  assert.equal(evaluation.action, 'ask');
  assert.equal((await client.evaluate({ tool: 'free_lunch' })).action, 'allow');
  assert.equal((await approver.list()).approvals.length, 0);
});

test('events come as they happen, and again from where they were left', async () => {
  const abort = new AbortController();
  const seen: string[] = [];
  const ids: string[] = [];
  const listening = (async () => {
    for await (const { id, event } of client.events({ signal: abort.signal })) {
      seen.push(event.type);
      ids.push(id);
    }
  })();
  await eventually('both events', async () => {
    if (!seen.includes('approval_requested')) {
      const open = await client.submit({ tool: 'watched' });
      await client.cancel(open.id);
    }
    return seen.includes('approval_requested') && seen.includes('approval_resolved');
  });
  abort.abort();
  await listening;

  const lastEventId = ids[0] as string;
  for await (const { id, event } of client.events({ lastEventId })) {
    assert.equal(id, ids[1]);
    assert.equal(event.type, seen[1]);
    break;
  }
});

test('the hash that is checked is the one that the gate makes', async () => {
  const odd = {
    z: [1e21, 0.1, -0, 5e-324, 1.0],
    é: '\u2028"\\',
    a: { '\ud83d\ude00': null, '': true, '\ue000': 1 },
  };
  const result = await client.request({ tool: 'free_hash', arguments: odd });
  assert.equal(result.arguments_hash, argumentsHash(JSON.parse(JSON.stringify(odd))));
});

test('a field that the gate does not know is refused with its name', async () => {
  const typo = { tool: 'free_lunch', arguements: {} } as never;
  await assert.rejects(client.request(typo), /arguements/);
});

test('a batch is taken as a whole, and aborting withdraws all of it', async () => {
  const requests = [{ tool: 'free_one' }, { tool: 'batch_two' }, { tool: 'never_three' }];
  const asked = client.batch({ requests });
  const approval = await pending(approver, 'batch_two');
  await approver.approve(approval);
  assert.deepEqual(
    (await asked).map(({ status }) => status),
    ['approved', 'approved', 'denied'],
  );
  await assert.rejects(client.batch({ requests: [{ tool: 'batch_four' }, { tool: '' }] }), /requests\[1\]/);

  const abort = new AbortController();
  const two = client.batch(
    { requests: [{ tool: 'batch_five' }, { tool: 'batch_six' }] },
    { signal: abort.signal },
  );
  const rejected = assert.rejects(two, /no longer/);
  await pending(approver, 'batch_five');
  await pending(approver, 'batch_six');
  abort.abort(new Error('no longer'));
  await rejected;
  assert.equal((await approver.list()).approvals.length, 0);
});

test('a question waits for its answer, is declined, or is taken back', async () => {
  const asking = new Gate({ client, agent: 'sdk-test', session: 'q' });
  const open = (text: string) =>
    eventually(text, async () => (await approver.questions()).find((q) => JSON.stringify(q).includes(text)));
  const choices = [{ label: 'blue', description: 'like the sky' }, { label: 'green' }];
  const first = asking.ask({ question: 'Which colour?', choices, custom: true });
  const question = await open('Which colour?');
  assert.equal(question.agent, 'sdk-test');
  await approver.answer(question.id, { selected: ['green'], custom: 'but dark' });
  const answered = await first;
  assert.equal(answered.status, 'answered');
  assert.deepEqual([answered.selected, answered.custom], [['green'], 'but dark']);
  assert.match(answered.answer ?? '', /green[^]*but dark/);

  const second = asking.ask('Go on?');
  await approver.answer((await open('Go on?')).id, { decline: true, reason: 'busy' });
  assert.deepEqual([(await second).status, (await second).reason], ['declined', 'busy']);

  const abort = new AbortController();
  const third = asking.ask('Still there?', { signal: abort.signal });
  const rejected = assert.rejects(third, /never mind/);
  const { id } = await open('Still there?');
  abort.abort(new Error('never mind'));
  await rejected;
  assert.equal((await client.answer(id)).status, 'cancelled');
  assert.equal((await approver.questions()).length, 0);

  const later = await asking.ask('Later?', { wait: 0 });
  assert.equal(later.status, 'pending');
  assert.equal((await client.cancelQuestion(later.id)).status, 'cancelled');
});
