// Mastra (tried with `@mastra/core` 1.71.0): the tools of an agent.

import { type CallContext, Gate } from 'handraise';
import { decide, textOf } from 'handraise/adapter';

/** How tools are gated. */
export interface MastraOptions extends CallContext {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate | undefined;
}

/** What Mastra knows of a call, as far as it is looked at. */
interface MastraContext {
  readonly abortSignal?: AbortSignal | undefined;
  readonly agent?: { readonly threadId?: string | undefined; readonly toolCallId?: string | undefined };
}

/** As Mastra 1.x calls it: the arguments come first. */
type Execute = (input: unknown, context?: MastraContext) => unknown;

/**
 * Gates tools of Mastra. The policy and the person know a tool by the name that the model calls it by, its key here.
 *
 * @example
 * const agent = new Agent({ id: 'office', name: 'Office', instructions, model, tools: gateTools({ mail }, { gate }) });
 *
 * The model reads `Denied: REASON` as the tool's result. A thread of Mastra's memory is a session of its own.
 *
 * @throws TypeError when a tool has nothing to execute: it runs elsewhere, where nothing gates it.
 */
export function gateTools<T extends Record<string, object>>(tools: T, options: MastraOptions = {}): T {
  const { gate: given, ...context } = options;
  const gate = (given ?? new Gate()).with(context);
  const gateTool = (name: string, tool: object): object => {
    const inner = (tool as { execute?: Execute }).execute?.bind(tool);
    if (inner === undefined) throw new TypeError(`gateTools: the tool ${name} has nothing to execute here`);
    const execute: Execute = async (input, more) => {
      const { threadId, toolCallId } = more?.agent ?? {};
      const asked = threadId === undefined ? gate : gate.inConversation({ id: threadId });
      const call = { tool: name, arguments: input, traceId: toolCallId };
      const decision = await decide(asked, call, more?.abortSignal);
      // Mastra's own check of the arguments is in there.
      return decision.isApproved ? inner(decision.arguments, more) : textOf(decision);
    };
    const copy = Object.create(Object.getPrototypeOf(tool) as object | null) as object;
    return Object.assign(copy, tool, { execute });
  };
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, gateTool(name, tool)])) as T;
}
