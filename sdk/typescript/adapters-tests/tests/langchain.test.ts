import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Command, MemorySaver } from '@langchain/langgraph';
import {
  AIMessage,
  ToolMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  humanInTheLoopMiddleware,
  tool,
} from 'langchain';
import { z } from 'zod';

import { type Approver, Gate } from 'handraise';
import { wrapToolCall } from '@handraise/langchain';

import { RunningGate } from '../../tests/running-gate.js';
import { type Call, requestFor, sent, suite } from './suite.js';

const schema = z.object({ to: z.string() });

const toolsOf = (ran: string[]) =>
  ['mail', 'free_search', 'never_wipe'].map((name) =>
    tool((args: { to: string }) => sent(ran, name, args), { name, description: name, schema }),
  );

const modelOf = (calls: Call[]) => fakeModel().respondWithTools(calls).respond(new AIMessage('done'));

function read(messages: { type: string }[], calls: Call[]): string[] {
  const answers = messages.filter((message): message is ToolMessage => ToolMessage.isInstance(message));
  return calls.map(({ id }) => String(answers.find((answer) => answer.tool_call_id === id)?.content ?? ''));
}

suite({
  name: 'LangChain: wrapToolCall',
  async run({ calls, gate, ran, signal, timeoutSeconds }) {
    const wrapped = wrapToolCall({ gate, ToolMessage, timeoutSeconds });
    const handraise = createMiddleware({ name: 'Handraise', wrapToolCall: wrapped });
    const agent = createAgent({ model: modelOf(calls), tools: toolsOf(ran), middleware: [handraise] });
    const messages = [{ role: 'user' as const, content: 'go' }];
    const result = await agent.invoke({ messages }, signal ? { signal } : {});
    return read(result.messages, calls);
  },
});

let running: RunningGate;
let approver: Approver;
let gate: Gate;
before(async () => {
  running = await RunningGate.start();
  approver = running.approver();
  gate = new Gate({ client: running.client(), session: 'program' });
});
after(() => running.stop());

const input = { messages: [{ role: 'user' as const, content: 'go' }] };
const call = (to: string): Call => ({ id: `call-${to}`, name: 'mail', args: { to } });

test('a thread is a session of its own', async () => {
  const ran: string[] = [];
  const handraise = createMiddleware({
    name: 'Handraise',
    wrapToolCall: wrapToolCall({ gate, ToolMessage }),
  });
  const invoke = (to: string, thread_id: string) =>
    createAgent({
      model: modelOf([call(to)]),
      tools: toolsOf(ran),
      middleware: [handraise],
      checkpointer: new MemorySaver(),
    }).invoke(input, { configurable: { thread_id } });
  const first = invoke('ann', 't1');
  const approval = await requestFor(approver, 'ann');
  assert.equal(approval.session?.id, 'program/t1');
  const breadth = approval.scopes.find(({ scope }) => scope === 'session')?.breadth;
  await approver.approve(approval, { scope: 'session', ...(breadth ? { breadth } : {}) });
  await first;
  const second = invoke('ann', 't2');
  await approver.deny(await requestFor(approver, 'ann'), 'not in this thread');
  await second;
  assert.deepEqual(ran, ['mail ann']);
});

test('by itself LangChain runs no tool when `wrapToolCall` throws', async () => {
  const ran: string[] = [];
  const broken = createMiddleware({
    name: 'Broken',
    wrapToolCall: () => {
      throw new Error('broken');
    },
  });
  const agent = createAgent({ model: modelOf([call('ann')]), tools: toolsOf(ran), middleware: [broken] });
  await assert.rejects(agent.invoke(input), /broken/);
  assert.deepEqual(ran, []);
});

test('their human-in-the-loop stops approved calls together with a rejected one: why this adapter does not use it', async () => {
  const ran: string[] = [];
  const agent = createAgent({
    model: modelOf([call('ann'), call('bob')]),
    tools: toolsOf(ran),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { mail: true } })],
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: 't' } };
  await agent.invoke(input, thread);
  const decisions = [{ type: 'approve' }, { type: 'reject', message: 'not Bob' }];
  await agent.invoke(new Command({ resume: { decisions } }), thread);
  assert.deepEqual(ran, []);
});
