import { createHash } from 'node:crypto';

import { canonical, isObject } from '../../json.js';
import type { JsonValue } from '../../generated/protocol.js';
import { redacted } from '../../redact.js';
import type { CallParams, TaskUpdate } from '../call-params.js';
import { InvalidCallError, TOKEN_ARGUMENT } from '../tool-gate.js';
import type { Caller } from './caller.js';

/** Calls whose rounds are remembered; the oldest is forgotten first. */
const REMEMBERED = 1000;
/** Rounds of one call that are remembered. */
const OF_ONE_CALL = 10;
/** How long an approval covers what follows it unseen, in milliseconds. */
const COVERED = 15 * 60 * 1000;
/** Longest answers that a person is shown, in bytes of JSON. */
const MAX_RESPONSES = 8 * 1024;
/** Characters of a server's question that are shown beside its answer. */
const MAX_QUESTION = 300;
/** Longest text about what is typed, in bytes: the gate cuts off what is longer than 16 KiB. */
const MAX_CONCERN = 15 * 1024;

/** A call that a server left open, because it asked something in its middle. */
export interface Round {
  /** Where it is remembered. */
  key: string;
  /** What the server wants back, by its hash: it may be large. */
  state: string | undefined;
  /** What it asked: words by the names of the questions. */
  questions: Map<string, string>;
  /** The arguments that it has got: those of the call, or as a person changed them. */
  arguments: Record<string, unknown>;
  /** They are not those of the call. */
  isChanged: boolean;
  /** The conversation in which the call was approved. */
  conversation: string | undefined;
  /** When that was, by a clock that only goes forward, in milliseconds. */
  since: number;
}

/**
 * Calls that a server answered with `input_required` (MCP 2026-07-28): the client sends the call again with
 * `requestState` and `inputResponses`. Nothing but those connects the two, and what is typed was not there
 * when the call was approved. So a call goes on only where it was left: the same tool, the same arguments,
 * the state that the server gave, and once.
 */
export class Rounds {
  private readonly open = new Map<string, Round[]>();
  /** Tasks that calls have begun, with the tool of the call; what is typed into one goes on with it. */
  private readonly tasks = new Map<string, { name: string; round: Round }>();

  /** The server, which got `forwarded` of `call`, has answered with `result`. */
  answered(
    caller: Caller,
    call: CallParams,
    forwarded: { arguments: Record<string, unknown>; isChanged: boolean },
    result: unknown,
  ): void {
    if (!isObject(result)) return;
    if (result['resultType'] === 'task') this.began(caller, call, forwarded, result);
    if (result['resultType'] !== 'input_required') return;
    const { requestState: state, inputRequests } = result;
    if (state !== undefined && typeof state !== 'string') return;
    this.putBack({
      key: keyOf(caller, call),
      state: hashOf(state),
      questions: questionsOf(inputRequests),
      ...forwarded,
      conversation: caller.conversation,
      since: performance.now(),
    });
  }

  /** The call that began the task that `update` is typed into, as it goes on. */
  updated(
    caller: Caller,
    { task, responses }: TaskUpdate,
  ): Pick<CallParams, 'name' | 'arguments' | 'round' | 'task'> {
    const known = this.tasks.get(taskKey(caller, task));
    const name = known?.name ?? 'tasks/update';
    return {
      name,
      arguments: known?.round.arguments ?? { taskId: task },
      round: { state: undefined, responses },
      task,
    };
  }

  /** The server has said of the task `task` how it stands: `result`. */
  told(caller: Caller, task: unknown, result: unknown): void {
    if (typeof task !== 'string' || !isObject(result)) return;
    const round = this.tasks.get(taskKey(caller, task))?.round;
    if (round !== undefined)
      questionsOf(result['inputRequests']).forEach((words, name) => round.questions.set(name, words));
  }

  private began(
    caller: Caller,
    { name }: CallParams,
    forwarded: { arguments: Record<string, unknown>; isChanged: boolean },
    result: Record<string, unknown>,
  ): void {
    const { taskId, inputRequests } = result;
    if (typeof taskId !== 'string') return;
    const key = taskKey(caller, taskId);
    const round = {
      key,
      state: undefined,
      questions: questionsOf(inputRequests),
      arguments: forwarded.arguments,
      isChanged: false,
      conversation: caller.conversation,
      since: performance.now(),
    };
    this.tasks.delete(key);
    this.tasks.set(key, { name, round });
    const oldest = this.tasks.keys().next().value;
    if (this.tasks.size > REMEMBERED && oldest !== undefined) this.tasks.delete(oldest);
  }

