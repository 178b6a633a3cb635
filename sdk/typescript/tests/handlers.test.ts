import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';

import { type Approver, Gate } from 'handraise';
import {
  AlwaysDenyHandler,
  ApprovalDeniedError,
  ApprovalPendingError,
  type ApprovalHandler,
  AutoApproveHandler,
  AutoDenyHandler,
  CallbackApprovalHandler,
  HandraiseApprovalHandler,
  SseApprovalHandler,
  TerminalApprovalHandler,
  createApprovalRequest,
  createApprovalResult,
  isApprovalHandler,
} from 'handraise/handlers';
import { type ApprovalDecisionEvent, ApprovalGate, type ApprovalGateOptions } from '@handraise/apcore';
import {
  ApprovalCapability,
  type ApprovalRequestEvent,
  type ApprovalResultEvent,
} from 'handraise/approval-capability';

import { RunningGate, eventually, pending } from './running-gate.js';

const quiet = { info: () => undefined, warn: () => undefined };
const request = createApprovalRequest({
  moduleId: 'm.x',
  arguments: { n: 1 },
  annotations: { destructive: true },
});
const executor = (handler: ApprovalHandler | undefined, options: ApprovalGateOptions = {}) =>
  new ApprovalGate({ handler, log: quiet, ...options });
const module = { moduleId: 'm.x', arguments: { n: 1 }, annotations: { requiresApproval: true } };

let running: RunningGate;
let gate: Gate;
let approver: Approver;
before(async () => {
  running = await RunningGate.start();
  gate = new Gate({ client: running.client() });
  approver = running.approver();
});
after(() => running.stop());

test('requests and results are frozen, with their defaults', () => {
  assert.deepEqual(createApprovalRequest({ moduleId: 'm' }), {
    moduleId: 'm',
    arguments: {},
    context: null,
    annotations: null,
    description: null,
    tags: [],
    callerId: null,
    action: 'm',
  });
  assert.deepEqual(createApprovalResult({ status: 'approved' }), {
    status: 'approved',
    approvedBy: null,
    reason: null,
    approvalId: null,
    metadata: null,
  });
  assert.ok(Object.isFrozen(request) && Object.isFrozen(request.arguments) && Object.isFrozen(request.tags));
  assert.ok(Object.isFrozen(createApprovalResult({ status: 'pending' })));
});

test('the built-in handlers', async () => {
  assert.equal((await new AutoApproveHandler().requestApproval(request)).approvedBy, 'auto');
  assert.equal((await new AlwaysDenyHandler().requestApproval(request)).reason, 'Always denied');
  assert.equal((await new AutoDenyHandler().requestApproval(request)).reason, 'Read-only mode');
  const callback = new CallbackApprovalHandler(async ({ moduleId }) =>
    createApprovalResult({ status: moduleId === 'm.x' ? 'approved' : 'rejected' }),
  );
  assert.equal((await callback.requestApproval(request)).status, 'approved');
  const check = await callback.checkApproval('x');
  assert.deepEqual([check.status, check.reason], ['rejected', 'Phase B not supported by callback handler']);
  assert.ok(
    isApprovalHandler(callback) && !isApprovalHandler({ requestApproval: 1 }) && !isApprovalHandler(null),
  );
});

function terminal() {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (bytes: Buffer) => (shown += bytes.toString()));
  const handler = new TerminalApprovalHandler({ input, output, agentName: 'tester' });
  return { input, handler, shown: () => shown };
}

test('the terminal: a approves, d denies, A remembers, Enter and other keys decide nothing', async () => {
  const { input, handler, shown } = terminal();
  const hostile = createApprovalRequest({
    moduleId: 'm.x',
    arguments: { text: '\u001b[2J\u202egnp.exe', apiKey: 'hunter2' },
    annotations: { destructive: true },
  });
  const first = handler.requestApproval(hostile);
  const second = handler.requestApproval(request);
  const prompts = (count: number) =>
    eventually('a prompt', async () => shown().split('[a] approve').length > count);
  await prompts(1);
  input.write('\nyes\nD\n');
  await prompts(4);
  input.write('d\n');
  assert.deepEqual([(await first).status, (await first).reason], ['rejected', 'User denied']);
  await prompts(5);
  input.write('A\n');
  assert.deepEqual((await second).metadata, { always: true });
  assert.match(shown(), /Tool: {6}m\.x[^]*Risk: {6}destructive[^]*Agent: {5}tester/);
  assert.ok(!shown().includes('hunter2') && !shown().includes('\u202e'));
  assert.ok(!shown().includes('\u001b[2J\\'), 'escape sequences are drawn, not obeyed');

  const third = handler.requestApproval(request);
  await prompts(6);
  input.end();
  assert.equal((await third).status, 'rejected');
});

