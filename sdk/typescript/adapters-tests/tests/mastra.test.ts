import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

import { type Approver, Gate } from 'handraise';
import { gateTools } from '@handraise/mastra';

import { RunningGate } from '../../tests/running-gate.js';
import { modelOf, readBy } from './ai-sdk-model.js';
import { requestFor, sent, suite } from './suite.js';

const inputSchema = z.object({ to: z.string() });

const toolsOf = (ran: string[]) => {
  const one = (id: string) =>
    createTool({ id, description: id, inputSchema, execute: async (args) => sent(ran, id, args) });
  return { mail: one('mail'), free_search: one('free_search'), never_wipe: one('never_wipe') };
};

// Mastra's type of a model wants a stream where `generate` is meant; it takes the model as it is.
type Model = ConstructorParameters<typeof Agent>[0]['model'];

const office = { id: 'office', name: 'Office', instructions: 'Answer mail.' };

for (const way of ['generate', 'stream'] as const) {
  suite({
    name: `Mastra: ${way}`,
    async run({ calls, gate, ran, signal, timeoutSeconds }) {
      const model = modelOf(calls);
      const tools = gateTools(toolsOf(ran), { gate, timeoutSeconds });
      const agent = new Agent({ ...office, model: model as unknown as Model, tools });
      const options = signal ? { abortSignal: signal } : {};
      if (way === 'generate') await agent.generate('go', options);
      else await (await agent.stream('go', options)).consumeStream();
      return readBy(model, calls);
    },
  });
}

let running: RunningGate;
let approver: Approver;
let gate: Gate;
before(async () => {
  running = await RunningGate.start();
  approver = running.approver();
  gate = new Gate({ client: running.client(), session: 'program' });
});
after(() => running.stop());

test('the model reads the words of a denial, and nothing else', async () => {
  const calls = [{ id: 'c', name: 'never_wipe', args: { to: 'x' } }];
  const model = modelOf(calls);
  const ran: string[] = [];
  const tools = gateTools(toolsOf(ran), { gate });
  await new Agent({ ...office, model: model as unknown as Model, tools }).generate('go');
  assert.match(readBy(model, calls)[0] ?? '', /"Denied: never"/);
});

test('arguments that a person put in place are checked as those of the model are', async () => {
  const calls = [{ id: 'c', name: 'mail', args: { to: 'ann' } }];
  const model = modelOf(calls);
  const ran: string[] = [];
  const answered = new Agent({
    ...office,
    model: model as unknown as Model,
    tools: gateTools(toolsOf(ran), { gate }),
  }).generate('go');
  await approver.approve(await requestFor(approver, 'ann'), { arguments: { whom: 'bob' } });
  await answered;
  assert.deepEqual(ran, []);
  assert.match(readBy(model, calls)[0] ?? '', /validation/i);
});
