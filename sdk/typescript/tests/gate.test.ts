import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import {
  ApprovalDeniedError,
  type Approver,
  type DeniedToolResult,
  Gate,
  isDenied,
  isPause,
  parseArguments,
  riskLevel,
  withApproval,
} from 'handraise';

import { RunningGate, pending } from './running-gate.js';

let running: RunningGate;
let gate: Gate;
let approver: Approver;
before(async () => {
  running = await RunningGate.start();
  gate = new Gate({ client: running.client(), agent: 'sdk-test', session: 's1' });
  approver = running.approver();
});
after(() => running.stop());

/** Only approvals with this type of arguments fit a tool: the types are part of the test. */
function remove({ path }: { path: string }): number {
  return path.length;
}

test('a wrapped function runs when it is approved', async () => {
  const gated = withApproval(remove, { gate, name: 'free_remove' });
  const value: number | DeniedToolResult = await gated({ path: 'abc' });
  assert.equal(value, 3);
  // @ts-expect-error: the arguments keep their type
  assert.ok(() => gated({ path: 1 }));
});

test('a denial is a result that a model can read', async () => {
  const gated = withApproval(remove, { gate, name: 'never_remove' });
  const value = await gated({ path: 'abc' });
  assert.ok(isDenied(value));
  assert.equal(value.isError, false);
  assert.equal(value.content[0].text, 'Denied: never');
  assert.equal(String(value), 'Denied: never');
  assert.equal(value._meta.status, 'denied');
});

test('a denial throws where that is wanted, and the type says so', async () => {
  const gated = withApproval(remove, { gate, name: 'never_remove', onDenied: 'throw' });
  await assert.rejects(gated({ path: 'abc' }), (error) => {
    assert.ok(error instanceof ApprovalDeniedError);
    assert.equal(error.message, 'Approval denied for never_remove: never');
    assert.deepEqual(error.toJSON()['code'], 'APPROVAL_DENIED');
    return true;
  });
  const free = withApproval(remove, { gate, name: 'free_remove', onDenied: 'throw' });
  const value: number = await free({ path: 'four' });
  assert.equal(value, 4);
});

test('a tool object keeps what else it has; what it throws is thrown', async () => {
  const tool = {
    name: 'free_tool',
    description: 'fails',
    execute: async (_args: object): Promise<string> => {
      throw new ApprovalDeniedError('an error of its own');
    },
  };
  const gated = withApproval(tool, { gate });
  assert.equal(gated.description, 'fails');
  await assert.rejects(gated.execute({}), /an error of its own/);
  assert.throws(() => withApproval(() => 1, { gate }), /give the tool a `name`/);
});

test('the request says what the wrapper was told', async () => {
  const abort = new AbortController();
  const gated = withApproval(
    async (args: { to: string }, _options: { abortSignal: AbortSignal }) => args.to,
    {
      gate,
      name: 'mail',
      risk: 'medium',
      tags: ['outside'],
      description: 'Sends mail',
      context: ({ to }) => ({ session: 's7', intent: `tell ${to}` }),
    },
  );
  const sending = gated({ to: 'ann' }, { abortSignal: abort.signal });
  const rejected = assert.rejects(sending, /enough/);
  const approval = await pending(approver, 'mail');
  assert.equal(approval.risk.level, 'write');
  assert.equal(approval.agent, 'sdk-test');
  assert.equal(approval.session?.id, 's7');
  assert.deepEqual(approval.intent, [{ kind: 'text', text: 'tell ann' }]);
  abort.abort(new Error('enough'));
  await rejected;
  assert.equal((await approver.list()).approvals.length, 0);
});

test('a person may change the arguments, and those run', async () => {
  const running = gate.call({ tool: 'write_file', arguments: { path: 'a', text: 'x' } }, (args) => args);
  const approval = await pending(approver, 'write_file');
  await approver.approve(approval, { arguments: { path: 'b', text: 'x' } });
  assert.deepEqual(await running, { path: 'b', text: 'x' });
});

