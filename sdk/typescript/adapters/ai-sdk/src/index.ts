// The Vercel AI SDK (tried with `ai` 7.0.173): `toolApproval` of generateText, streamText and ToolLoopAgent.

import { type CallContext, Gate } from 'handraise';
import { ApprovedCalls, type Decision, decide, denied, snapshot, textOf, unchanged } from 'handraise/adapter';

/** How tools are gated. */
export interface AiSdkOptions extends CallContext {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate | undefined;
  /** That of the run. The SDK hands none to `toolApproval`; without it a stopped run leaves its question open. */
  abortSignal?: AbortSignal | undefined;
}

/** A call as the SDK hands it to `toolApproval`. */
interface AiToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input?: unknown;
  readonly invalid?: boolean | undefined;
  readonly providerExecuted?: boolean | undefined;
}

/** What the SDK hands to a tool. */
interface AiExecutionOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** How `toolApproval` answers. */
export type AiApproval =
  | { readonly type: 'approved' }
  | { readonly type: 'denied'; readonly reason: string }
  | { readonly type: 'not-applicable' };

/** What to hand to `generateText`, `streamText` or `ToolLoopAgent`. */
export interface GatedAiTools<T> {
  /** The tools, which run with the arguments that were decided about. */
  readonly tools: T;
  /** Decides about each call. */
  readonly toolApproval: (options: { toolCall: AiToolCall }) => Promise<AiApproval>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Execute = (input: any, options: any) => unknown;

/**
 * Gates tools of the Vercel AI SDK.
 *
 * @example
 * await generateText({ model, prompt, ...gateTools({ mail, search }, { gate }) });
 *
 * The model reads a denial as `execution-denied` with the reason. A tool that the SDK runs without having asked is asked
 * about when it runs. Nobody can change the arguments of a tool that runs elsewhere (without `execute`): the model gets a
 * denial that says what the person wants.
 */
export function gateTools<T extends Record<string, object>>(
  tools: T,
  options: AiSdkOptions = {},
): GatedAiTools<T> {
  const { gate: given, abortSignal, ...context } = options;
  const gate = (given ?? new Gate()).with(context);
  const approved = new ApprovedCalls();

  const toolApproval = async ({ toolCall }: { toolCall: AiToolCall }): Promise<AiApproval> => {
    const { toolCallId, toolName, input, invalid, providerExecuted } = toolCall;
    // The SDK tells the model that there is no such call, and runs nothing.
    if (invalid === true) return { type: 'not-applicable' };
    let decision: Decision = await decide(
      gate,
      { tool: toolName, arguments: input, traceId: toolCallId },
      abortSignal,
    );
    const runsHere = providerExecuted !== true && executeOf(tools, toolName) !== undefined;
    if (!runsHere) decision = unchanged(decision);
    if (!decision.isApproved) return { type: 'denied', reason: decision.reason };
    if (runsHere) approved.keep(toolCallId, toolName, input, decision);
    return { type: 'approved' };
  };

  const gateTool = (name: string, tool: object): object => {
    const inner = executeOf(tools, name);
    if (inner === undefined) return tool;
    // What the SDK has read may hold more than JSON does (dates), so it runs as it is unless a person changed it.
    const take = (input: unknown, { toolCallId }: AiExecutionOptions): { input: unknown } | undefined => {
      const found = approved.take(toolCallId, name, input);
      return found && { input: found.isChanged ? found.arguments : input };
    };
    const askAndRun = async (input: unknown, more: AiExecutionOptions): Promise<unknown> => {
      const call = { tool: name, arguments: input, traceId: more.toolCallId };
      const asked = snapshot(input);
      const decision = await decide(gate, call, more.abortSignal ?? abortSignal);
      if (!decision.isApproved) return textOf(decision);
      approved.keep(more.toolCallId, name, asked, decision);
      const found = take(input, more);
      return found ? lastOf(inner(found.input, more)) : textOf(CHANGED);
    };
    const execute = (input: unknown, more: AiExecutionOptions): unknown => {
      const found = take(input, more);
      // In one step with the SDK's: a tool that streams gives its stream back.
      return found ? inner(found.input, more) : askAndRun(input, more);
    };
    return Object.assign(Object.create(Object.getPrototypeOf(tool) as object | null) as object, tool, {
      execute,
    });
  };
  const gated = Object.entries(tools).map(([name, tool]) => [name, gateTool(name, tool)]);
  return { tools: Object.fromEntries(gated) as T, toolApproval };
}

const CHANGED = denied('The arguments changed while they were decided about.');

function executeOf(tools: Record<string, object>, name: string): Execute | undefined {
  const tool = Object.hasOwn(tools, name) ? (tools[name] as { execute?: unknown }) : undefined;
  return typeof tool?.execute === 'function' ? (tool.execute.bind(tool) as Execute) : undefined;
}

/** What a tool that streams gives in the end, or what another tool gives. */
async function lastOf(result: unknown): Promise<unknown> {
  const given = await result;
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return given;
  let last: unknown;
  for await (const part of given as AsyncIterable<unknown>) last = part;
  return last;
}
