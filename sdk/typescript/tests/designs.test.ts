import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { type Approver, Client, Gate, displayArguments, isPause, visible, withApproval } from 'handraise';
import { type RenamedEvent, eventNames } from 'handraise/event-names';
import {
  type McpApprovalRequest,
  McpHumanApprovalDeniedError,
  McpHumanApprovalInvalidDecisionError,
  createMcpHumanInLoopGate,
  handraiseAdapter,
} from 'handraise/mcp-human-in-loop';
import {
  type PolicyAuditEvent,
  ToolGate,
  type ToolGateContext,
  ToolPolicyDeniedError,
  ToolPolicyError,
  sessionKeyOf,
  toolPauseSignal,
  toolPolicy,
} from 'handraise/tool-gate';

import { RunningGate, eventually, pending } from './running-gate.js';

let running: RunningGate;
let client: Client;
let approver: Approver;
before(async () => {
  running = await RunningGate.start();
  client = running.client();
  approver = running.approver();
});
after(() => running.stop());

test('what is shown holds no secrets and is cut', () => {
  const secrets = { APIKEY: 'a', deep: [{ Token: 'b', password: { x: 'c' } }], pin: '1', fine: 'yes' };
  const rules = [{ kind: 'redactKey' as const, key: 'Pin', replacement: '***' }];
  assert.deepEqual(displayArguments(secrets, { rules }), {
    APIKEY: '[REDACTED]',
    deep: [{ Token: '[REDACTED]', password: '[REDACTED]' }],
    pin: '***',
    fine: 'yes',
  });
  assert.equal(displayArguments('x'.repeat(501)), `${'x'.repeat(500)}...[TRUNCATED]`);
  const array = displayArguments(Array.from({ length: 51 }, () => 1)) as unknown[];
  assert.deepEqual([array.length, array[50]], [51, '[TRUNCATED_ARRAY]']);
  const object = displayArguments(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])));
  assert.equal((object as Record<string, unknown>)['__truncated__'], true);
  assert.deepEqual(displayArguments({ a: { b: { c: { d: { e: 1 } } } } }), {
    a: { b: { c: { d: { e: '[TRUNCATED_DEPTH]' } } } },
  });
  assert.equal(
    displayArguments('abcdef', { rules: [{ kind: 'truncateString', maxLen: 3 }] }),
    'abc...[TRUNCATED]',
  );
  assert.equal(visible('a\u202eb\u001b\u200b'), 'a\\u{202E}b\\u{001B}\\u{200B}');
});

test('a key of a policy that there is not is refused by its name', () => {
  const tools = [
    { intent: {} },
    { default: { denied: ['rm'] } },
    { agents: { x: { allow: ['a'], condition: { role: ['admin'] } } } },
    { intents: { x: { allow: ['a'], conditions: { roles: ['admin'] } } } },
    { overrides: [{ id: 'o', agent: 'x', deny: ['rm'] }] },
  ];
  for (const [index, name] of ['intent', 'denied', 'condition', 'roles', 'agent'].entries()) {
    assert.throws(() => toolPolicy(tools[index] as never), {
      name: 'ToolPolicyError',
      message: new RegExp(`'${name}'`),
    });
  }
  const handraise = { requestApproval: () => Promise.reject(new Error('nobody is asked')) };
  const gates = [
    { defaultRequireApproval: false, denyList: ['rm'] },
    { defaultRequireApproval: false, tools: [{ toolName: 'a' }, { toolName: 'rm', requiresApproval: true }] },
  ];
  for (const [index, name] of ['denyList', 'requiresApproval'].entries()) {
    const policy = gates[index] as never;
    assert.throws(() => createMcpHumanInLoopGate({ policy, handraise }), new RegExp(`'${name}'`));
  }
});

