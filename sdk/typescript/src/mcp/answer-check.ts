// What the answer to a request of MCP 2026-07-28 may be ("Multi round-trip requests", "Result"). A client that got another
// one would have to guess, and what it sends next could go past the gate.

import { isObject } from '../json.js';
import { MAX_REQUEST_STATE } from './call-params.js';
import { errorMessage, INTERNAL_ERROR, type Message, type Request } from './json-rpc.js';
import { announces, ASKING, TASKS } from './revision.js';

/** What the client gets in the place of `answer` to `request`; `undefined` where it can have that. */
export function refusedAnswer(request: Request, answer: Message): Message | undefined {
  const why = faultOf(request, answer['result']);
  return why === undefined ? undefined : errorMessage(request.id, INTERNAL_ERROR, why);
}

function faultOf(request: Request, result: unknown): string | undefined {
  if (result === undefined) return undefined;
  if (!isObject(result)) return 'The server gave a result that is no object.';
  const { resultType: kind, requestState: state, inputRequests: questions } = result;
  // Servers of older revisions do not say it.
  if (kind === undefined || kind === 'complete') return undefined;
  if (kind === 'task' && request.method === 'tools/call' && announces(request, TASKS)) return undefined;
  if (kind !== 'input_required' || !ASKING.includes(request.method)) {
    return `The server gave a result of the kind ${JSON.stringify(kind)}, which is none for ${request.method}.`;
  }
  if (state === undefined && questions === undefined) return 'The server asks for input, but not for which.';
  if (questions !== undefined && !isObject(questions))
    return 'The inputRequests of the server are no object.';
  if (state !== undefined && typeof state !== 'string') return 'The requestState of the server is no text.';
  if (state !== undefined && Buffer.byteLength(state) > MAX_REQUEST_STATE) {
    return `The requestState of the server is longer than ${MAX_REQUEST_STATE} bytes.`;
  }
  return undefined;
}
