import { isUtf8 } from 'node:buffer';

import { isObject } from '../json.js';
import { AmbiguousJsonError, parseStrictly } from './strict-json.js';

/** The id of a request. */
export type RequestId = string | number;

/** A message of JSON-RPC 2.0 with whatever it holds; nothing of it is left out. */
export type Message = Record<string, unknown>;

/** A request as far as the gate looks at it. */
export type Request = Message & { id: RequestId; method: string; params?: Record<string, unknown> };

/** Error codes of JSON-RPC 2.0. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** A message that is not taken. */
export class UnreadableMessageError extends Error {
  override readonly name = 'UnreadableMessageError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

const FIELDS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * Reads what a client sent: one message or, in protocol 2025-03-26, a batch of them.
 *
 * What one program reads as harmless and another as a tool call is refused: no UTF-8, a name twice, names
 * that only look like those of the protocol (some libraries take them for the same), methods that only look
 * like `tools/call`, numbers that do not survive, JSON with extensions.
 *
 * @throws UnreadableMessageError with a code of JSON-RPC.
 */
export function readMessages(bytes: Buffer): Message[] {
  if (!isUtf8(bytes)) throw new UnreadableMessageError(PARSE_ERROR, 'The message is not UTF-8.');
  let value: unknown;
  try {
    value = parseStrictly(bytes.toString());
  } catch (error) {
    const why = error instanceof AmbiguousJsonError ? error.message : 'it is not valid JSON';
    throw new UnreadableMessageError(PARSE_ERROR, `The message is refused: ${why}.`);
  }
  const messages = Array.isArray(value) ? value : [value];
  for (const message of messages) {
    if (!isObject(message)) throw new UnreadableMessageError(INVALID_REQUEST, 'A message is a JSON object.');
    refuseLookAlikes(message);
    refuseMethod(message['method']);
  }
  return messages as Message[];
}

/** Go's decoder, for one, takes `Method` and `paramſ` for `method` and `params`. */
function refuseLookAlikes(message: Message): void {
  for (const name of Object.keys(message)) {
    const look = name.normalize('NFKC').toLowerCase();
    if (name !== look && FIELDS.includes(look)) {
      throw new UnreadableMessageError(
        INVALID_REQUEST,
        `The name ${JSON.stringify(name)} is too like "${look}".`,
      );
    }
  }
}

/** A server may be less strict about what a method is called than the gate in front of it. */
function refuseMethod(method: unknown): void {
  if (method === undefined || isGated(method)) return;
  const isPlain = typeof method === 'string' && /^[A-Za-z0-9_$./:-]+$/.test(method);
  const letters = isPlain ? method.toLowerCase().replaceAll(/[^a-z0-9]/g, '') : '';
  if (!isPlain || letters.includes('toolscall')) {
    throw new UnreadableMessageError(
      INVALID_REQUEST,
      `The method ${JSON.stringify(method)} is refused: it is no plain name, or too like "tools/call".`,
    );
  }
  if (letters === 'tasksupdate') {
    throw new UnreadableMessageError(
      METHOD_NOT_FOUND,
      `The method ${JSON.stringify(method)} is refused: it is too like "tasks/update".`,
    );
  }
}

/** Whether a person may have to see a message of this method: a call of a tool, and what is typed into a running task. */
export function isGated(method: unknown): method is 'tools/call' | 'tasks/update' {
  return method === 'tools/call' || method === 'tasks/update';
}

/** Whether `message` asks for something with an answer. */
export function isRequest(message: Message): message is Request {
  return typeof message['method'] === 'string' && isRequestId(message['id']);
}

/** Whether `id` can be that of a request. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}

/** An answer that tells of a failure. */
export function errorMessage(id: RequestId | null, code: number, message: string, data?: unknown): Message {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** An answer. */
export function resultMessage(id: RequestId, result: unknown): Message {
  return { jsonrpc: '2.0', id, result };
}
