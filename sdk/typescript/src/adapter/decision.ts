// What the adapters for agent frameworks have in common: one call, decided, in the terms that a framework needs.

import { ApprovalError, errorOf } from '../errors.js';
import type { ToolCall } from '../gate/call.js';
import { decided } from '../gate/decided.js';
import { denialText } from '../gate/denial.js';
import type { Gate } from '../gate/gate.js';
import { type Arguments, isObject } from '../json.js';

/** What becomes of a call. */
export type Decision = Approved | Denied;

interface Approved {
  readonly isApproved: true;
  /** What runs: the arguments that were decided about, or what the person put in their place. */
  readonly arguments: Arguments;
  /** The person put other arguments in their place. */
  readonly isChanged: boolean;
}

interface Denied {
  readonly isApproved: false;
  /** Text for the model; never empty. */
  readonly reason: string;
}

/**
 * Has a call decided. Frameworks treat an error that a hook throws in different ways, and some run the tool then. So
 * nothing is thrown here: whatever goes wrong is a denial with its reason, as in Handraise's own hooks.
 *
 * @throws What `signal` was aborted with. Then the request is withdrawn, and the run is over.
 */
export async function decide(gate: Gate, call: ToolCall, signal?: AbortSignal): Promise<Decision> {
  try {
    const request = gate.request(call);
    const result = await gate.client.request(request, signal ? { signal } : {});
    signal?.throwIfAborted();
    if (result.status !== 'approved') return denied(errorOf(result, call.tool).reason);
    return { isApproved: true, arguments: decided(request, result), isChanged: result.arguments != null };
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof ApprovalError ? error.reason : String(error);
    return denied(`Handraise could not be asked, so this call was denied. ${why}`);
  }
}

/** A denial with `reason`. */
export function denied(reason: string): Denied {
  return { isApproved: false, reason };
}

/**
 * The same decision where a framework has no place for other arguments: then a change is a denial that says what the
 * person wants, so that the model can make that call.
 */
export function unchanged(decision: Decision): Decision {
  if (!decision.isApproved || !decision.isChanged) return decision;
  return denied(`The person wants other arguments: ${JSON.stringify(decision.arguments)}`);
}

/** The words for the model in the place of a tool's result. */
export function textOf(decision: Denied): string {
  return denialText(decision.reason);
}

/** The arguments of a call as a model wrote them; `undefined`: text that is no JSON object, which nothing runs with. */
export function readArguments(text: string): Record<string, unknown> | undefined {
  try {
    const args: unknown = JSON.parse(text === '' ? '{}' : text);
    return isObject(args) ? args : undefined;
  } catch {
    return undefined;
  }
}

/** What the model is told of arguments that {@link readArguments} cannot read. */
export const NOT_READABLE = denied('The arguments are no JSON object.');
