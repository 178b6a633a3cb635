import { isObject } from '../json.js';
import { isRequestId, type Message, type RequestId } from './json-rpc.js';
import { clientNameOf, revisionOf } from './revision.js';
import { InvalidCallError, type ToolCall } from './tool-gate.js';

/** The parameters of `tools/call` as they are looked at. */
export interface CallParams extends ToolCall {
  /** Where the client wants to be told of progress. */
  progressToken: RequestId | undefined;
  /** The revision that the request names. */
  revision: string | undefined;
  /** The task that this is typed into, which a call before began: the call of a tool is not made anew. */
  task?: string;
  /** What a client sends to go on with a call in whose middle the server asked something. */
  round: { state: string | undefined; responses: Record<string, unknown> | undefined } | undefined;
}

/** What is typed into a running task: parameters of `tasks/update` (extension `io.modelcontextprotocol/tasks`). */
export interface TaskUpdate {
  task: string;
  responses: Record<string, unknown>;
}

/** Longest `requestState` that is passed on, in bytes: the specification sets no bound. */
export const MAX_REQUEST_STATE = 64 * 1024;

/** Parameters of `tasks/update`. */
const UPDATE_FIELDS = ['taskId', 'inputResponses', '_meta'];
/** Longest name of a task, in characters. */
const MAX_TASK = 1024;
/** Parameters of `tools/call`, of all revisions. */
const FIELDS = ['name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState'];

/**
 * Reads a call of a tool.
 *
 * @throws InvalidCallError when it is none, or has a parameter that could reach the server unseen: one that
 * looks like those that are known, and in revisions that requests name themselves any that is not known.
 */
export function callOf(message: Message): CallParams {
  const params = isObject(message['params']) ? message['params'] : {};
  const { name, arguments: args = {}, _meta: meta, requestState, inputResponses } = params;
  if (typeof name !== 'string' || !isObject(args)) {
    throw new InvalidCallError('A call of a tool has a name and arguments that are an object.');
  }
  const revision = revisionOf(message);
  const isOdd = (field: string) =>
    !FIELDS.includes(field) &&
    (revision !== undefined ||
      FIELDS.some((known) => known.toLowerCase() === field.normalize('NFKC').toLowerCase()));
  const odd = Object.keys(params).find(isOdd);
  if (odd !== undefined) {
    throw new InvalidCallError(`Handraise does not know the parameter ${JSON.stringify(odd)} of a call.`);
  }
  if (requestState !== undefined && typeof requestState !== 'string') {
    throw new InvalidCallError('The requestState of a call is text.');
  }
  if (requestState !== undefined && Buffer.byteLength(requestState) > MAX_REQUEST_STATE) {
    throw new InvalidCallError(`The requestState of a call has at most ${MAX_REQUEST_STATE} bytes.`);
  }
  if (inputResponses !== undefined && !isObject(inputResponses)) {
    throw new InvalidCallError('The inputResponses of a call are an object.');
  }
  const goesOn = requestState !== undefined || inputResponses !== undefined;
  const token = isObject(meta) ? meta['progressToken'] : undefined;
  const agent = clientNameOf(message);
  return {
    name,
    arguments: args,
    ...(isObject(meta) ? { meta } : {}),
    ...(agent === undefined ? {} : { agent }),
    progressToken: isRequestId(token) ? token : undefined,
    revision,
    round: goesOn ? { state: requestState, responses: inputResponses } : undefined,
  };
}

/**
 * Reads what is typed into a running task.
 *
 * @throws InvalidCallError when it is nothing of the kind, or has a parameter that nobody would see.
 */
export function updateOf(message: Message): TaskUpdate {
  const params = isObject(message['params']) ? message['params'] : {};
  const { taskId: task, inputResponses: responses } = params;
  if (typeof task !== 'string' || task.length > MAX_TASK || !isObject(responses)) {
    throw new InvalidCallError(
      'What is typed into a task has its taskId and inputResponses that are an object.',
    );
  }
  const odd = Object.keys(params).find((field) => !UPDATE_FIELDS.includes(field));
  if (odd !== undefined) {
    throw new InvalidCallError(
      `Handraise does not know the parameter ${JSON.stringify(odd)} of tasks/update.`,
    );
  }
  return { task, responses };
}
