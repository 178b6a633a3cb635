import type { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';

import { isObject } from '../json.js';
import { newCallOf } from './call-params.js';
import { toolsOf } from './definitions.js';
import { refusalResult, refusalText } from './denial.js';
import type { PinnedGateOptions } from './gate-options.js';
import { pinsInMemory } from './pins.js';
import { listedEntry, paramsOf } from './proxy/session.js';
import { ToolBook } from './tool-book.js';
import { ToolGate } from './tool-gate.js';

/** `request` of the SDK, as far as it is used here: the schemas' types say nothing about a gate. */
type Send = (request: Message, schema: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>;

interface Message {
  method: string;
  params?: Record<string, unknown>;
}

/**
 * Puts the calls that a client of the official SDK makes behind the gate, by `callTool`, by `request` or as
 * a task. Nothing reaches the server before it is approved.
 *
 * @returns The same client.
 */
export function gateClient<T extends McpClient>(client: T, options: PinnedGateOptions): T {
  const gate = new ToolGate(options.client, options);
  const opening = ToolBook.open(options.pins ?? pinsInMemory(), options.server, options.server);
  // Whoever calls first gets the failure.
  opening.catch(() => {});
  const send = client.request.bind(client) as unknown as Send;
  const listTools = client.listTools.bind(client);
  let isListed = false;
  let learning: Promise<void> | undefined;

  const list: Send = async (message, schema, request) => {
    const result = await send(message, schema, request);
    (await opening).listed(toolsOf(result), message.params?.['cursor'] === undefined);
    isListed = isObject(result) && result['nextCursor'] === undefined;
    return result;
  };
  const learn = async () => {
    let cursor: string | undefined;
    for (let page = 0; page < 100; page += 1) {
      // Asked through the client, so that it goes by `list`.
      const result = await listTools(cursor === undefined ? {} : { cursor }).catch(() => undefined);
      cursor = result?.nextCursor;
      if (cursor === undefined) return;
    }
  };
  const call: Send = async (message, schema, request) => {
    const asked = newCallOf({ params: message.params });
    const task = message.params?.['task'];
    const book = await opening;
    if (!isListed) await (learning ??= learn().finally(() => (learning = undefined)));
    const entry = listedEntry(book, asked.name);
    const { pendingAfter } = options;
    const verdict = await gate.decide(asked, entry, {
      ...(request?.signal === undefined ? {} : { signal: request.signal }),
      ...(pendingAfter === undefined ? {} : { pendingAfter }),
    });
    if (verdict.runs)
      return send({ ...message, params: paramsOf(message.params ?? {}, verdict) }, schema, request);
    // A task cannot be answered with a result.
    if (task !== undefined) throw new Error(refusalText(verdict.refusal));
    return refusalResult(verdict.refusal, entry.definition, options.denial);
  };
  const gated: Send = (message, schema, request) => {
    if (message.method === 'tools/call') return call(message, schema, request);
    return message.method === 'tools/list' ? list(message, schema, request) : send(message, schema, request);
  };
  client.request = gated as unknown as T['request'];
  return client;
}