test('the MCP gate: policy, request, decision, log', async () => {
  const requests: McpApprovalRequest[] = [];
  const log: [string, Record<string, unknown>][] = [];
  const answers = new Map<string, unknown>();
  const gate = createMcpHumanInLoopGate({
    policy: {
      defaultRequireApproval: true,
      allowlist: ['read', 'both'],
      denylist: ['rm', 'both'],
      tools: [
        { toolName: 'free', requireApproval: false },
        { toolName: 'write', risk: 'high', argDisplay: { rules: [{ kind: 'redactKey', key: 'body' }] } },
      ],
    },
    handraise: {
      async requestApproval(request) {
        requests.push(request);
        return (answers.get(request.toolName) ?? { decision: 'approve' }) as never;
      },
    },
    logger: {
      info: (event, payload) => void log.push([event, payload]),
      warn: () => {
        throw new Error('a logger that fails');
      },
    },
    nowMs: () => 7,
    randomUUID: () => 'trace',
  });
  const run = (toolName: string, args: unknown = {}) =>
    gate.executeWithApproval({ toolName, args }, (call) => call.args);

  await run('read');
  await run('free');
  assert.equal(requests.length, 0);
  assert.deepEqual(await run('write', { body: 'b', apiKey: 'k' }), { body: 'b', apiKey: 'k' });
  assert.deepEqual(requests[0], {
    traceId: 'trace',
    toolName: 'write',
    summary: "Run MCP tool 'write'",
    risk: 'high',
    displayArgs: { body: '[REDACTED]', apiKey: '[REDACTED]' },
    createdAtMs: 7,
  });
  assert.deepEqual(log, [
    ['mcp_approval_requested', { traceId: 'trace', toolName: 'write', risk: 'high' }],
    ['mcp_approval_approved', { traceId: 'trace', toolName: 'write', risk: 'high' }],
  ]);
  await run('unknown');
  await run('both');
  assert.deepEqual(
    requests.slice(1).map(({ toolName, risk }) => [toolName, risk]),
    [
      ['unknown', 'medium'],
      ['both', 'high'],
    ],
  );

  answers.set('edited', { decision: 'approve', overrideArgs: { n: 2 } });
  assert.deepEqual(await run('edited', { n: 1 }), { n: 2 });
  answers.set('denied', { decision: 'deny', reason: 'no' });
  await assert.rejects(run('denied'), (error) => {
    assert.ok(error instanceof McpHumanApprovalDeniedError);
    assert.equal(error.message, 'MCP tool invocation denied: denied');
    assert.deepEqual([error.traceId, error.toolName, error.reason], ['trace', 'denied', 'no']);
    return true;
  });
  for (const wrong of [{ decision: 'maybe' }, {}, 'approve']) {
    answers.set('wrong', wrong);
    await assert.rejects(run('wrong'), McpHumanApprovalInvalidDecisionError);
  }
  const careless = createMcpHumanInLoopGate({
    policy: {} as never,
    handraise: { requestApproval: async () => ({ decision: 'deny' }) },
  });
  await assert.rejects(careless.executeWithApproval({ toolName: 'any' }, () => assert.fail('it ran')));
});

test('the MCP gate asks once for the same id, through Handraise', async () => {
  const gate = createMcpHumanInLoopGate({
    policy: { defaultRequireApproval: true },
    handraise: handraiseAdapter(new Gate({ client })),
  });
  const call = { toolName: 'mcp_write', args: { n: 1, password: 'p' }, traceId: 't-1' };
  const first = gate.executeWithApproval(call, ({ args }) => args);
  const second = gate.executeWithApproval(call, ({ args }) => args);
  const approval = await pending(approver, 'mcp_write');
  assert.equal(approval.result.trace_id, 't-1');
  assert.equal((await approver.list()).approvals.length, 1);
  await approver.approve(approval);
  assert.deepEqual([await first, await second], [call.args, call.args]);

  const denied = gate.executeWithApproval({ ...call, traceId: 't-2' }, () => assert.fail('it ran'));
  const rejected = assert.rejects(denied, /MCP tool invocation denied: mcp_write/);
  await approver.deny(await pending(approver, 'mcp_write'), 'no');
  await rejected;
});

