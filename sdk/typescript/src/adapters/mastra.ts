// Mastra (tried with `@mastra/core` 1.71.0): the tools of an agent.

import type { CallContext } from '../gate/call.js';
import { Gate } from '../gate/gate.js';
import { withApproval } from '../gate/with-approval.js';

/** How tools are gated. */
export interface MastraOptions extends CallContext {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate | undefined;
}

/**
 * Gates tools of Mastra. The policy and the person know a tool by the name that the model calls it by, its key here.
 *
 * @example
 * const agent = new Agent({ id: 'office', name: 'Office', instructions, model, tools: gateTools({ mail }, { gate }) });
 *
 * The model reads `Denied: REASON` as the tool's result. A thread of Mastra's memory is a session of its own.
 */
export function gateTools<T extends Record<string, object>>(tools: T, options: MastraOptions = {}): T {
  const gate = options.gate ?? new Gate();
  const gated = Object.entries(tools).map(([name, tool]) => [
    name,
    withApproval(tool as { execute: (...parameters: unknown[]) => unknown }, {
      ...options,
      gate,
      name,
      onDenied: 'text',
    }),
  ]);
  return Object.fromEntries(gated) as T;
}
