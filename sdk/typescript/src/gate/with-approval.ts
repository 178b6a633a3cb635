import { ApprovalError, GateRefusedError, GateUnavailableError } from '../errors.js';
import type { CallContext } from './call.js';
import { conversationIn } from './conversation.js';
import { type DeniedToolResult, deniedToolResult } from './denial.js';
import { Gate } from './gate.js';

/** How a tool with these parameters is gated. */
export interface ApprovalOptions<P extends unknown[] = never[]> extends CallContext {
  /** Default: a gate with the `default` requester token. */
  gate?: Gate | undefined;
  /** Name of the tool; default: the tool's own `name`. */
  name?: string | undefined;
  /** What varies from call to call: the session, the intent. */
  context?: ((...parameters: P) => CallContext) | undefined;
  /**
   * `result` (default): a denied call gives a {@link DeniedToolResult}, no error, so that a model can
   * adapt. `throw`: it throws an {@link ApprovalError}. Either way, a gate that cannot be asked
   * throws a {@link GateUnavailableError}.
   */
  onDenied?: 'result' | 'throw' | undefined;
}

type Denied<O> = O extends { onDenied: 'throw' } ? never : DeniedToolResult;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyFunction = (...parameters: any[]) => any;

type ParametersOf<T> = T extends AnyFunction
  ? Parameters<T>
  : T extends { execute: infer E extends AnyFunction }
    ? Parameters<E>
    : never;

/** A function or a tool object whose every call is decided first. */
export type Gated<T, O> = T extends AnyFunction
  ? (...parameters: Parameters<T>) => Promise<Awaited<ReturnType<T>> | Denied<O>>
  : T extends { execute: AnyFunction }
    ? Omit<T, 'execute'> & { execute: Gated<T['execute'], O> }
    : never;

/**
 * Gates a tool: a function of one object of arguments, or an object with such a function called
 * `execute`. The call runs with the arguments that were decided about. An `AbortSignal` that is
 * called `signal` or `abortSignal` in a later parameter withdraws the request.
 *
 * @throws TypeError when the tool has no name.
 */
export function withApproval<
  T extends AnyFunction | { execute: AnyFunction },
  O extends ApprovalOptions<ParametersOf<T>>,
>(tool: T, options: O = {} as O): Gated<T, O> {
  const { gate, name: given, context, onDenied, ...common }: ApprovalOptions<ParametersOf<T>> = options;
  const gated = (gate ?? new Gate()).with(common);
  const own = typeof tool === 'function' ? tool.name : (tool as { name?: unknown }).name;
  const name = given ?? (typeof own === 'string' ? own : '');
  if (name === '') throw new TypeError('withApproval: give the tool a `name`');
  const execute: AnyFunction = typeof tool === 'function' ? tool : tool.execute.bind(tool);

  const call = async (args: unknown, ...rest: unknown[]): Promise<unknown> => {
    const signal = signalIn(rest);
    const more = context?.(...([args, ...rest] as ParametersOf<T>)) ?? {};
    // A thread that the framework knows is a session of its own, unless the caller says which one it is.
    const isSaid = more.session !== undefined || more.conversationId !== undefined;
    const thread = isSaid ? undefined : rest.map(conversationIn).find((found) => found !== undefined);
    const asked = thread === undefined ? gated : gated.inConversation(thread);
    try {
      return await asked.call(
        { ...more, tool: name, arguments: args },
        // What the tool itself throws is not ours to turn into a denial.
        (decided) => run(() => execute(decided, ...rest)),
        signal ? { signal } : {},
      );
    } catch (error) {
      if (error instanceof ToolFailure) throw error.cause;
      if (!isDenial(error) || onDenied === 'throw') throw error;
      return deniedToolResult(error);
    }
  };
  if (typeof tool === 'function') return call as unknown as Gated<T, O>;
  return { ...tool, execute: call } as unknown as Gated<T, O>;
}

/** Carries what a tool threw past the handling of denials. */
class ToolFailure extends Error {}

async function run(execute: () => unknown): Promise<unknown> {
  try {
    return await execute();
  } catch (cause) {
    throw new ToolFailure('the tool failed', { cause });
  }
}

function isDenial(error: unknown): error is ApprovalError {
  const isGate = error instanceof GateUnavailableError || error instanceof GateRefusedError;
  return error instanceof ApprovalError && !isGate;
}

function signalIn(parameters: unknown[]): AbortSignal | undefined {
  for (const parameter of parameters) {
    const { signal, abortSignal } = (parameter ?? {}) as Record<string, unknown>;
    for (const found of [parameter, signal, abortSignal]) if (found instanceof AbortSignal) return found;
  }
  return undefined;
}
