import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Agent, RunState, Runner, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';

import { type Approver, Gate } from 'handraise';
import { gateTools } from '@handraise/openai-agents';

import { RunningGate, pending } from '../../tests/running-gate.js';
import { ScriptedModel } from './openai-model.js';
import { type Run, requestFor, sent, suite } from './suite.js';

setTracingDisabled(true);

const parameters = z.object({ to: z.string() });

function toolOf(name: string, ran: string[]) {
  return tool({ name, description: name, parameters, execute: (args) => sent(ran, name, args) });
}

function gated({ ran, gate, timeoutSeconds }: Run) {
  const tools = ['mail', 'free_search', 'never_wipe'].map((name) => toolOf(name, ran));
  return gateTools(tools, { gate, timeoutSeconds });
}

suite({
  name: 'the OpenAI Agents SDK: interruptions',
  async run(run) {
    const { signal } = run;
    const { tools, settle } = gated(run);
    const model = new ScriptedModel(run.calls);
    const agent = new Agent({ name: 'Office', model, tools });
    const runner = new Runner();
    let result = await runner.run(agent, 'go', signal ? { signal } : {});
    while (await settle(result, { signal }))
      result = await runner.run(agent, result.state, signal ? { signal } : {});
    assert.equal(result.finalOutput, 'done');
    return run.calls.map((call) => model.read(call));
  },
});

suite({
  name: 'the OpenAI Agents SDK, where approval was turned off: the tools ask themselves',
  async run(run) {
    const { signal } = run;
    const model = new ScriptedModel(run.calls);
    const tools = gated(run).tools.map((one) => ({ ...one, needsApproval: async () => false }));
    const agent = new Agent({ name: 'Office', model, tools });
    await new Runner().run(agent, 'go', signal ? { signal } : {});
    return run.calls.map((call) => model.read(call));
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

test('a run that nobody settles stops before the tool', async () => {
  const ran: string[] = [];
  const { tools } = gated({ gate, ran, calls: [] });
  const model = new ScriptedModel([{ id: 'c', name: 'free_search', args: { to: 'x' } }]);
  const result = await new Runner().run(new Agent({ name: 'Office', model, tools }), 'go');
  assert.equal(result.interruptions.length, 1);
  assert.deepEqual(ran, []);
});

test('by itself the SDK runs no tool when `needsApproval` throws', async () => {
  const ran: string[] = [];
  const broken = { ...toolOf('mail', ran), needsApproval: () => Promise.reject(new Error('broken')) };
  const model = new ScriptedModel([{ id: 'c', name: 'mail', args: { to: 'ann' } }]);
  await assert.rejects(
    new Runner().run(new Agent({ name: 'Office', model, tools: [broken] }), 'go'),
    /broken/,
  );
  assert.deepEqual(ran, []);
});

test('arguments that cannot be read ask nobody and run nothing', async () => {
  const ran: string[] = [];
  const { tools, settle } = gated({ gate, ran, calls: [] });
  const model = new ScriptedModel([{ id: 'c', name: 'mail', text: '{"to": "ann"' }]);
  const agent = new Agent({ name: 'Office', model, tools });
  const runner = new Runner();
  let result = await runner.run(agent, 'go');
  while (await settle(result)) result = await runner.run(agent, result.state);
  assert.match(model.read({ id: 'c' }), /JSON|not approved/);
  assert.deepEqual([ran, (await approver.list()).approvals], [[], []]);
});

test('interruptions of other tools are settled, too; nobody changes their arguments', async () => {
  const ran: string[] = [];
  const { settle } = gated({ gate, ran, calls: [] });
  const own = { ...toolOf('own', ran), needsApproval: async () => true };
  const model = new ScriptedModel([
    { id: 'a', name: 'own', args: { to: 'lea' } },
    { id: 'b', name: 'own', args: { to: 'mia' } },
  ]);
  const agent = new Agent({ name: 'Office', model, tools: [own] });
  const runner = new Runner();
  const asked = await runner.run(agent, 'go');
  const settled = settle(asked);
  await approver.approve(await requestFor(approver, 'lea'));
  await approver.approve(await requestFor(approver, 'mia'), { arguments: { to: 'max' } });
  assert.equal(await settled, true);
  await runner.run(agent, asked.state);
  assert.deepEqual(ran, ['own lea']);
  assert.match(model.read({ id: 'b' }), /other arguments.*max/);
});

test('a run that was saved is asked about anew when it goes on elsewhere', async () => {
  const ran: string[] = [];
  const { tools, settle } = gated({ gate, ran, calls: [] });
  const model = new ScriptedModel([{ id: 'c', name: 'mail', args: { to: 'nia' } }]);
  const runner = new Runner();
  const result = await runner.run(new Agent({ name: 'Office', model, tools }), 'go');
  const settled = settle(result);
  await approver.approve(await requestFor(approver, 'nia'));
  await settled;
  // Another program knows of no approval: what the saved state says approves nothing.
  const elsewhere = gated({ gate, ran, calls: [] });
  const agent = new Agent({ name: 'Office', model, tools: elsewhere.tools });
  const saved = await RunState.fromString(agent, result.state.toString());
  const other = runner.run(agent, saved);
  const approval = await pending(approver, 'mail');
  assert.deepEqual(ran, []);
  await approver.deny(approval, 'not twice');
  await other;
  assert.match(model.read({ id: 'c' }), /not twice/);
  assert.deepEqual(ran, []);
});