test('a tool gate: what is approved for a conversation is what Handraise remembers', async () => {
  const events: PolicyAuditEvent[] = [];
  const gate = new ToolGate({
    client,
    approver,
    agent: 'fred',
    afterPolicyDecision: (event) => {
      events.push(event);
      throw new Error('a listener that fails');
    },
  });
  const decision = { toolId: 'mailer', allowed: true, requireApproval: true };
  const context = { conversationId: 'c1', userId: 'u', intentId: 'tell', agentId: 'a' };
  assert.equal(sessionKeyOf({ userId: 'u' }), 'u');
  assert.equal(sessionKeyOf({}), undefined);

  const request = await gate.createApprovalRequest(decision, context);
  assert.deepEqual(request, {
    toolId: 'mailer',
    intentId: 'tell',
    agentId: 'a',
    userId: 'u',
    reason: 'Tool requires explicit approval',
    sessionKey: 'c1',
    ttlMs: 300_000,
  });
  assert.deepEqual(request && toolPauseSignal(request), {
    __pause: true,
    prompt: "Tool 'mailer' requires approval. Intent: tell, Agent: a.",
    metadata: { toolId: 'mailer', intentId: 'tell', agentId: 'a', approvalRequest: true },
    ttlMs: 300_000,
  });
  assert.equal(await gate.createApprovalRequest({ ...decision, requireApproval: false }, context), undefined);

  const record = await gate.recordApproval('mailer', 'c1', true);
  assert.deepEqual(
    { ...record, timestamp: '' },
    { toolId: 'mailer', sessionKey: 'c1', approved: true, timestamp: '' },
  );
  assert.ok(!Number.isNaN(Date.parse(record.timestamp)));
  assert.equal(await gate.hasApproval('mailer', 'c1', { any: 'arguments' }), true);
  assert.equal(await gate.hasApproval('mailer', 'c1:x'), false);
  assert.equal(await gate.hasApproval('mailer', 'c2'), false);
  assert.equal(await gate.hasApproval('other', 'c1'), false);
  assert.equal(await gate.hasApproval('mailer', undefined), false);
  assert.equal(await gate.createApprovalRequest(decision, context), undefined);
  assert.equal((await client.request({ tool: 'mailer', agent: 'fred', session: 'c1' })).decided_by, 'grant');

  await gate.recordApproval('mailer', 'c1', false);
  assert.equal(await gate.hasApproval('mailer', 'c1'), false);
  assert.ok(await gate.createApprovalRequest(decision, context));

  const waiting = client.request({ tool: 'mailer', arguments: { to: 'bob' }, agent: 'fred', session: 'c3' });
  await pending(approver, 'mailer');
  await gate.recordApproval('mailer', 'c3', true);
  assert.equal((await waiting).status, 'approved');
  await gate.recordApproval('mailer', 'c1', true);
  await gate.clearApprovals('c1');
  assert.equal(await gate.hasApproval('mailer', 'c1'), false);
  assert.equal(await gate.hasApproval('mailer', 'c3'), true);
  await gate.clearApprovals();
  assert.equal(await gate.hasApproval('mailer', 'c3'), false);

  await assert.rejects(gate.recordApproval('never_mailer', 'c1', true), { code: 'APPROVAL_DENIED' });
  const powerless = new ToolGate({ client });
  await assert.rejects(powerless.recordApproval('mailer', 'c1', true), { code: 'GATE_REFUSED' });
  await assert.rejects(powerless.clearApprovals(), { code: 'GATE_REFUSED' });

  const responses = events.filter(({ metadata }) => metadata?.['approvalResponse'] === true);
  assert.deepEqual(
    responses.map(({ outcome }) => outcome),
    ['allow', 'deny', 'allow', 'allow'],
  );
  assert.deepEqual(responses[0]?.metadata, { approvalResponse: true, sessionKey: 'c1' });
  assert.match(events[0]?.argsHash ?? '', /^[0-9a-f]{16}$/);
  assert.equal(events[0]?.outcome, 'requireApproval');
});

test('a tool policy is what it was when it was made', () => {
  const deny = ['shell'];
  const policies = { default: { deny }, overrides: [] as { id: string }[] };
  const decide = toolPolicy(policies);
  deny.length = 0;
  policies.overrides.push({ id: 'everything' });
  assert.equal(decide('shell', {}).allowed, false);
});

