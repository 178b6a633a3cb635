import { createHash } from 'node:crypto';

import type { JsonValue } from '../../generated/protocol.js';
import { canonical, isObject } from '../../json.js';
import { type Elicited, type InputRequired, leftOf } from '../elicitation/questions.js';
import type { Request } from '../json-rpc.js';
import { TOKEN_ARGUMENT } from '../tool-gate.js';
import type { Caller } from './caller.js';

/** Requests whose answers are kept; the oldest are forgotten first. */
const MAX_KEPT = 1000;

type Answers = Record<string, Elicited>;

/**
 * What a person has answered here, of a result `input_required` that asks the client for something else, too: a model's
 * words, or its folders. The client hears of that alone. When it goes on with the request, the person's answers go along:
 * with the same request and state, and once.
 */
export class PartAnswers {
  private readonly kept = new Map<string, Answers>();

  /**
   * What the client still has to answer of `result`, the answer to its request `message`, when `answers` were given here;
   * `undefined`: nothing, and the request goes on.
   */
  left(caller: Caller, message: Request, result: InputRequired, answers: Answers): InputRequired | undefined {
    const left = leftOf(result, answers);
    if (left !== undefined) this.keep(keyOf(caller, message, result.requestState), answers);
    return left;
  }

  private keep(key: string, answers: Answers): void {
    this.kept.delete(key);
    this.kept.set(key, answers);
    const oldest = this.kept.keys().next().value;
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
  }

  /** Parameters `params` of the request `message`, as the server is to get them: with what was answered here. */
  completed(caller: Caller, message: Request, params: Record<string, unknown> = {}): Record<string, unknown> {
    const { inputResponses, requestState } = message.params ?? {};
    if (!isObject(inputResponses)) return params;
    const key = keyOf(caller, message, requestState);
    const answers = this.kept.get(key);
    if (answers === undefined) return params;
    this.kept.delete(key);
    return { ...params, inputResponses: { ...inputResponses, ...answers } };
  }
}

function keyOf({ principal }: Caller, { method, params = {} }: Request, state: unknown): string {
  const { _meta, inputResponses: _responses, requestState: _state, ...rest } = params;
  const { arguments: args } = rest;
  if (isObject(args)) {
    const { [TOKEN_ARGUMENT]: _token, ...own } = args;
    rest['arguments'] = own;
  }
  const text = canonical([principal, method, rest, state ?? null] as JsonValue);
  return createHash('sha256').update(text).digest('hex');
}
