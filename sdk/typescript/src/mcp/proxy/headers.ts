// Headers that say what the body says (MCP 2026-07-28, "Streamable HTTP", "Standard headers"): whoever decides by
// the one and runs the other can be fooled, so they have to agree. They are compared in messages of all revisions:
// what stands behind the proxy may look at them in any.

import type { IncomingHttpHeaders } from 'node:http';

import { isObject } from '../../json.js';
import type { CallParams } from '../call-params.js';
import type { ToolDefinition } from '../definitions.js';
import { INVALID_PARAMS, type Message, UnreadableMessageError } from '../json-rpc.js';
import { HEADER_MISMATCH, isNamedIn, revisionOf, versionIn } from '../revision.js';

const METHOD = 'mcp-method';
const NAME = 'mcp-name';
const PARAMETER = 'mcp-param-';
const VERSION = 'mcp-protocol-version';

/** Headers that belong to one connection (RFC 9110, 7.6.1), or to the message as it came. */
const OF_CONNECTION = [
  'connection',
  'content-encoding',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** Headers that let some servers take a request for another one. */
const OF_ANOTHER_REQUEST =
  /^(x-http-method|x-http-method-override|x-method-override|x-original-ur[il]|x-rewrite-url)$/;

/** The parameter that names what a method is about. */
const NAMED_BY: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/cancel': 'taskId',
  'tasks/result': 'taskId',
  'tasks/update': 'taskId',
};

/** The headers of one side as they go to the other. */
export function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const isKept = (name: string) => !OF_CONNECTION.includes(name) && !OF_ANOTHER_REQUEST.test(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(asServersRead(name))));
}

/** The name of a header as CGI and WSGI know it, where `_` and `-` are one. */
function asServersRead(name: string): string {
  return name.replaceAll('_', '-');
}

