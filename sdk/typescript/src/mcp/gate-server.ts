import { createHash } from 'node:crypto';

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

import { sessionWithin } from '../gate/conversation.js';
import { isObject } from '../json.js';
import { newCallOf } from './call-params.js';
import { type ToolDefinition, toolsOf } from './definitions.js';
import { refusalResult } from './denial.js';
import type { GateOptions } from './gate-options.js';
import { keepTelling } from './proxy/progress.js';
import { paramsOf } from './proxy/session.js';
import type { Entry } from './tool-book.js';
import { ToolGate } from './tool-gate.js';

type Handler = (request: Record<string, unknown>, extra: Extra) => unknown;

/** What handlers of the official SDK get beside the request. */
interface Extra {
  signal: AbortSignal;
  /** The session that the transport has opened. */
  sessionId?: string;
  /** Of a request over HTTP. */
  requestInfo?: unknown;
  sendNotification(notification: never): Promise<void>;
}

/**
 * Puts every tool of a server of the official SDK behind the gate: those it has, and those it will have.
 * Names, schemas and annotations stay as they are. The server is the program's own, so that its
 * `readOnlyHint` counts only where the policy trusts a server of its name.
 *
 * @returns The same server.
 */
export function gateServer<T extends McpServer | Server>(server: T, options: GateOptions): T {
  const low = 'server' in server ? server.server : server;
  // The SDK keeps handlers by method; the one for calls may be set before or after this.
  const handlers = (low as unknown as { _requestHandlers: Map<string, Handler> })._requestHandlers;
  if (!(handlers instanceof Map))
    throw new Error('This version of @modelcontextprotocol/sdk is not known to gateServer.');
  const gate = new ToolGate(options.client, options);
  const gated = (inner: Handler): Handler => {
    const outer: Handler = (request, extra) => call(gate, options, handlers, inner, request, extra);
    return outer;
  };
  const set = handlers.set.bind(handlers);
  handlers.set = (method, handler) => set(method, method === 'tools/call' ? gated(handler) : handler);
  const present = handlers.get('tools/call');
  if (present !== undefined) set('tools/call', gated(present));
  return server;
}

async function call(
  gate: ToolGate,
  options: GateOptions,
  handlers: Map<string, Handler>,
  inner: Handler,
  request: Record<string, unknown>,
  extra: Extra,
): Promise<unknown> {
  const params = isObject(request['params']) ? request['params'] : {};
  const asked = newCallOf({ params });
  const definition = await definitionOf(handlers, asked.name, extra);
  // Its own tools are no surprise to a program: nothing is odd about them.
  const entry: Entry = { definition, concern: undefined, accept: () => Promise.resolve() };
  const { progressToken: token } = asked;
  const stop =
    token === undefined
      ? undefined
      : keepTelling(token, (text) => void extra.sendNotification(JSON.parse(text) as never).catch(() => {}));
  const { pendingAfter } = options;
  const verdict = await gate
    .in(sessionOf(options.session, extra))
    .decide(asked, entry, {
      signal: extra.signal,
      ...(pendingAfter === undefined ? {} : { pendingAfter }),
    })
    .finally(stop);
  if (!verdict.runs) return refusalResult(verdict.refusal, definition, options.denial);
  return inner({ ...request, params: paramsOf(params, verdict) }, extra);
}

/** One session for each client: over HTTP, those without one cannot be told apart, and nothing is remembered. */
function sessionOf(own: string | undefined, { sessionId, requestInfo }: Extra): string | undefined {
  // Who knows the id can speak in the session: only its hash is told.
  if (sessionId !== undefined) return sessionWithin(own, { id: hashOf(sessionId) });
  return requestInfo === undefined ? own : undefined;
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
