import { randomUUID } from 'node:crypto';

import type { CallOptions, Client } from '../client/client.js';
import { ApprovalError, errorOf } from '../errors.js';
import type { ApprovalRequest, ApprovalResult } from '../generated/protocol.js';
import type { ToolCall } from './call.js';
import { type DeniedToolResult, deniedToolResult } from './denial.js';
import { type Execute, decided } from './decided.js';

/** One call of a batch, and how it runs. */
export interface BatchCall<T> extends ToolCall {
  execute: Execute<T>;
  /** Whether this result hands the conversation to another agent, which ends the batch. */
  isHandOff?: (value: T) => boolean;
}

/** What became of one call of a batch. */
export type Outcome<T> =
  /** It ran. */
  | { status: 'executed'; value: T; result: Readonly<ApprovalResult> }
  /** It was not approved and did not run. `toolResult` is for the model. */
  | { status: 'denied'; error: ApprovalError; toolResult: DeniedToolResult }
  /** It threw, or the gate could not be asked; then it did not run. */
  | { status: 'failed'; error: unknown }
  /** It did not run: the call before it handed the conversation on. */
  | { status: 'skipped' };

/** The gate that a batch passes. */
export interface BatchGate {
  readonly client: Client;
  /** The request that goes with a call. */
  request(call: ToolCall): ApprovalRequest;
}

interface Prepared<T> {
  call: BatchCall<T>;
  request: ApprovalRequest;
}

/** Calls that the gate takes in one batch. */
const MAX_AT_ONCE = 64;

/** Runs a batch; see {@link Gate.run}. */
export async function runBatch<T>(
  gate: BatchGate,
  batch: string,
  calls: readonly BatchCall<T>[],
  options: CallOptions,
): Promise<Outcome<T>[]> {
  const prepared = calls.map((call) => ({ call, request: requestIn(gate, batch, call) }));
  const requests = prepared.map(({ request }) => request);
  let results: Readonly<ApprovalResult>[];
  try {
    results = await submitted(gate.client, batch, requests, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    return calls.map(() => ({ status: 'failed', error }));
  }

  // Every request is there before the first is answered: the person sees all that is wanted.
  const withdraw = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, withdraw.signal]) : withdraw.signal;
  const decisions = prepared.map(({ request }, index) =>
    decision(gate.client, request, results[index], signal),
  );
  const asks = results.some(({ status }) => status === 'pending') || calls.some(({ isHandOff }) => isHandOff);
  try {
    if (!asks) return await Promise.all(prepared.map((one, index) => settle(one, decisions[index], options)));
    const outcomes: Outcome<T>[] = [];
    for (const [index, one] of prepared.entries()) {
      const outcome = await settle(one, decisions[index], options);
      outcomes.push(outcome);
      if (outcome.status === 'executed' && one.call.isHandOff?.(outcome.value)) break;
    }
    return [...outcomes, ...prepared.slice(outcomes.length).map((): Outcome<T> => ({ status: 'skipped' }))];
  } finally {
    // What nobody waits for any more is not left on the person's screen.
    withdraw.abort();
    await Promise.allSettled(decisions);
  }
}

/** The request for a call, with the key by which it is found again. */
function requestIn<T>(gate: BatchGate, batch: string, call: BatchCall<T>): ApprovalRequest {
  const request = gate.request({ ...withoutFunctions(call), batch });
  return { ...request, idempotency_key: request.idempotency_key ?? randomUUID() };
}

/** How the requests stand once the gate has taken them: decided, or a person is asked. */
async function submitted(
  client: Client,
  batch: string,
  requests: ApprovalRequest[],
  options: CallOptions,
): Promise<Readonly<ApprovalResult>[]> {
  const results: Readonly<ApprovalResult>[] = [];
  try {
    for (let start = 0; start < requests.length; start += MAX_AT_ONCE) {
      const some = requests.slice(start, start + MAX_AT_ONCE);
      results.push(...(await client.batch({ batch, requests: some }, { ...options, wait: 0 })));
    }
    options.signal?.throwIfAborted();
    return results;
  } catch (error) {
    const open = results.filter(({ status }) => status === 'pending');
    await Promise.allSettled(open.map(({ id }) => client.cancel(id)));
    throw error;
  }
}

/** The end of a request. Who sends the same one again waits for it, and takes it back by going away. */
function decision(
  client: Client,
  request: ApprovalRequest,
  result: Readonly<ApprovalResult> | undefined,
  signal: AbortSignal,
): Promise<Readonly<ApprovalResult>> {
  if (result !== undefined && result.status !== 'pending') return Promise.resolve(result);
  const ended = client.request(request, { signal });
  // Whoever comes to it later sees the error; until then it is nobody's.
  ended.catch(() => undefined);
  return ended;
}

async function settle<T>(
  { call, request }: Prepared<T>,
  decision: Promise<Readonly<ApprovalResult>> | undefined,
  { signal }: CallOptions,
): Promise<Outcome<T>> {
  try {
    const result = await decision;
    signal?.throwIfAborted();
    if (result?.status === 'approved') {
      return { status: 'executed', value: await call.execute(decided(request, result), result), result };
    }
    if (result === undefined) throw new TypeError('a call of the batch has no decision');
    const error = errorOf(result, request.tool);
    return { status: 'denied', error, toolResult: deniedToolResult(error) };
  } catch (error) {
    signal?.throwIfAborted();
    return { status: 'failed', error };
  }
}

function withoutFunctions<T>({ execute: _execute, isHandOff: _isHandOff, ...call }: BatchCall<T>): ToolCall {
  return call;
}