test('what is approved in one conversation lets no other of the user pass, wherever its id stands', async () => {
  const gate = new ToolGate({ client, approver, agent: 'many' });
  const decision = { toolId: 'mailer', allowed: true, requireApproval: true };
  const asks = async (context: ToolGateContext) =>
    (await gate.createApprovalRequest(decision, context)) !== undefined;
  const first = { userId: 'u', metadata: { conversationId: 'm1' } };
  await gate.recordApproval('mailer', sessionKeyOf(first) as string, true);
  assert.equal(await asks(first), false);
  for (const other of [
    { userId: 'u', metadata: { conversationId: 'm2' } },
    { userId: 'u', metadata: { thread_id: 't' } },
    { userId: 'u', metadata: { conversationId: { odd: true } } },
    { userId: 'u', conversationId: 'c', metadata: { conversationId: 'm1' } },
    { userId: 'u', conversationId: 'm1/m1' },
    { userId: 'u' },
    {},
  ]) {
    assert.equal(await asks(other), true, JSON.stringify(other));
  }
  const keys = [
    { conversationId: 'a', metadata: { threadId: 'b/c' } },
    { conversationId: 'a/b', metadata: { threadId: 'c' } },
    { conversationId: 'a', metadata: { threadId: 'a' } },
    { metadata: { sessionId: 7 } },
    { userId: 'u', metadata: { conversationId: '' } },
  ].map(sessionKeyOf);
  assert.deepEqual(keys, ['a/b%2Fc', 'a%2Fb/c', 'a', '7', undefined]);
  await gate.clearApprovals();
});

test('a gated tool asks in the conversation that its framework knows', async () => {
  const gate = new Gate({ client, agent: 'framework', session: 'program' });
  const tool = withApproval(async (_args: object, _more?: unknown) => 'done', { gate, name: 'mailer' });
  const asked = async (more: unknown): Promise<string | undefined> => {
    const answer = tool({}, more);
    const approval = await pending(approver, 'mailer');
    await approver.deny(approval);
    await answer;
    return approval.session?.id;
  };
  const map = new Map([['threadId', 't1']]);
  assert.equal(await asked(undefined), 'program');
  assert.equal(
    await asked({ toolCallId: '1', experimental_context: { conversationId: 'c1' } }),
    'program/c1',
  );
  assert.equal(await asked({ configurable: { thread_id: 'c2' } }), 'program/c2');
  assert.equal(await asked({ requestContext: map }), 'program/t1');
  assert.equal(await asked({ agent: { threadId: 't2', resourceId: 'u' } }), 'program/t2');
  assert.equal(await asked({ runtimeContext: { threadId: {} } }), undefined);
});