test('without a terminal nothing is approved', async () => {
  assert.equal(process.stdin.isTTY ?? false, false);
  assert.equal((await new TerminalApprovalHandler().requestApproval(request)).status, 'rejected');
});

test('answers over the wire find their request; an unknown id is ignored', async () => {
  const handler = new SseApprovalHandler({ agentName: 'tester' });
  const stop = new AbortController();
  const frames: string[] = [];
  const listening = (async () => {
    for await (const frame of handler.stream(stop.signal)) frames.push(frame);
  })();
  const one = handler.requestApproval(request);
  const two = handler.requestApproval(request);
  const [first, second] = handler.pending;
  assert.ok(first && second);
  assert.equal(handler.resolve('nobody', { approved: true }), false);
  assert.equal(handler.resolve(second.request_id, { approved: true, always: true }), true);
  assert.equal(handler.resolve(second.request_id, {}), false);
  assert.equal(handler.resolve(first.request_id, { approved: 'yes' as never }), true);
  assert.deepEqual([(await one).status, (await one).reason], ['rejected', 'Approval denied']);
  assert.deepEqual([(await two).status, (await two).metadata], ['approved', { always: true }]);
  await eventually('all frames', async () => frames.length === 4);
  stop.abort();
  await listening;
  const [asked] = frames;
  assert.match(asked ?? '', /^event: ApprovalRequestEvent\ndata: \{.*\}\n\n$/);
  assert.deepEqual(JSON.parse((asked ?? '').split('data: ')[1] ?? ''), {
    request_id: first.request_id,
    tool_name: 'm.x',
    arguments: { n: 1 },
    risk_level: 'destructive',
    agent_name: 'tester',
  });
  assert.match(frames[2] ?? '', /^event: ApprovalResultEvent\ndata: .*"approved_always"/);

  const late = await new SseApprovalHandler({ timeoutSeconds: 0.01 }).requestApproval(request);
  assert.equal(late.status, 'timeout');
});

test('an executor runs what is approved, with the arguments that were asked about', async () => {
  const given = Object.freeze({ n: 1, _approval_token: undefined });
  const passes = await executor(undefined).check({ ...module, arguments: given });
  assert.deepEqual(passes, { n: 1 }, 'without a handler there is no gate');
  assert.deepEqual(await executor(new AutoApproveHandler()).check(module), { n: 1 });
  const denies = executor(new AlwaysDenyHandler());
  assert.deepEqual(await denies.check({ ...module, annotations: {} }), { n: 1 });
  await assert.rejects(
    denies.check({ ...module, annotations: { requires_approval: true } }),
    ApprovalDeniedError,
  );
  await assert.rejects(denies.check({ ...module, annotations: null, isRequired: true }), ApprovalDeniedError);
  await assert.rejects(
    executor(new AlwaysDenyHandler(), { strict: true }).check({ ...module, annotations: null }),
  );
  const destructive = { ...module, annotations: { destructive: true } };
  await assert.rejects(executor(new AlwaysDenyHandler(), { gateDestructive: true }).check(destructive));
  const token = { ...module, arguments: { _approval_token: 5 } };
  await assert.rejects(denies.check(token), { code: 'GENERAL_INVALID_INPUT' });
  const unused = { ...module, annotations: {}, arguments: { n: 1, _approval_token: 'x' } };
  assert.deepEqual(await denies.check(unused), { n: 1 }, 'the token never reaches a module');
  assert.throws(() => denies.setApprovalHandler({} as never), TypeError);
});

