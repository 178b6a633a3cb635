import { createHash } from 'node:crypto';

import { canonical, isObject } from '../../json.js';
import type { JsonValue } from '../../generated/protocol.js';
import type { CallParams } from '../call-params.js';
import { InvalidCallError } from '../tool-gate.js';

/** Calls whose rounds are remembered; the oldest is forgotten first. */
const REMEMBERED = 1000;
/** Longest answers that a person is shown, in bytes of JSON. */
const MAX_RESPONSES = 8 * 1024;

/** A server that asked something in the middle of a call. */
interface Round {
  /** What it wants back, by its hash: it may be large. */
  state: string | undefined;
  /** What it asked. */
  questions: string[];
}

/**
 * Calls that a server answered with `input_required` (MCP 2026-07-28): the client sends the call again with
 * `requestState` and `inputResponses`. Nothing but those connects the two, and what is typed was not there
 * when the call was approved. So a call goes on only where it was left: the same tool, the same arguments,
 * the state that the server gave; and a person sees what is typed, whatever the policy allows.
 */
export class Rounds {
  private readonly open = new Map<string, Round[]>();

  /** The server has answered `call`, of the conversation `session`, with `result`. */
  answered(session: string, call: CallParams, result: unknown): void {
    if (!isObject(result) || result['resultType'] !== 'input_required') return;
    const { requestState: state, inputRequests } = result;
    if (state !== undefined && typeof state !== 'string') return;
    const key = keyOf(session, call);
    const round = {
      state: hashOf(state),
      questions: isObject(inputRequests) ? Object.keys(inputRequests) : [],
    };
    const others = (this.open.get(key) ?? []).filter((other) => other.state !== round.state);
    this.open.delete(key);
    this.open.set(key, [...others.slice(-9), round]);
    const oldest = this.open.keys().next().value;
    if (this.open.size > REMEMBERED && oldest !== undefined) this.open.delete(oldest);
  }

  /**
   * What a person has to see of `call` because it goes on with an earlier one.
   *
   * @throws InvalidCallError when there is no such earlier call, or it asked something else.
   */
  concern(session: string, call: CallParams): string | undefined {
    if (call.round === undefined) return undefined;
    const round = this.find(session, call);
    if (round === undefined) {
      throw new InvalidCallError(
        'This call goes on with one that the server did not leave open. Make the call anew, without requestState and inputResponses.',
      );
    }
    const { responses } = call.round;
    if (responses === undefined) return undefined;
    const stray = Object.keys(responses).find((name) => !round.questions.includes(name));
    if (stray !== undefined)
      throw new InvalidCallError(`The server did not ask for ${JSON.stringify(stray)}.`);
    const text = canonical(responses as JsonValue);
    if (Buffer.byteLength(text) > MAX_RESPONSES) {
      throw new InvalidCallError('The inputResponses are longer than what Handraise shows to a person.');
    }
    return `The server asked something in the middle of this call, and gets these answers:\n${text}`;
  }

  /** `call` goes to the server: what it goes on with is used up. */
  used(session: string, call: CallParams): void {
    if (call.round === undefined) return;
    const key = keyOf(session, call);
    const left = (this.open.get(key) ?? []).filter((round) => round !== this.find(session, call));
    if (left.length === 0) this.open.delete(key);
    else this.open.set(key, left);
  }

  private find(session: string, call: CallParams): Round | undefined {
    const state = hashOf(call.round?.state);
    return this.open.get(keyOf(session, call))?.find((round) => round.state === state);
  }
}

function keyOf(session: string, { name, arguments: args }: CallParams): string {
  return hashOf(canonical([session, name, args as JsonValue])) ?? '';
}

function hashOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}
