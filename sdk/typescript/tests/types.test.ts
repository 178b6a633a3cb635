// What the types promise. Most of this file is checked when it is compiled.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  type ApprovalError,
  type ApprovalRequest,
  type ApprovalResult,
  Approver,
  Client,
  type DeniedToolResult,
  Gate,
  type Outcome,
  type PauseSignal,
  withApproval,
} from 'handraise';
import { AutoApproveHandler, type ApprovalHandler } from 'handraise/handlers';
import { ApprovalGate } from '@handraise/apcore';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles for `true` only. */
function holds<_T extends true>(): void {}

const nowhere = { folders: { config: '/nonexistent', runtime: '/nonexistent' } };
const client = new Client(nowhere);
const gate = new Gate({ client });
const tool = async ({ n }: { n: number }, _more?: { signal: AbortSignal }): Promise<string> => 'x'.repeat(n);

test('a requester has no way to decide, and an approver no default token', () => {
  // @ts-expect-error: a client only asks
  assert.equal(client.decide, undefined);
  // @ts-expect-error: an approver's token is always named
  assert.throws(() => new Approver(nowhere), TypeError);
  // @ts-expect-error: the tokens folder holds those of requesters
  assert.throws(() => new Approver({ ...nowhere, credential: { name: 'default' } }), TypeError);
});

test('a field that does not exist, and a level that does not, are mistakes', () => {
  // @ts-expect-error: a typo
  const typo: ApprovalRequest = { tool: 't', arguements: {} };
  // @ts-expect-error: no such level
  const level: ApprovalRequest = { tool: 't', risk: 'harmless' };
  assert.ok(typo && level);
});

test('a gated tool has the parameters of the tool, and its result or a denial', () => {
  const gated = withApproval(tool, { gate, name: 'tool' });
  holds<Same<Parameters<typeof gated>, Parameters<typeof tool>>>();
  holds<Same<ReturnType<typeof gated>, Promise<string | DeniedToolResult>>>();
  const throwing = withApproval(tool, { gate, name: 'tool', onDenied: 'throw' });
  holds<Same<ReturnType<typeof throwing>, Promise<string>>>();
  const object = withApproval({ name: 'tool', inputSchema: { n: 'number' }, execute: tool }, { gate });
  holds<Same<(typeof object)['inputSchema'], { n: string }>>();
  holds<Same<ReturnType<typeof object.execute>, Promise<string | DeniedToolResult>>>();
  assert.equal(typeof object.execute, 'function');
  // @ts-expect-error: nothing to execute
  assert.throws(() => withApproval({ name: 'tool' }, { gate }));
});

test('outcomes, pauses and errors can be told apart', () => {
  const value = (outcome: Outcome<number>): number | string => {
    if (outcome.status === 'executed') return outcome.value;
    if (outcome.status === 'denied') return outcome.toolResult.content[0].text;
    // @ts-expect-error: nothing was executed
    return outcome.value;
  };
  assert.equal(value({ status: 'skipped' }), undefined);
  const paused = gate.pauseOrRun({ tool: 't' }, () => 1);
  holds<Same<typeof paused, Promise<number | PauseSignal>>>();
  paused.catch((error: ApprovalError) => assert.equal(error.code, 'GATE_UNAVAILABLE'));
  const frozen = {} as Awaited<ReturnType<typeof client.request>>;
  // @ts-expect-error: a result is frozen
  frozen.status = 'approved' as ApprovalResult['status'];
});

test('a handler is what has its two methods', () => {
  const handler: ApprovalHandler = new AutoApproveHandler();
  // @ts-expect-error: half a handler is none
  assert.throws(() => new ApprovalGate({ handler: { requestApproval: handler.requestApproval } }), TypeError);
});
