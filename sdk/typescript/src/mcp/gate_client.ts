import type { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';

import { toolsOf } from './definitions.js';
import { refusalResult, refusalText } from './denial.js';
import type { PinnedGateOptions } from './gate_options.js';
import { pinsInMemory } from './pins.js';
import { paramsOf } from './proxy/session.js';
import { ToolBook } from './tool_book.js';
import { ToolGate } from './tool_gate.js';

/**
 * Puts the calls that a client of the official SDK makes behind the gate. Nothing reaches the server before
 * it is approved.
 *
 * @returns The same client.
 */
export function gateClient<T extends McpClient>(client: T, options: PinnedGateOptions): T {
  const gate = new ToolGate(options.client, options);
  const opening = ToolBook.open(options.pins ?? pinsInMemory(), options.server, options.server);
  // Whoever calls first gets the failure.
  opening.catch(() => {});
  const callTool = client.callTool.bind(client);
  const listTools = client.listTools.bind(client);
  let isListed = false;

  const learn = async () => {
    const book = await opening;
    isListed = true;
    let cursor: string | undefined;
    for (let page = 0; page < 100; page += 1) {
      const result = await listTools(cursor === undefined ? {} : { cursor }).catch(() => undefined);
      if (result === undefined) return;
      book.listed(toolsOf(result), page === 0);
      cursor = result.nextCursor;
      if (cursor === undefined) return;
    }
  };

  client.listTools = async (params, request) => {
    const result = await listTools(params, request);
    (await opening).listed(toolsOf(result), params?.cursor === undefined);
    isListed = result.nextCursor === undefined || isListed;
    return result;
  };
  client.callTool = async (params, schema, request) => {
    const book = await opening;
    if (!isListed) await learn();
    const entry = book.entry(params.name);
    const { signal } = request ?? {};
    const { pendingAfter } = options;
    const call = {
      name: params.name,
      arguments: params.arguments ?? {},
      ...(params._meta === undefined ? {} : { meta: params._meta as Record<string, unknown> }),
    };
    const verdict = await gate.decide(call, entry, {
      ...(signal === undefined ? {} : { signal }),
      ...(pendingAfter === undefined ? {} : { pendingAfter }),
    });
    if (verdict.runs) return callTool(paramsOf(params, verdict) as typeof params, schema, request);
    // A task cannot be answered with a result.
    if (params.task !== undefined) throw new Error(refusalText(verdict.refusal));
    return refusalResult(verdict.refusal, entry.definition, options.denial);
  };
  return client;
}
