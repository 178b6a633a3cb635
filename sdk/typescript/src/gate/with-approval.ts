import { ApprovalError, GateRefusedError, GateUnavailableError } from '../errors.js';
import type { CallContext } from './call.js';
import { conversationIn } from './conversation.js';
import { type DeniedToolResult, deniedToolResult, denialText } from './denial.js';
import { isObject } from '../json.js';
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
   * What a denied call gives, so that a model can adapt. `result` (default): a {@link DeniedToolResult}, no error.
   * `text`: its words alone, `Denied: REASON`, for frameworks that hand a result to the model as it is (the Vercel
   * AI SDK, Mastra). `throw`: it throws an {@link ApprovalError}. Whichever it is, a gate that cannot be asked
   * throws a {@link GateUnavailableError}.
   */
  onDenied?: 'result' | 'text' | 'throw' | undefined;
}

type Denied<O> = O extends { onDenied: 'throw' }
  ? never
  : O extends { onDenied: 'text' }
    ? string
    : DeniedToolResult;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyFunction = (...parameters: any[]) => any;

/** A tool object. Frameworks type `execute` as optional, since some of their tools run elsewhere. */
interface ToolObject {
  execute?: AnyFunction | undefined;
}

type ExecuteOf<T> = T extends AnyFunction
  ? T
  : T extends { execute?: infer E }
    ? Extract<E, AnyFunction>
    : never;

type ParametersOf<T> = [ExecuteOf<T>] extends [never] ? never : Parameters<ExecuteOf<T>>;

type GatedFunction<F extends AnyFunction, O> = (
  ...parameters: Parameters<F>
) => Promise<Awaited<ReturnType<F>> | Denied<O>>;

/** A function or a tool object whose every call is decided first. */
export type Gated<T, O> = T extends AnyFunction
  ? GatedFunction<T, O>
  : T extends ToolObject
    ? // Where a framework has a type for all tools, whatever they give, the gated one is of that type as well.
      (undefined extends T['execute'] ? T : Omit<T, 'execute'>) & { execute: GatedFunction<ExecuteOf<T>, O> }
    : never;

/**
 * Gates a tool: a function of one object of arguments, or an object with such a function called
 * `execute`, as that of the Vercel AI SDK, of Mastra (the arguments alone, or in `{ context, runtimeContext }`)
 * and of others. The call runs with the arguments that were decided about. An `AbortSignal` that is
 * called `signal` or `abortSignal` in a parameter withdraws the request. A conversation, thread, session or run
 * whose id stands in a later parameter is a session of its own.
 *
 * @throws TypeError when the tool has no name (`name`, or an `id` as Mastra's), or nothing to execute.
 */
export function withApproval<T extends AnyFunction | ToolObject, O extends ApprovalOptions<ParametersOf<T>>>(
  tool: T,
  options: O = {} as O,
): Gated<T, O> {
  const { gate, name: given, context, onDenied, ...common }: ApprovalOptions<ParametersOf<T>> = options;
  const gated = (gate ?? new Gate()).with(common);
  const name = given ?? nameOf(tool);
  if (name === '') throw new TypeError('withApproval: give the tool a `name`');
  const execute: AnyFunction | undefined =
    typeof tool === 'function' ? (tool as AnyFunction) : tool.execute?.bind(tool);
  if (execute === undefined)
    throw new TypeError(`withApproval: the tool ${name} has nothing to execute here`);

  const call = async (first: unknown, ...rest: unknown[]): Promise<unknown> => {
    const wrapped = wrappedArguments(first);
    const signal = signalIn([wrapped, ...rest]);
    const more = context?.(...([first, ...rest] as ParametersOf<T>)) ?? {};
    // A thread that the framework knows is a session of its own, unless the caller says which one it is.
    const isSaid = more.session !== undefined || more.conversationId !== undefined;
    const known = isSaid ? [] : [wrapped === undefined ? undefined : withoutContext(wrapped), ...rest];
    const thread = known.map(conversationIn).find((found) => found !== undefined);
    const asked = thread === undefined ? gated : gated.inConversation(thread);
    try {
      return await asked.call(
        { ...more, tool: name, arguments: wrapped === undefined ? first : wrapped.context },
        // What the tool itself throws is not ours to turn into a denial.
        (decided) =>
          run(() => execute(wrapped === undefined ? decided : { ...wrapped, context: decided }, ...rest)),
        signal ? { signal } : {},
      );
    } catch (error) {
      if (error instanceof ToolFailure) throw error.cause;
      if (!isDenial(error) || onDenied === 'throw') throw error;
      return onDenied === 'text' ? denialText(error.reason) : deniedToolResult(error);
    }
  };
  if (typeof tool === 'function') return call as unknown as Gated<T, O>;
  // Own fields are copied over those of the class that a framework's tool may be of.
  const copy = Object.assign(Object.create(Object.getPrototypeOf(tool) as object | null) as object, tool);
  return Object.assign(copy, { execute: call }) as unknown as Gated<T, O>;
}

function nameOf(tool: AnyFunction | ToolObject): string {
  const { name, id } = tool as { name?: unknown; id?: unknown };
  return [name, id].find((found): found is string => typeof found === 'string' && found !== '') ?? '';
}

/** Mastra's first parameter before 1.0: the arguments in `context`, beside what no model can write. */
type Wrapped = Record<string, unknown> & { context: Record<string, unknown> };

function wrappedArguments(first: unknown): Wrapped | undefined {
  if (!isObject(first) || !isObject(first['context'])) return undefined;
  const { runtimeContext } = first;
  // A model's arguments are JSON: they hold no functions.
  const isMastras = isObject(runtimeContext) && typeof runtimeContext['get'] === 'function';
  return isMastras ? (first as Wrapped) : undefined;
}

function withoutContext({ context: _arguments, ...rest }: Wrapped): Record<string, unknown> {
  return rest;
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
