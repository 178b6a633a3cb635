import { GateUnavailableError, deepFreeze } from '../errors.js';
import type { ApprovalResult, Status } from '../generated/protocol.js';
import { argumentsHash, type Arguments, isObject } from '../json.js';

const STATUSES: readonly Status[] = ['approved', 'denied', 'timeout', 'cancelled', 'pending'];

/**
 * Reads a result, frozen. A status that nobody knows is a denial. An approval that is not bound to
 * the arguments whose hash is `asked`, or to those that a person put in their place, is none.
 */
export function readResult(body: unknown, asked?: string): Readonly<ApprovalResult> {
  if (!isObject(body) || typeof body['id'] !== 'string' || typeof body['status'] !== 'string') {
    throw new GateUnavailableError('answer', 'Handraise answered something that is no result.');
  }
  const result = body as unknown as ApprovalResult;
  if (!STATUSES.includes(result.status)) {
    const reason = `The gate answered with the unknown status ${JSON.stringify(result.status)}.`;
    return deepFreeze({ ...result, status: 'denied', reason });
  }
  if (asked !== undefined && result.status === 'approved') {
    const decided = result.arguments == null ? asked : argumentsHash(result.arguments as Arguments);
    if (result.arguments_hash !== decided) {
      throw new GateUnavailableError(
        'answer',
        'Handraise answered for other arguments than those that were sent.',
      );
    }
  }
  return deepFreeze(result);
}
