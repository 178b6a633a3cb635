import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { type ToolSet, ToolLoopAgent, generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

import { type Approver, Gate } from 'handraise';
import { gateTools } from '@handraise/ai-sdk';

import { RunningGate, pending } from '../../tests/running-gate.js';
import { modelOf, readBy } from './ai-sdk-model.js';
import { type Run, requestFor, sent, suite } from './suite.js';

const inputSchema = z.object({ to: z.string() });

function toolsOf({ ran, gate, signal, timeoutSeconds }: Run) {
  const tools = {
    mail: tool({ inputSchema, execute: (args) => sent(ran, 'mail', args) }),
    free_search: tool({ inputSchema, execute: (args) => sent(ran, 'free_search', args) }),
    never_wipe: tool({ inputSchema, execute: (args) => sent(ran, 'never_wipe', args) }),
  };
  return gateTools(tools, { gate, abortSignal: signal, timeoutSeconds });
}

const prompt = 'go';
const stopWhen = stepCountIs(5);
const signalOf = ({ signal }: Run) => (signal ? { abortSignal: signal } : {});

suite({
  name: 'the Vercel AI SDK: generateText',
  asksInOrder: true,
  async run(run) {
    const model = modelOf(run.calls);
    await generateText({ model, prompt, stopWhen, ...toolsOf(run), ...signalOf(run) });
    return readBy(model, run.calls);
  },
});

suite({
  name: 'the Vercel AI SDK: streamText',
  asksInOrder: true,
  async run(run) {
    const model = modelOf(run.calls);
    let failure: unknown;
    const result = streamText({
      model,
      prompt,
      stopWhen,
      ...toolsOf(run),
      ...signalOf(run),
      onError: ({ error }) => {
        failure = error;
      },
    });
    await result.consumeStream();
    if (failure !== undefined) throw failure;
    return readBy(model, run.calls);
  },
});

suite({
  name: 'the Vercel AI SDK: ToolLoopAgent',
  asksInOrder: true,
  async run(run) {
    const model = modelOf(run.calls);
    await new ToolLoopAgent({ model, stopWhen, ...toolsOf(run) }).generate({ prompt, ...signalOf(run) });
    return readBy(model, run.calls);
  },
});

suite({
  name: 'the Vercel AI SDK without `toolApproval`: the tools ask themselves',
  async run(run) {
    const model = modelOf(run.calls);
    await generateText({ model, prompt, stopWhen, tools: toolsOf(run).tools, ...signalOf(run) });
    return readBy(model, run.calls);
  },
});

let running: RunningGate;
let approver: Approver;
let gate: Gate;
before(async () => {
  running = await RunningGate.start();
  approver = running.approver();
  gate = new Gate({ client: running.client(), session: 'one' });
});
after(() => running.stop());

const calls = (name: string, args: Record<string, unknown>) => [{ id: 'c', name, args }];

test('by itself the SDK stops the run when `toolApproval` throws, and the tool does not run', async () => {
  let ran = false;
  const tools = { mail: tool({ inputSchema, execute: () => (ran = true) }) };
  const model = modelOf(calls('mail', { to: 'ann' }));
  const toolApproval = () => Promise.reject(new Error('broken'));
  await assert.rejects(generateText({ model, prompt, stopWhen, tools, toolApproval }), /broken/);
  assert.equal(ran, false);
});

test('a denial is one in the terms of the SDK', async () => {
  const model = modelOf(calls('never_wipe', { to: 'x' }));
  const run: Run = { gate, ran: [], calls: [] };
  const result = await generateText({ model, prompt, stopWhen, ...toolsOf(run) });
  assert.deepEqual(readBy(model, calls('never_wipe', {}))[0], '{"type":"execution-denied","reason":"never"}');
  assert.equal(result.text, 'done');
});

test('nobody changes the arguments of a tool that runs elsewhere: the model hears what the person wants', async () => {
  const tools: ToolSet = { elsewhere: tool({ inputSchema }) };
  const model = modelOf(calls('elsewhere', { to: 'ann' }));
  const answered = generateText({ model, prompt, stopWhen, ...gateTools(tools, { gate }) });
  await approver.approve(await pending(approver, 'elsewhere'), { arguments: { to: 'bob' } });
  await answered;
  const [read = ''] = readBy(model, calls('elsewhere', {}));
  assert.match(read, /execution-denied.*other arguments.*bob/);
});

test('a tool gets what the SDK has read, and one that streams keeps its parts', async () => {
  const at: unknown[] = [];
  const tools = {
    free_when: tool({
      inputSchema: z.object({ at: z.string().transform((text) => new Date(text)) }),
      async *execute(input) {
        at.push(input.at);
        yield 'half';
        yield 'whole';
      },
    }),
  };
  const model = modelOf(calls('free_when', { at: '2026-01-01' }));
  const result = streamText({ model, prompt, stopWhen, ...gateTools(tools, { gate }) });
  const parts: unknown[] = [];
  for await (const part of result.fullStream) if (part.type === 'tool-result') parts.push(part.output);
  assert.ok(at[0] instanceof Date);
  assert.deepEqual(parts, ['half', 'whole', 'whole']);
});

test('an approval runs its own call only: other arguments under the same id are asked about', async () => {
  const ran: string[] = [];
  const { tools, toolApproval } = toolsOf({ gate, ran, calls: [] });
  const toolCall = { toolCallId: 'c', toolName: 'mail', input: { to: 'jim' } };
  const approving = toolApproval({ toolCall });
  await approver.approve(await requestFor(approver, 'jim'));
  assert.deepEqual(await approving, { type: 'approved' });
  const options = { toolCallId: 'c', messages: [], context: undefined as never };
  const other = Promise.resolve(tools.mail.execute?.({ to: 'kim' }, options));
  await approver.deny(await requestFor(approver, 'kim'), 'not Kim');
  assert.equal(await other, 'Denied: not Kim');
  assert.equal(await tools.mail.execute?.({ to: 'jim' }, options), 'mail went to jim');
  const again = Promise.resolve(tools.mail.execute?.({ to: 'jim' }, options));
  await approver.deny(await requestFor(approver, 'jim'), 'once');
  assert.equal(await again, 'Denied: once');
  assert.deepEqual(ran, ['mail jim']);
});
