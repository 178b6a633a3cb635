// Tools in the shapes that frameworks give them: the Vercel AI SDK (`ai` 7), Mastra (`@mastra/core` 0.24 and 1.71).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { type Approver, Client, Gate, withApproval } from 'handraise';
import { gateTools } from '@handraise/ai-sdk';

import { RunningGate, pending } from './running-gate.js';

let running: RunningGate;
let gate: Gate;
let approver: Approver;
before(async () => {
  running = await RunningGate.start();
  gate = new Gate({ client: running.client(), agent: 'framework', session: 'program' });
  approver = running.approver();
});
after(() => running.stop());

/** As the Vercel AI SDK types a tool: what it runs may be absent, as with tools of a provider. */
interface AiTool<I, O> {
  description?: string;
  inputSchema: unknown;
  execute?: (input: I, options: AiOptions) => PromiseLike<O> | O;
}
interface AiOptions {
  toolCallId: string;
  messages: unknown[];
  abortSignal?: AbortSignal;
  experimental_context?: unknown;
}

const options: AiOptions = { toolCallId: '1', messages: [] };

test('a tool of the Vercel AI SDK stays one, and a denial is text for the model', async () => {
  const mail: AiTool<{ to: string }, string> = { inputSchema: {}, execute: ({ to }) => `sent to ${to}` };
  const gated = withApproval(mail, { gate, name: 'never_mail', onDenied: 'text' });
  const tools: Record<string, AiTool<{ to: string }, string>> = { gated };
  assert.equal(await tools['gated']?.execute?.({ to: 'ann' }, options), 'Denied: never');
  const free = withApproval(mail, { gate, name: 'free_mail', onDenied: 'text' });
  assert.equal(await free.execute({ to: 'ann' }, options), 'sent to ann');
  const elsewhere: AiTool<object, string> = { inputSchema: {} };
  assert.throws(() => withApproval(elsewhere, { gate, name: 'elsewhere' }), /nothing to execute/);

  const abort = new AbortController();
  const stopped = withApproval(mail, { gate, name: 'mail' }).execute(
    { to: 'ann' },
    { ...options, abortSignal: abort.signal },
  );
  await pending(approver, 'mail');
  abort.abort(new Error('enough'));
  await assert.rejects(async () => stopped, /enough/);
});

/** Mastra's tools are of a class, and are called by their id. */
class MastraTool<F> {
  readonly description = 'Sends mail.';
  constructor(
    readonly id: string,
    readonly execute: F,
  ) {}
  get kind(): string {
    return 'mastra';
  }
}

test('Mastra before 1.0: the arguments are what stands in `context`', async () => {
  const runtimeContext = new Map<string, unknown>([['threadId', 't1']]);
  type Input = { context: { to: string }; runtimeContext: Map<string, unknown> };
  const tool = new MastraTool('send_mail', async ({ context, runtimeContext: more }: Input) => {
    return `sent to ${context.to} in ${String(more.get('threadId'))}`;
  });
  const gated = withApproval(tool, { gate, onDenied: 'text' });
  assert.equal(gated.kind, 'mastra');
  const sent = gated.execute({ context: { to: 'ann' }, runtimeContext });
  const approval = await pending(approver, 'send_mail');
  assert.deepEqual(
    approval.arguments.map(({ name }) => JSON.stringify(name).includes('"to"')),
    [true],
  );
  assert.equal(approval.session?.id, 'program/t1');
  await approver.approve(approval, { arguments: { to: 'bob' } });
  assert.equal(await sent, 'sent to bob in t1');
});

test('Mastra since 1.0: the arguments come first', async () => {
  const tool = new MastraTool('send_mail', async (input: { to: string }, context: object) => ({
    ...input,
    ...context,
  }));
  const gated = withApproval(tool, { gate, onDenied: 'text' });
  const sent = gated.execute({ to: 'ann' }, { agent: { threadId: 't2', resourceId: 'u' } });
  const approval = await pending(approver, 'send_mail');
  assert.equal(approval.session?.id, 'program/t2');
  await approver.deny(approval, 'no mail');
  assert.equal(await sent, 'Denied: no mail');
});

test('arguments that look like a framework’s wrapping are arguments', async () => {
  const seen: unknown[] = [];
  const gated = withApproval(async (args: object) => seen.push(args), { gate, name: 'free_any' });
  const args = { context: { to: 'ann' }, runtimeContext: { get: 'text' }, threadId: 'x' };
  await gated(args);
  assert.deepEqual(seen, [args]);
});

test('where Handraise cannot be asked, an adapter denies and throws nothing', async () => {
  const nowhere = new Client({ folders: { config: '/nonexistent', runtime: '/nonexistent' } });
  let ran = false;
  const tools = { mail: { execute: () => (ran = true) } };
  const gated = gateTools(tools, { gate: new Gate({ client: nowhere }) });
  const toolCall = { toolCallId: '1', toolName: 'mail', input: { to: 'ann' } };
  const answer = await gated.toolApproval({ toolCall });
  assert.equal(answer.type, 'denied');
  const execute = gated.tools.mail.execute as (input: object, options: object) => unknown;
  assert.match(String(await execute({ to: 'ann' }, { toolCallId: '1' })), /could not be asked/);
  assert.equal(ran, false);
});