test('an executor has an error for each answer, and an event', async () => {
  const events: ApprovalDecisionEvent[] = [];
  const warned: string[] = [];
  const answering = (status: string) =>
    executor(
      new CallbackApprovalHandler(async () =>
        createApprovalResult({ status: status as 'pending', reason: 'why', approvalId: 'id' }),
      ),
      {
        onDecision: (event) => {
          events.push(event);
          throw new Error('a listener that fails');
        },
        log: { info: () => undefined, warn: (text: string) => warned.push(text) },
      },
    );
  const errorOf = (status: string) =>
    answering(status)
      .check({ ...module, traceId: 't' })
      .catch((error) => error);
  const denied = await errorOf('rejected');
  assert.ok(denied instanceof ApprovalDeniedError);
  assert.deepEqual(denied.toJSON(), {
    code: 'APPROVAL_DENIED',
    message: "Approval denied for module 'm.x': why",
    details: { moduleId: 'm.x' },
    retryable: false,
    user_fixable: false,
  });
  assert.deepEqual(denied.result, {
    status: 'rejected',
    approvedBy: null,
    reason: 'why',
    approvalId: 'id',
    metadata: null,
  });
  const timeout = await errorOf('timeout');
  assert.deepEqual(
    [timeout.code, timeout.message, timeout.retryable],
    ['APPROVAL_TIMEOUT', "Approval timed out for module 'm.x'", true],
  );
  const open = await errorOf('pending');
  assert.deepEqual(
    [open.code, open.approvalId, open.details],
    ['APPROVAL_PENDING', 'id', { moduleId: 'm.x', approvalId: 'id' }],
  );
  const unknown = await errorOf('excellent');
  assert.equal(unknown.code, 'APPROVAL_DENIED');
  assert.ok(warned.some((text) => text.includes('excellent')));
  assert.deepEqual(
    events.map(({ status, severity, trace_id }) => [status, severity, trace_id]),
    [
      ['rejected', 'warn', 't'],
      ['timeout', 'warn', 't'],
      ['pending', 'info', 't'],
      ['excellent', 'warn', 't'],
    ],
  );
  const broken = new CallbackApprovalHandler(() => Promise.reject(new RangeError('mine')));
  await assert.rejects(executor(broken).check(module), RangeError);
});

test('a handler that does not bind its approvals is bound by the executor', async () => {
  let answer: 'pending' | 'approved' = 'pending';
  const handler: ApprovalHandler = {
    requestApproval: async () => createApprovalResult({ status: 'pending', approvalId: 'ticket' }),
    checkApproval: async (approvalId) => createApprovalResult({ status: answer, approvalId }),
  };
  const bound = executor(handler);
  const again = (change: object) => ({
    ...module,
    arguments: { n: 1, _approval_token: 'ticket', ...change },
  });
  await assert.rejects(bound.check(again({})), /approval_id not found/);
  await assert.rejects(bound.check(module), { code: 'APPROVAL_PENDING' });
  await assert.rejects(bound.check(again({})), { code: 'APPROVAL_PENDING' });
  answer = 'approved';
  await assert.rejects(bound.check(again({ n: 2 })), /another call/);
  await assert.rejects(bound.check({ ...again({}), moduleId: 'm.y' }), /another call/);
  assert.deepEqual(await bound.check(again({})), { n: 1 });
  await assert.rejects(bound.check(again({})), /approval_id not found/);
});

test('Handraise as a handler: approved, rejected, timeout, changed arguments', async () => {
  const handler = new HandraiseApprovalHandler({ gate });
  const asks = (name: string, n = 1) =>
    handler.requestApproval(createApprovalRequest({ moduleId: name, arguments: { n } }));
  const approved = await asks('free_module');
  assert.deepEqual([approved.status, approved.approvedBy], ['approved', 'policy']);
  const rejected = await asks('never_module');
  assert.deepEqual([rejected.status, rejected.reason], ['rejected', 'never']);
  const timed = new HandraiseApprovalHandler({ gate: gate.with({ timeoutSeconds: 1 }) });
  assert.equal((await timed.requestApproval(createApprovalRequest({ moduleId: 'slow' }))).status, 'timeout');

  const changing = asks('changed');
  await approver.approve(await pending(approver, 'changed'), { arguments: { n: 2 } });
  assert.equal((await changing).status, 'rejected');
  assert.match((await changing).reason ?? '', /Call again with these/);
  const takes = executor(new HandraiseApprovalHandler({ gate, takesChangedArguments: true }));
  const taken = takes.check({ ...module, moduleId: 'taken' });
  await approver.approve(await pending(approver, 'taken'), { arguments: { n: 3 } });
  assert.deepEqual(await taken, { n: 3 });
});

/** An executor as apcore-js has it: it asks about a token without the call that it is for. */
async function foreign(handler: HandraiseApprovalHandler, call: { moduleId: string; token?: string }) {
  const request = createApprovalRequest({ moduleId: call.moduleId, arguments: { n: 1 } });
  const { status } = await (call.token === undefined
    ? handler.requestApproval(request)
    : handler.checkApproval(call.token));
  return status === 'approved' ? `${call.moduleId} ran` : status;
}