/** The client's headers for a request of the proxy's own, of the method `method`. */
export function ownHeaders(
  headers: IncomingHttpHeaders,
  method: string,
  revision: string | undefined,
): IncomingHttpHeaders {
  const isAboutCall = (name: string) => name === METHOD || name === NAME || name.startsWith(PARAMETER);
  const kept = Object.entries(headers).filter(([name]) => !isAboutCall(name) && name !== 'last-event-id');
  return {
    ...Object.fromEntries(kept),
    ...(revision === undefined ? {} : { [METHOD]: method }),
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
}

/**
 * Compares the headers of a request with the messages in its body.
 *
 * @throws UnreadableMessageError with the code of MCP.
 */
export function refuseDisagreement(headers: IncomingHttpHeaders, messages: Message[]): void {
  const double = Object.keys(headers).find((name) => name.includes('_') && /^mcp[_-]/.test(name));
  if (double !== undefined) throw mismatch(`some servers take ${double} for ${asServersRead(double)}`);
  const version = textOf(headers, VERSION);
  for (const message of messages) {
    const said = versionIn(message);
    if (said !== undefined && said !== version) {
      throw mismatch(`MCP-Protocol-Version says ${told(version)}, and _meta ${told(said)}`);
    }
    revisionOf(message);
  }
  const isNamed = version !== undefined && isNamedIn(version);
  const isRequest = ({ method, id }: Message) => typeof method === 'string' && id !== undefined;
  if (isNamed && messages.some((message) => isRequest(message) && versionIn(message) === undefined)) {
    throw new UnreadableMessageError(INVALID_PARAMS, 'The _meta of the request names no revision.');
  }
  const [message] = messages;
  const isAlone = messages.length === 1;
  const method = isAlone && typeof message?.['method'] === 'string' ? message['method'] : undefined;
  const params = isObject(message?.['params']) ? message['params'] : {};
  const key = method === undefined || !Object.hasOwn(NAMED_BY, method) ? undefined : NAMED_BY[method];
  compare('Mcp-Method', decoded(headers, METHOD), method, isNamed && message?.['id'] !== undefined);
  compare('Mcp-Name', decoded(headers, NAME), key === undefined ? undefined : params[key], isNamed);
  if (method !== 'tools/call' && parametersIn(headers).length > 0) {
    throw mismatch('headers Mcp-Param-… stand beside something that is no call of a tool');
  }
}

function compare(header: string, said: string | undefined, meant: unknown, isRequired: boolean): void {
  if (said === undefined && (!isRequired || meant === undefined)) return;
  if (said !== meant) throw mismatch(`${header} says ${told(said)}, and the body ${told(meant)}`);
}

/**
 * Compares the headers `Mcp-Param-…` of a call with its arguments, by the tool's schema.
 *
 * @throws UnreadableMessageError with the code of MCP.
 */
export function refuseOtherArguments(
  headers: IncomingHttpHeaders,
  call: CallParams,
  definition: ToolDefinition | undefined,
): void {
  const mirrored = mirroredArguments(definition, call.arguments);
  for (const name of parametersIn(headers)) {
    if (!mirrored.has(name)) throw mismatch(`the tool has no argument for the header ${name}`);
  }
  for (const [name, value] of mirrored) {
    const said = decoded(headers, name);
    const isThere = value !== undefined && value !== null;
    if (said === undefined && (!isThere || call.revision === undefined)) continue;
    const isSame =
      typeof value === 'number' ? isInteger(said) && Number(said) === value : said === headerText(value);
    if (!isThere || !isSame) throw mismatch(`${name} says ${told(said)}, and the body ${told(value)}`);
  }
}

/** The headers `Mcp-Param-…` for other arguments than the client's. */
export function withArguments(
  headers: IncomingHttpHeaders,
  args: Record<string, unknown>,
  definition: ToolDefinition | undefined,
): IncomingHttpHeaders {
  const isParameter = (name: string) => name.toLowerCase().startsWith(PARAMETER);
  // A client that says the method there says the arguments there, too, also those that it had none of before.
  if (!Object.keys(headers).some((name) => isParameter(name) || name.toLowerCase() === METHOD))
    return headers;
  const rest = Object.entries(headers).filter(([name]) => !isParameter(name));
  return { ...Object.fromEntries(rest), ...argumentHeaders(args, definition) };
}

/** The headers `Mcp-Param-…` of a call. */
function argumentHeaders(
  args: Record<string, unknown>,
  definition: ToolDefinition | undefined,
): Record<string, string> {
  const mirrored = [...mirroredArguments(definition, args)].flatMap(([name, value]) => {
    const text = headerText(value);
    return text === undefined ? [] : [[name, encoded(text)] as const];
  });
  return Object.fromEntries(mirrored);
}

/** The headers of a request that names its revision, for a client that knows no headers. */
export function standardHeaders(
  message: Message,
  revision: string,
  definition: ToolDefinition | undefined,
): Record<string, string> {
  const method = String(message['method']);
  const params = isObject(message['params']) ? message['params'] : {};
  const key = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = key === undefined ? undefined : params[key];
  const args = isObject(params['arguments']) ? params['arguments'] : {};
  return {
    [VERSION]: revision,
    [METHOD]: method,
    ...(typeof name === 'string' ? { [NAME]: encoded(name) } : {}),
    ...(method === 'tools/call' ? argumentHeaders(args, definition) : {}),
  };
}

/** The values that stand in headers, too (`x-mcp-header` in the tool's schema), by the header's name. */
function mirroredArguments(
  definition: ToolDefinition | undefined,
  args: Record<string, unknown>,
): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const walk = (schema: unknown, value: unknown) => {
    if (!isObject(schema) || !isObject(schema['properties'])) return;
    for (const [name, property] of Object.entries(schema['properties'])) {
      const inner = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      const header = isObject(property) ? property['x-mcp-header'] : undefined;
      if (typeof header === 'string') found.set(`${PARAMETER}${header.toLowerCase()}`, inner);
      walk(property, inner);
    }
  };
  walk(definition?.['inputSchema'], args);
  return found;
}

function headerText(value: unknown): string | undefined {
  return ['string', 'boolean', 'number'].includes(typeof value) ? String(value) : undefined;
}

function isInteger(text: string | undefined): boolean {
  return text !== undefined && /^-?(0|[1-9][0-9]*)$/.test(text);
}

function parametersIn(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers).filter((name) => name.startsWith(PARAMETER));
}

/** A value as it is meant: text that a header cannot hold is written `=?base64?…?=`. */
function decoded(headers: IncomingHttpHeaders, name: string): string | undefined {
  const text = textOf(headers, name);
  if (text === undefined) return undefined;
  if (!/^[\x20-\x7e\t]*$/.test(text)) throw mismatch(`${name} is no plain ASCII`);
  if (!text.startsWith('=?')) return text;
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(text) ?? [];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  const value = bytes.toString();
  const isExact =
    base64 !== undefined && bytes.toString('base64') === base64 && Buffer.from(value).equals(bytes);
  if (!isExact) throw mismatch(`${name} is not well formed`);
  return value;
}

function encoded(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function told(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function mismatch(why: string): UnreadableMessageError {
  return new UnreadableMessageError(HEADER_MISMATCH, `Headers and body disagree: ${why}.`);
}
