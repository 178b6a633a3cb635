// The OpenAI Agents SDK (tried with `@openai/agents` 0.20.0): `needsApproval` and interruptions.

import { randomUUID } from 'node:crypto';

import { type CallContext, Gate } from 'handraise';
import {
  ApprovedCalls,
  NOT_READABLE,
  decide,
  isObject,
  readArguments,
  textOf,
  unchanged,
} from 'handraise/adapter';

/** How tools are gated. */
export interface OpenAiAgentsOptions extends CallContext {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate | undefined;
}

/** How an interruption of the SDK is looked at. */
interface Interruption {
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  readonly rawItem: object;
}

/** A result of `run`, as far as it is looked at. */
interface RunResult<I extends Interruption> {
  readonly interruptions: readonly I[];
  readonly state: {
    approve(item: I): void;
    reject(item: I, options: { message: string }): void;
  };
}

/** A function tool of the SDK. */
interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  invoke: (context: any, input: string, details?: any) => Promise<any>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  needsApproval: (...parameters: any[]) => Promise<boolean>;
}

/** Gated tools, and what answers the interruptions of their runs. */
export interface GatedOpenAiTools<T> {
  /** For `new Agent({ tools })`. */
  readonly tools: T;
  /**
   * Has every interruption of a run decided. All of them are shown together. Then run again with `result.state`.
   *
   * @returns Whether there was one.
   * @throws What `signal` was aborted with. Then nothing was answered.
   */
  settle<I extends Interruption>(
    result: RunResult<I>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<boolean>;
}

/**
 * Gates function tools of the OpenAI Agents SDK.
 *
 * @example
 * const { tools, settle } = gateTools([mail, search], { gate });
 * const agent = new Agent({ name: 'Office', tools });
 * let result = await run(agent, 'Write to Ann');
 * while (await settle(result)) result = await run(agent, result.state);
 *
 * A run that nobody settles stops at its first call. `settle` also answers the interruptions of other tools (of MCP
 * servers, shells): nobody can change the arguments of those, so the model gets a denial that says what the person wants.
 */
export function gateTools<const T extends readonly FunctionTool[]>(
  tools: T,
  options: OpenAiAgentsOptions = {},
): GatedOpenAiTools<{ -readonly [K in keyof T]: T[K] }> {
  const { gate: given, ...context } = options;
  const gate = (given ?? new Gate()).with(context);
  const approved = new ApprovedCalls();
  const names = new Set(tools.map(({ name }) => name));

  const gated = tools.map((tool) => {
    const invoke: FunctionTool['invoke'] = async (run, input, details) => {
      const args = readArguments(input);
      // The SDK tells the model what is wrong with them, and runs nothing.
      if (args === undefined) return textOf(NOT_READABLE);
      const { callId, signal } = detailsIn(details);
      const decided = callId === undefined ? undefined : approved.take(callId, tool.name, args);
      if (decided !== undefined) return tool.invoke(run, JSON.stringify(decided.arguments), details);
      const decision = await decide(gate, { tool: tool.name, arguments: args, traceId: callId }, signal);
      if (!decision.isApproved) return textOf(decision);
      return tool.invoke(run, JSON.stringify(decision.arguments), details);
    };
    return { ...tool, invoke, needsApproval: () => Promise.resolve(true) };
  });

  const settle: GatedOpenAiTools<T>['settle'] = async ({ interruptions, state }, { signal } = {}) => {
    const batch = randomUUID();
    const decisions = await Promise.all(
      interruptions.map(async (item) => {
        const { name, args, callId } = callOf(item);
        if (args === undefined) return NOT_READABLE;
        const decision = await decide(gate, { tool: name, arguments: args, traceId: callId, batch }, signal);
        if (callId === undefined || !names.has(name)) return unchanged(decision);
        if (decision.isApproved) approved.keep(callId, name, args, decision);
        return decision;
      }),
    );
    for (const [index, item] of interruptions.entries()) {
      const decision = decisions[index] ?? NOT_READABLE;
      if (decision.isApproved) state.approve(item);
      else state.reject(item, { message: textOf(decision) });
    }
    return interruptions.length > 0;
  };
  return { tools: gated as unknown as { -readonly [K in keyof T]: T[K] }, settle };
}

function callOf(item: Interruption) {
  const raw = item.rawItem as Record<string, unknown>;
  const callId = [raw['callId'], raw['id']].find((id): id is string => typeof id === 'string');
  const name = item.name ?? String(raw['name'] ?? raw['type']);
  // A shell, a computer or a patch has an action in the place of arguments.
  const args =
    item.arguments === undefined ? (raw['action'] ?? raw['operation']) : readArguments(item.arguments);
  return { name, args: isObject(args) ? args : undefined, callId };
}

function detailsIn(details: unknown): { callId: string | undefined; signal: AbortSignal | undefined } {
  const { toolCall, signal } = (details ?? {}) as { toolCall?: { callId?: string }; signal?: unknown };
  return { callId: toolCall?.callId, signal: signal instanceof AbortSignal ? signal : undefined };
}