  /**
   * The round that `call` goes on with; it is used up. `undefined` for a call that begins anew, or says that it goes on with
   * one that is not known.
   *
   * @throws InvalidCallError when it has more to show than a person can be shown.
   */
  take(caller: Caller, call: CallParams): Round | undefined {
    if (call.round === undefined) return undefined;
    const { state, responses = {} } = call.round;
    if (Buffer.byteLength(JSON.stringify(responses)) > MAX_RESPONSES) {
      throw new InvalidCallError('The inputResponses are longer than what Handraise shows to a person.');
    }
    // A server may ask a task more than once.
    if (call.task !== undefined) return this.tasks.get(taskKey(caller, call.task))?.round;
    const key = keyOf(caller, call);
    const rounds = this.open.get(key) ?? [];
    const round = rounds.find((one) => one.state === hashOf(state));
    if (round === undefined) return undefined;
    const left = rounds.filter((one) => one !== round);
    if (left.length === 0) this.open.delete(key);
    else this.open.set(key, left);
    return round;
  }

  /** The server has not got what `round` was taken for: the call is open as before. */
  putBack(round: Round): void {
    const others = (this.open.get(round.key) ?? []).filter(({ state }) => state !== round.state);
    this.open.delete(round.key);
    this.open.set(round.key, [...others.slice(1 - OF_ONE_CALL), round]);
    const oldest = this.open.keys().next().value;
    if (this.open.size > REMEMBERED && oldest !== undefined) this.open.delete(oldest);
  }
}

/**
 * Whether the approval of the call covers what goes on with it: nothing is typed that nobody has seen, and it is
 * the same client, soon after.
 */
export function isCovered(round: Round, caller: Caller, call: CallParams): boolean {
  const isSame = round.conversation !== undefined && round.conversation === caller.conversation;
  return isSame && performance.now() - round.since < COVERED && typesNothing(round, call);
}

function typesNothing({ questions }: Round, call: CallParams): boolean {
  const responses = Object.entries(call.round?.responses ?? {});
  return responses.every(([name, response]) => questions.has(name) && saysNothing(response));
}

/**
 * What a person has to see of a call that goes on with `round`, or says that it goes on with one that is not known: its
 * server could take it for another call's. `undefined` where there is nothing to see: the policy decides as ever.
 *
 * @throws InvalidCallError when it is more than a person can be shown.
 */
export function concernOf(round: Round | undefined, call: CallParams): string | undefined {
  if (call.round === undefined || (round !== undefined && typesNothing(round, call))) return undefined;
  const beginning = call.task === undefined ? beginningOf(round) : beginningOfTask(round);
  const responses = Object.entries(call.round.responses ?? {});
  if (responses.length === 0) return beginning;
  const lines = responses.map(([name, response]) => {
    const question = round?.questions.get(name);
    const about = question === undefined ? ' (not asked for)' : ` (${JSON.stringify(question)})`;
    return `${JSON.stringify(name)}${about}: ${canonical(redacted(response) as JsonValue)}`;
  });
  const concern = `${beginning} The server gets these answers:\n${lines.join('\n')}`;
  if (Buffer.byteLength(concern) <= MAX_CONCERN) return concern;
  throw new InvalidCallError(
    'The inputResponses, with what the server has asked, are longer than what Handraise shows to a person.',
  );
}

function beginningOfTask(round: Round | undefined): string {
  return round === undefined
    ? 'This is typed into a task of the server. Handraise knows of no call that began it.'
    : 'This is typed into a task that this call began. The call itself is not made again.';
}

function beginningOf(round: Round | undefined): string {
  return round === undefined
    ? 'This call says that it goes on with one that the server left open. Handraise knows of none with this tool, these arguments and this state.'
    : 'This call goes on with one that the server left open.';
}

/** A form that was turned down, with nothing in it. */
function saysNothing(response: unknown): boolean {
  if (!isObject(response)) return false;
  const { action, ...rest } = response;
  return (action === 'decline' || action === 'cancel') && Object.keys(rest).length === 0;
}

function questionsOf(requests: unknown): Map<string, string> {
  const entries = isObject(requests) ? Object.entries(requests) : [];
  return new Map(entries.map(([name, request]) => [name, wordsOf(request).slice(0, MAX_QUESTION)]));
}

function wordsOf(request: unknown): string {
  const params = isObject(request) && isObject(request['params']) ? request['params'] : {};
  const { message, url } = params;
  const words = [message, url].filter((word) => typeof word === 'string');
  return words.length > 0 ? words.join(' ') : String(isObject(request) ? (request['method'] ?? '') : '');
}

function keyOf({ principal }: Caller, { name, arguments: args }: CallParams): string {
  const { [TOKEN_ARGUMENT]: _token, ...rest } = args;
  return hashOf(canonical([principal, name, rest as JsonValue])) ?? '';
}

function taskKey({ principal }: Caller, task: string): string {
  return hashOf(canonical([principal, task])) ?? '';
}

function hashOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}
