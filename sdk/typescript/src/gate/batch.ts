import type { CallOptions } from '../client/client.js';
import { ApprovalError, errorOf } from '../errors.js';
import type { ApprovalRequest, ApprovalResult } from '../generated/protocol.js';
import type { ToolCall } from './call.js';
import { type DeniedToolResult, deniedToolResult } from './denial.js';
import { type Execute, type Gate, decided } from './gate.js';

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

interface Prepared<T> {
  call: BatchCall<T>;
  request: ApprovalRequest;
}

/** Runs a batch; see {@link Gate.run}. */
export async function runBatch<T>(
  gate: Gate,
  calls: readonly BatchCall<T>[],
  options: CallOptions,
): Promise<Outcome<T>[]> {
  const prepared = calls.map((call) => ({ call, request: gate.request(withoutFunctions(call)) }));
  const asks = await anyAsks(gate, prepared, options).catch((error: unknown) => {
    options.signal?.throwIfAborted();
    return { error };
  });
  if (typeof asks === 'object') return calls.map(() => ({ status: 'failed', error: asks.error }));

  // Every request is there before the first is answered: the person sees all that is wanted.
  const withdraw = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, withdraw.signal]) : withdraw.signal;
  const decisions = prepared.map(({ request }) => {
    const decision = gate.client.request(request, { signal });
    // Whoever comes to it later sees the error; until then it is nobody's.
    decision.catch(() => undefined);
    return decision;
  });
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

/** Whether a person has to be asked about one of the calls, or one could hand the conversation on. */
async function anyAsks<T>(gate: Gate, prepared: Prepared<T>[], options: CallOptions): Promise<boolean> {
  if (prepared.some(({ call }) => call.isHandOff)) return true;
  const evaluations = await Promise.all(
    prepared.map(({ request }) => gate.client.evaluate(request, options)),
  );
  return evaluations.some(({ action }) => action === 'ask');
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
