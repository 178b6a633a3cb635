import { createHash } from 'node:crypto';

import { sessionWithin } from '../gate/conversation.js';
import { isObject } from '../json.js';
import { callOf } from './call-params.js';
import { type ToolDefinition, toolsOf } from './definitions.js';
import type { GateOptions } from './gate-options.js';
import type { Message } from './json-rpc.js';
import type { Caller } from './proxy/caller.js';
import { Deciding } from './proxy/deciding.js';
import { Rounds } from './proxy/rounds.js';
import { type Extra, type HandlerContext, readContext } from './sdk-context.js';
import type { SdkServer } from './sdk-types.js';
import type { Entry } from './tool-book.js';
import { TOKEN_META, ToolGate } from './tool-gate.js';

type Handler = (request: Record<string, unknown>, extra: Extra) => unknown;

/** Calls that were left open. A server of SDK 2.x may live for one request only, and its gate longer. */
const roundsOf = new WeakMap<object, Rounds>();

/**
 * Puts every tool of a server of an official SDK (1.x or 2.x) behind the gate: those it has, and those it will have.
 * Names, schemas and annotations stay as they are. The server is the program's own, so that its
 * `readOnlyHint` counts only where the policy trusts a server of its name.
 *
 * @returns The same server.
 */
export function gateServer<T extends SdkServer | { server: SdkServer }>(server: T, options: GateOptions): T {
  const low = 'server' in server ? server.server : server;
  // The SDKs keep handlers by method; the one for calls may be set before or after this.
  const handlers = (low as unknown as { _requestHandlers: Map<string, Handler> })._requestHandlers;
  if (!(handlers instanceof Map)) throw new Error('This version of the MCP SDK is not known to gateServer.');
  const rounds = roundsOf.get(options.client) ?? new Rounds();
  roundsOf.set(options.client, rounds);
  const gated = (inner: Handler): Handler => {
    const outer: Handler = (request, extra) => call({ options, rounds, handlers, inner }, request, extra);
    return outer;
  };
  const set = handlers.set.bind(handlers);
  handlers.set = (method, handler) => set(method, method === 'tools/call' ? gated(handler) : handler);
  const present = handlers.get('tools/call');
  if (present !== undefined) set('tools/call', gated(present));
  return server;
}

async function call(
  {
    options,
    rounds,
    handlers,
    inner,
  }: {
    options: GateOptions;
    rounds: Rounds;
    handlers: Map<string, Handler>;
    inner: Handler;
  },
  request: Record<string, unknown>,
  extra: Extra,
): Promise<unknown> {
  const context = readContext(extra);
  const params = isObject(request['params']) ? request['params'] : {};
  const message = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: context.whole(params) };
  const asked = {
    message,
    call: callOf(message),
    caller: callerOf(options.session, context),
    signal: context.signal,
  };
  const definition = await definitionOf(handlers, asked.call.name, extra);
  // Its own tools are no surprise to a program: nothing is odd about them.
  const entry: Entry = { definition, concern: undefined, accept: () => Promise.resolve() };
  const book = { alike: () => undefined, entry: () => entry };
  const deciding = new Deciding(new ToolGate(options.client, options), book, options, rounds);
  const answer = await deciding.decide(asked, (text) => {
    if (text !== undefined) context.notify(JSON.parse(text) as Message);
  });
  if ('refused' in answer) {
    const { result, error } = answer.refused;
    if (isObject(error)) throw Object.assign(new Error(String(error['message'])), { code: error['code'] });
    return result;
  }
  const forwarded = answer.params === message.params ? params : changed(params, answer.arguments);
  const result = await inner({ ...request, params: forwarded }, extra);
  deciding.answered(asked, answer, result);
  return result;
}

/** The parameters of a call with other arguments, and without what was for the gate. */
function changed(params: Record<string, unknown>, args: Record<string, unknown>): Record<string, unknown> {
  const { _meta: meta, ...rest } = params;
  const kept = isObject(meta) ? Object.entries(meta).filter(([name]) => name !== TOKEN_META) : [];
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }),
    arguments: args,
  };
}

/**
 * One conversation for each client: over HTTP it is known by the session that the transport has opened, else by the
 * token that the server has checked; without both nothing is remembered.
 */
function callerOf(own: string | undefined, { sessionId, token, isHttp }: HandlerContext): Caller {
  // Who knows the id or the token can speak in the conversation: only its hash is told.
  const proof = sessionId ?? token;
  if (proof === undefined) return { conversation: isHttp ? undefined : own, principal: '' };
  const conversation = sessionWithin(own, { id: hashOf(proof) });
  return { conversation, principal: conversation ?? '' };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The tool as the server lists it. */
async function definitionOf(
  handlers: Map<string, Handler>,
  name: string,
  extra: Extra,
): Promise<ToolDefinition | undefined> {
  const list = handlers.get('tools/list');
  let cursor: unknown;
  for (let page = 0; list !== undefined && page < 100; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await list({ method: 'tools/list', params }, extra);
    const found = toolsOf(result).find((tool) => tool.name === name);
    cursor = isObject(result) ? result['nextCursor'] : undefined;
    if (found !== undefined || typeof cursor !== 'string') return found;
  }
  return undefined;
}
