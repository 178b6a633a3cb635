// LangChain and LangGraph.js (tried with `langchain` 1.5.14 and `@langchain/langgraph` 1.7.3): `wrapToolCall`.
//
// Not their human-in-the-loop middleware: with one rejected call among several, the approved ones do not run.

import { type CallContext, Gate } from 'handraise';
import { conversationIn, decide, textOf } from 'handraise/adapter';

/** The class of a tool's message. Handed in, so that there is one LangChain. */
type ToolMessageClass<M> = new (fields: {
  content: string;
  tool_call_id: string;
  name: string;
  status: 'error';
}) => M;

/** How calls are gated. */
export interface LangChainOptions<M> extends CallContext {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate | undefined;
  /** LangChain's own. */
  ToolMessage: ToolMessageClass<M>;
}

/** A call as LangChain hands it to a middleware. */
interface ToolCallRequest {
  readonly toolCall: { readonly name: string; readonly args: Record<string, unknown>; readonly id?: string };
  readonly runtime?: unknown;
}

/**
 * Gates every tool call of an agent.
 *
 * @example
 * const handraise = createMiddleware({ name: 'Handraise', wrapToolCall: wrapToolCall({ gate, ToolMessage }) });
 * const agent = createAgent({ model, tools, middleware: [handraise] });
 *
 * A thread (`configurable.thread_id`) is a session of its own. Put it last in the list of middlewares: what stands behind
 * it may change a call that was approved.
 */
export function wrapToolCall<M>(options: LangChainOptions<M>) {
  const { gate: given, ToolMessage, ...context } = options;
  const gate = (given ?? new Gate()).with(context);
  return async <R extends ToolCallRequest, T>(
    request: R,
    handler: (request: R) => T | Promise<T>,
  ): Promise<T | M> => {
    const { name, args, id } = request.toolCall;
    const { signal, configurable } = knownOf(request.runtime);
    const thread = conversationIn(configurable);
    const asked = thread === undefined ? gate : gate.inConversation(thread);
    const decision = await decide(asked, { tool: name, arguments: args, traceId: id }, signal);
    if (decision.isApproved) {
      return handler({ ...request, toolCall: { ...request.toolCall, args: decision.arguments } });
    }
    return new ToolMessage({
      content: textOf(decision),
      tool_call_id: id ?? '',
      name,
      status: 'error',
    });
  };
}

function knownOf(runtime: unknown): { signal: AbortSignal | undefined; configurable: unknown } {
  const { signal, configurable } = (runtime ?? {}) as { signal?: unknown; configurable?: unknown };
  return { signal: signal instanceof AbortSignal ? signal : undefined, configurable };
}