test('tool policies: scopes, a denial wins, overrides replace, contradictions are mistakes', async () => {
  const decide = toolPolicy({
    default: { requireApproval: ['mailer'], deny: ['shell'] },
    intents: { publish: { requireApproval: ['deploy'], allow: ['read', 'mailer'] } },
    agents: { careful: { deny: ['mailer'] } },
    overrides: [
      {
        id: 'night',
        agentId: 'careful',
        allow: ['mailer'],
        conditions: { role: ['admin'], metadata: { night: true } },
      },
    ],
  });
  const about = (toolId: string, context = {}) => {
    const { allowed, requireApproval, deniedBy } = decide(toolId, context);
    return [allowed, requireApproval, deniedBy?.scope];
  };
  assert.deepEqual(about('mailer'), [true, true, undefined]);
  assert.deepEqual(about('tagged_destructive'), [true, false, undefined]);
  assert.deepEqual(about('shell', { intentId: 'publish' }), [false, false, 'default']);
  assert.deepEqual(about('deploy', { intentId: 'publish' }), [true, true, undefined]);
  assert.deepEqual(about('write', { intentId: 'publish' }), [false, false, 'intent']);
  assert.deepEqual(about('mailer', { agentId: 'careful' }), [false, false, 'agent']);
  const night = { agentId: 'careful', role: 'admin', metadata: { night: true } };
  assert.deepEqual(about('mailer', night), [true, false, undefined]);
  assert.deepEqual(about('mailer', { ...night, metadata: {} }), [false, false, 'agent']);
  assert.throws(() => toolPolicy({ default: { deny: ['a'], allow: ['a'] } }), ToolPolicyError);
  assert.throws(() => toolPolicy({ agents: { x: { deny: ['a'], requireApproval: ['a'] } } }), /agent x: 'a'/);

  const gate = new ToolGate({ client, approver, agent: 'fred' });
  const context = { conversationId: 'c9' };
  const run = (toolId: string) => gate.run(decide(toolId, context), context, { n: 1 }, ({ n }) => n);
  await assert.rejects(
    run('shell'),
    (error) => error instanceof ToolPolicyDeniedError && error.code === 'POLICY_DENIED',
  );
  assert.equal(await run('reader'), 1);
  const paused = await run('mailer');
  assert.ok(isPause(paused) && paused.prompt.startsWith("Tool 'mailer' requires approval."));
  await gate.recordApproval('mailer', 'c9', true);
  assert.equal(await run('mailer'), 1);
});

test('events under the names of other designs', async () => {
  const abort = new AbortController();
  const styles = ['stream', 'log', 'command', 'tool-gate', 'apcore'] as const;
  const names = styles.map((style) => ({ rename: eventNames(style), seen: [] as RenamedEvent[] }));
  let isOpen = false;
  const listening = (async () => {
    for await (const { event } of client.events({ signal: abort.signal })) {
      isOpen = true;
      for (const { rename, seen } of names) {
        const renamed = rename(event);
        if (renamed && JSON.stringify(event).includes('run_it')) seen.push(renamed);
      }
    }
  })();
  await eventually('an open stream', async () => {
    if (!isOpen) await client.cancel((await client.submit({ tool: 'probe' })).id);
    return isOpen;
  });
  const call = {
    tool: 'run_it',
    arguments: {
      command: 'ls',
      args: ['-l'],
      note: 'run_it',
      n: 42,
      yes: true,
      no: null,
      digits: '42',
      list: '[1]',
      deep: { n: [1.5] },
    },
    agent: 'x',
    trace_id: 'run_it',
  };
  const asked = client.request(call);
  await approver.approve(await pending(approver, 'run_it'));
  const { id } = await asked;
  await eventually('both events', async () => names.every(({ seen }) => seen.length === 2));
  abort.abort();
  await listening;
  assert.deepEqual(
    names.map(({ seen }) => seen.map(({ name }) => name)),
    [
      ['ApprovalRequestEvent', 'ApprovalResultEvent'],
      ['mcp_approval_requested', 'mcp_approval_approved'],
      ['command:pending', 'command:approved'],
      ['afterPolicyDecision', 'afterPolicyDecision'],
      ['apcore.approval.decision', 'apcore.approval.decision'],
    ],
  );
  const [stream, log, command, toolGate, apcore] = names.map(({ seen }) =>
    seen.map(({ payload }) => payload),
  );
  assert.deepEqual(stream?.[0], {
    request_id: id,
    tool_name: 'run_it',
    arguments: call.arguments,
    risk_level: 'write',
    agent_name: 'x',
  });
  assert.equal(stream?.[1]?.['decision'], 'approved');
  assert.deepEqual(log?.[0], { traceId: 'run_it', toolName: 'run_it', risk: 'medium' });
  assert.deepEqual(command?.[0], {
    id,
    command: 'ls',
    args: ['-l'],
    requestedAt: command?.[0]?.['requestedAt'],
    requestedBy: 'x',
  });
  assert.deepEqual(
    toolGate?.map(({ outcome }) => outcome),
    ['requireApproval', 'allow'],
  );
  assert.deepEqual(
    apcore?.map(({ status, severity }) => [status, severity]),
    [
      ['pending', 'info'],
      ['approved', 'info'],
    ],
  );
});