test('Handraise as a pending handler: behind another executor no token lets a call run', async () => {
  const handler = new HandraiseApprovalHandler({ gate, mode: 'pending' });
  const bound = executor(handler);
  const open = bound.check({ ...module, moduleId: 'ticket' });
  const { approvalId: id } = await open.catch((error: ApprovalPendingError) => error);
  assert.ok(typeof id === 'string');
  assert.equal(await foreign(handler, { moduleId: 'another', token: id }), 'pending');
  await approver.approve(await pending(approver, 'ticket'));
  assert.equal(await foreign(handler, { moduleId: 'another', token: id }), 'pending');
  assert.match((await handler.checkApproval(id)).reason ?? '', /with the same arguments/);
  assert.equal(await foreign(handler, { moduleId: 'another', token: 'nobody' }), 'rejected');

  const again = { ...module, moduleId: 'ticket', arguments: { ...module.arguments, _approval_token: id } };
  await assert.rejects(bound.check({ ...again, moduleId: 'another' }), /another call/);
  assert.deepEqual(await bound.check(again), module.arguments);
  await assert.rejects(bound.check(again), /cannot be used|approval_id not found|redeem|used/);

  // There it waits for the person instead.
  const waits = foreign(handler, { moduleId: 'waits' });
  await approver.approve(await pending(approver, 'waits'));
  assert.equal(await waits, 'waits ran');
});

test('a capability: policy, then memory, then the handler, with its events in order', async () => {
  const events: (ApprovalRequestEvent | ApprovalResultEvent | string)[] = [];
  const answers = [
    createApprovalResult({ status: 'rejected', reason: '' }),
    createApprovalResult({ status: 'approved', metadata: { always: true } }),
  ];
  const asked: unknown[] = [];
  const handler = new CallbackApprovalHandler(async (request) => {
    asked.push(request.arguments);
    return answers.shift() ?? createApprovalResult({ status: 'rejected', reason: 'asked again' });
  });
  const capability = new ApprovalCapability({
    gate,
    handler,
    agentName: 'tester',
    onEvent: (event) => {
      events.push(event);
      throw new Error('a listener that fails');
    },
  });
  assert.equal((await capability.evaluate({ toolName: 'free_lunch', arguments: '{"a":' })).approved, true);
  assert.equal((await capability.evaluate({ toolName: 'never_tool' })).reason, "Policy denies 'never_tool'");
  assert.equal(events.length, 0);

  const tools = {
    edit: () => {
      events.push('the tool ran');
      return 'edited';
    },
  };
  const denied = await capability.run({ toolName: 'edit', arguments: { n: 1 } }, tools);
  assert.deepEqual(denied, { content: 'Denied: Approval denied', is_error: false });
  const ran = await capability.run({ toolName: 'edit', arguments: { n: 2 } }, tools);
  assert.deepEqual(ran, { content: 'edited', is_error: false });
  const remembered = await capability.run({ toolName: 'edit', arguments: { n: 3 } }, tools);
  assert.equal(remembered.content, 'edited');
  assert.deepEqual(asked, [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(
    events.map((event) => (typeof event === 'string' ? event : event.type)),
    [
      'ApprovalRequestEvent',
      'ApprovalResultEvent',
      'ApprovalRequestEvent',
      'ApprovalResultEvent',
      'the tool ran',
      'the tool ran',
    ],
  );
  const [first, second, , fourth] = events;
  assert.ok(typeof first === 'object' && typeof second === 'object' && typeof fourth === 'object');
  assert.equal(first.request_id, second.request_id);
  assert.deepEqual(
    { ...first, request_id: '' },
    {
      type: 'ApprovalRequestEvent',
      request_id: '',
      tool_name: 'edit',
      arguments: { n: 1 },
      risk_level: 'write',
      agent_name: 'tester',
    },
  );
  assert.equal('decision' in second && second.decision, 'denied');
  assert.equal('decision' in fourth && fourth.decision, 'approved_always');
  assert.deepEqual(await capability.run({ toolName: 'toString' }, tools), {
    content: "Unknown tool 'toString'",
    is_error: true,
  });
  assert.deepEqual(await capability.run({ toolName: 'edit', arguments: '{"n":' }, tools), {
    content: 'The arguments are no JSON object',
    is_error: true,
  });
  const other = await capability.run({ toolName: 'edit', arguments: { n: 4 }, session: 'other' }, tools);
  assert.deepEqual(other, { content: 'Denied: asked again', is_error: false });
  const fresh = new ApprovalCapability({ gate, handler });
  assert.equal(
    (await fresh.evaluate({ toolName: 'edit' })).approved,
    false,
    'another session remembers nothing',
  );
});
