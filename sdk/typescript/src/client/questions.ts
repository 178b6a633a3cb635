import { GateUnavailableError, deepFreeze } from '../errors.js';
import type { QuestionResult } from '../generated/protocol.js';
import { isObject } from '../json.js';

const STATUSES: readonly string[] = ['answered', 'declined', 'timeout', 'cancelled', 'pending'];

/** Reads a question's result, frozen. A status that nobody knows is no answer. */
export function readQuestion(body: unknown): Readonly<QuestionResult> {
  if (!isObject(body) || typeof body['id'] !== 'string' || typeof body['status'] !== 'string') {
    throw new GateUnavailableError('answer', 'Handraise answered something that is no answer to a question.');
  }
  const result = body as unknown as QuestionResult;
  if (STATUSES.includes(result.status)) return deepFreeze(result);
  const { custom: _custom, answer: _answer, ...rest } = result;
  const reason = `The gate answered with the unknown status ${JSON.stringify(result.status)}.`;
  return deepFreeze({ ...rest, selected: [], status: 'cancelled', reason });
}