test('a batch that is allowed runs at once', async () => {
  let open = 0;
  let most = 0;
  const execute = async (args: Record<string, unknown>) => {
    most = Math.max(most, ++open);
    // Each waits until all have begun; a batch in sequence would never end.
    while (most < 3) await new Promise((next) => setImmediate(next));
    open -= 1;
    return args['n'];
  };
  const outcomes = await gate.run([1, 2, 3].map((n) => ({ tool: 'free_n', arguments: { n }, execute })));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'executed' && outcome.value),
    [1, 2, 3],
  );
});

test('a batch that asks runs in order, is shown together, and goes on after a denial', async () => {
  const ran: string[] = [];
  const call = (tool: string) => ({ tool, execute: () => ran.push(tool) });
  const running = gate.run([
    call('free_first'),
    call('ask_second'),
    call('ask_third'),
    call('never_fourth'),
    call('free_fifth'),
  ]);
  const third = await pending(approver, 'ask_third');
  const second = await pending(approver, 'ask_second');
  await approver.approve(third);
  await approver.deny(second, 'not this one');
  const outcomes = await running;
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['executed', 'denied', 'executed', 'denied', 'executed'],
  );
  assert.deepEqual(ran, ['free_first', 'ask_third', 'free_fifth']);
  const denied = outcomes[1];
  assert.ok(denied?.status === 'denied');
  assert.equal(denied.toolResult.content[0].text, 'Denied: not this one');
});

test('a hand-off ends the batch, and what waited is withdrawn', async () => {
  const isHandOff = (value: string) => value === 'to another agent';
  const running = gate.run([
    { tool: 'free_hand_off', execute: () => 'to another agent', isHandOff },
    { tool: 'ask_later', execute: () => 'ran' },
  ]);
  const outcomes = await running;
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['executed', 'skipped'],
  );
  assert.equal((await approver.list()).approvals.length, 0);
});

test('a call that fails does not take the others along', async () => {
  const outcomes = await gate.run([
    { tool: 'free_a', execute: () => Promise.reject(new Error('broken')) },
    { tool: 'free_b', execute: () => 'fine' },
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['failed', 'executed'],
  );
});

test('a run that is saved stops on a signal and goes on once', async () => {
  const call = { tool: 'ask_publish', arguments: { version: 1 }, intent: 'release' };
  const paused = await gate.pauseOrRun(call, () => assert.fail('it ran'));
  assert.ok(isPause(paused));
  assert.equal(paused.prompt, "Tool 'ask_publish' requires approval. Intent: release, Agent: sdk-test.");
  assert.equal(paused.ttlMs, 300_000);
  assert.equal(paused.metadata.approvalRequest, true);
  const saved = JSON.parse(JSON.stringify(paused)) as typeof paused;

  await assert.rejects(
    gate.resume(saved, call, () => 1, { wait: 0 }),
    { code: 'APPROVAL_PENDING' },
  );
  await approver.approve(await pending(approver, 'ask_publish'));
  await assert.rejects(gate.resume(saved, { ...call, arguments: { version: 2 } }, () => 1));
  assert.equal(await gate.resume(saved, call, ({ version }) => version), 1);
  await assert.rejects(gate.resume(saved, call, () => 1));
  assert.equal(await gate.pauseOrRun({ tool: 'free_lunch' }, () => 'at once'), 'at once');
});

test('words for risk, and arguments that are no JSON', () => {
  assert.equal(riskLevel('safe'), 'read_only');
  assert.equal(riskLevel('requires_approval'), 'write');
  assert.equal(riskLevel('forbidden'), 'destructive');
  assert.throws(() => riskLevel('toString' as never), TypeError);
  assert.deepEqual(parseArguments('{"a": 1}'), { a: 1 });
  assert.deepEqual(parseArguments('{"a": '), {});
  assert.deepEqual(parseArguments('[1]'), {});
});
