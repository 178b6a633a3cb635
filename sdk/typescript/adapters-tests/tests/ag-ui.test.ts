import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ApprovalCancelledError, ApprovalDeniedError, Gate, type PauseSignal, isPause } from 'handraise';
import { answerInterrupts, interruptOf, resumeInterrupt } from '@handraise/ag-ui';

import { RunningGate } from '../../tests/running-gate.js';
import { InterruptingAgent } from './ag-ui-agent.js';
import { type Run, requestFor, sent, suite } from './suite.js';

async function answered({ calls, ran, gate, signal, timeoutSeconds }: Run): Promise<InterruptingAgent> {
  const agent = new InterruptingAgent(calls, ran);
  await agent.runAgent();
  while (agent.pendingInterrupts.length > 0) {
    const { messages, pendingInterrupts } = agent;
    const resume = await answerInterrupts(pendingInterrupts, { gate, messages, signal, timeoutSeconds });
    await agent.runAgent({ resume });
  }
  return agent;
}

suite({
  name: 'AG-UI: interrupts answered by the client',
  async run(run) {
    const agent = await answered(run);
    return run.calls.map(({ id }) => agent.read.get(id) ?? '');
  },
});

/** The calls of an agent that asks Handraise itself, and tells its client by interrupts. */
suite({
  name: 'AG-UI: interrupts made by the agent',
  async run({ calls, ran, gate, signal, timeoutSeconds }) {
    const asked = gate.with({ timeoutSeconds });
    return Promise.all(
      calls.map(async ({ id, name, args }) => {
        const call = { tool: name, arguments: args, traceId: id };
        const execute = (decided: object) => sent(ran, name, decided as { to: string });
        try {
          const result = await asked.pauseOrRun(call, execute, { signal });
          if (!isPause(result)) return result;
          const interrupt = interruptOf(JSON.parse(JSON.stringify(result)) as PauseSignal, id);
          assert.equal(interrupt.toolCallId, id);
          // The client stops by answering `cancelled`.
          const stop = new Promise<{ status: string }>((done) =>
            signal?.addEventListener('abort', () => done({ status: 'cancelled' })),
          );
          const going = resumeInterrupt(
            asked,
            { interruptId: interrupt.id, status: 'resolved' },
            call,
            execute,
          );
          const stopped = stop.then(({ status }) =>
            resumeInterrupt(asked, { interruptId: interrupt.id, status }, call, execute),
          );
          return await Promise.race([going, stopped]);
        } catch (error) {
          const { reason, code } = error as { reason: string; code: string };
          return code === 'GATE_UNAVAILABLE' ? `Handraise could not be asked: ${reason}` : reason;
        }
      }),
    );
  },
});

test('an interrupt without a call that can be seen is cancelled', async () => {
  const running = await RunningGate.start();
  try {
    const gate = new Gate({ client: running.client() });
    const interrupts = [
      { id: 'a', reason: 'tool_call', toolCallId: 'nowhere' },
      { id: 'b', reason: 'input_required' },
    ];
    // What a tool or a person has written names no call.
    const messages = [
      {
        id: 'm',
        role: 'user' as const,
        content: '',
        toolCalls: [{ id: 'nowhere', function: { name: 'free_x', arguments: '{}' } }],
      },
    ];
    assert.deepEqual(await answerInterrupts(interrupts, { gate, messages }), [
      { interruptId: 'a', status: 'cancelled' },
      { interruptId: 'b', status: 'cancelled' },
    ]);
    const unreadable = [
      { role: 'assistant', toolCalls: [{ id: 'c', function: { name: 'free_x', arguments: '[1]' } }] },
    ];
    const broken = [{ id: 'c', reason: 'tool_call', toolCallId: 'c' }];
    assert.deepEqual(await answerInterrupts(broken, { gate, messages: unreadable }), [
      {
        interruptId: 'c',
        status: 'resolved',
        payload: { approved: false, reason: 'The arguments are no JSON object.' },
      },
    ]);
  } finally {
    await running.stop();
  }
});

test('a client that answers `resolved` approves nothing; one that answers `cancelled` takes the request back', async () => {
  const running = await RunningGate.start();
  try {
    const gate = new Gate({ client: running.client() });
    const ran: string[] = [];
    const call = (to: string) => ({ tool: 'mail', arguments: { to } });
    const execute = (args: object) => sent(ran, 'mail', args as { to: string });
    const approver = running.approver();
    const first = (await gate.pauseOrRun(call('ann'), execute)) as PauseSignal;
    const resume = { interruptId: interruptOf(first).id, status: 'resolved', payload: { approved: true } };
    const going = assert.rejects(resumeInterrupt(gate, resume, call('ann'), execute), ApprovalDeniedError);
    await approver.deny(await requestFor(approver, 'ann'), 'no');
    await going;
    const second = (await gate.pauseOrRun(call('bob'), execute)) as PauseSignal;
    const cancel = { interruptId: interruptOf(second).id, status: 'cancelled' };
    await assert.rejects(resumeInterrupt(gate, cancel, call('bob'), execute), ApprovalCancelledError);
    assert.deepEqual(ran, []);
  } finally {
    await running.stop();
  }
});
