// Which revision of MCP a message is of. Since 2026-07-28 every request says so itself; before, a connection
// agreed on one with `initialize`. Source: the specification, "Versioning and compatibility".

import { isObject } from '../json.js';
import { type Message, UnreadableMessageError } from './json-rpc.js';

/** Field of `_meta` in which a request names its revision. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** Field of `_meta` in which a request says what its client can do. */
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Field of `_meta` in which a request says what its client is called: a claim. */
const CLIENT = 'io.modelcontextprotocol/clientInfo';

/** Revisions that a connection agrees on, the newest last. */
export const AGREED: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
/** Revisions that every request names. */
export const NAMED: readonly string[] = ['2026-07-28'];

/** Methods of 2026-07-28 that a server may answer with a question. */
export const ASKING: readonly unknown[] = ['tools/call', 'prompts/get', 'resources/read'];
/** The extension in which a call may be answered with a task that goes on. */
export const TASKS = 'io.modelcontextprotocol/tasks';

/** Error codes that 2026-07-28 adds; they go with HTTP status 400. */
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;

/**
 * The revision that `message` names; `undefined` where it names none.
 *
 * @throws UnreadableMessageError for one that is not known: it may have other ways to call a tool.
 */
export function revisionOf(message: Message): string | undefined {
  const version = versionIn(message);
  if (version === undefined) return undefined;
  if (typeof version !== 'string' || !NAMED.includes(version)) throw unsupported(version, NAMED);
  return version;
}

/**
 * Whether requests under the header `MCP-Protocol-Version: version` name their revision themselves.
 *
 * @throws UnreadableMessageError for a revision that is not known.
 */
export function isNamedIn(version: string): boolean {
  if (NAMED.includes(version)) return true;
  if (AGREED.includes(version)) return false;
  throw unsupported(version, [...AGREED, ...NAMED]);
}

/** What `_meta` of the proxy's own request holds, beside requests of this revision. */
export function metaOf(revision: string | undefined): Record<string, unknown> {
  return revision === undefined ? {} : { _meta: { [VERSION]: revision, [CAPABILITIES]: {} } };
}

/** What `message` says its revision is, known or not. */
export function versionIn(message: Message): unknown {
  return metaIn(message)[VERSION];
}

/** What the client of a request calls itself, where it says so. */
export function clientNameOf(message: Message): string | undefined {
  const info = metaIn(message)[CLIENT];
  const name = isObject(info) ? info['name'] : undefined;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

/** What a request says that its client can do. */
export function capabilitiesIn(message: Message): unknown {
  return metaIn(message)[CAPABILITIES];
}

/** `message`, with these for what its client can do. */
export function withCapabilities<T extends Message>(message: T, capabilities: Record<string, unknown>): T {
  const params = isObject(message['params']) ? message['params'] : {};
  const meta = { ...metaIn(message), [CAPABILITIES]: capabilities };
  return { ...message, params: { ...params, _meta: meta } };
}

/** Whether a request says what its client can do, as each has to that names its revision. */
export function hasCapabilities(message: Message): boolean {
  return isObject(capabilitiesIn(message));
}

/** Whether the client of a request has announced an extension of the protocol. */
export function announces(message: Message, extension: string): boolean {
  const capabilities = capabilitiesIn(message);
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined;
  return isObject(extensions) && Object.hasOwn(extensions, extension);
}

function metaIn(message: Message): Record<string, unknown> {
  const params = message['params'];
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta : {};
}

function unsupported(requested: unknown, supported: readonly string[]): UnreadableMessageError {
  const data = { supported, requested };
  const words = `Handraise does not know the revision ${JSON.stringify(requested)} of MCP.`;
  return new UnreadableMessageError(UNSUPPORTED_VERSION, words, data);
}
