// The ways from a client to a server with the proxy between them, and real clients of SDK 1.x and 2.x on them.

import { resolve } from 'node:path';

import {
  type Client as SecondClient,
  StreamableHTTPClientTransport as SecondHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondStdio } from '@modelcontextprotocol/client/stdio';
import type { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { handraiseMcp } from './mcp-support.js';
import { endPrograms, listening } from './programs.js';
import type { RunningGate } from './running-gate.js';

/** The command of `modern-server.ts`. */
export const SERVER = [process.execPath, resolve('build/tests/modern-server.js')];
/** What the proxy has on its two sides. */
export const WAYS = ['stdio', 'http', 'stdio to http'] as const;
export type Way = (typeof WAYS)[number];
/** Where something is reached: a command, or an address. */
export type Place = string[] | string;

const clients: { close(): Promise<void> }[] = [];

/**
 * Where the proxy to a server is reached.
 *
 * @param options What the proxy is told, its name among it: of one that another address had before, every call would be
 * asked about.
 * @param upstream Where the server listens, where it does already.
 */
export async function proxied(
  gate: RunningGate,
  way: Way,
  server: string[],
  options: string[],
  upstream?: string,
): Promise<Place> {
  if (way === 'stdio') return handraiseMcp(gate, 'proxy', ...options, '--', ...server);
  const url = upstream ?? (await listening([...server, '--http']));
  const words = handraiseMcp(gate, 'proxy', ...options, '--url', url);
  return way === 'http' ? listening([...words, '--listen', '0']) : words;
}

/** Connects a client of SDK 1.x. */
export async function connectFirst<T extends FirstClient>(client: T, at: Place): Promise<T> {
  clients.push(client);
  const [command = '', ...args] = at;
  const transport = typeof at === 'string' ? new FirstHttp(new URL(at)) : new FirstStdio({ command, args });
  await client.connect(transport as never);
  return client;
}

/** Connects a client of SDK 2.x. */
export async function connectSecond<T extends SecondClient>(client: T, at: Place): Promise<T> {
  clients.push(client);
  const [command = '', ...args] = at;
  await client.connect(
    typeof at === 'string' ? new SecondHttp(new URL(at)) : new SecondStdio({ command, args }),
  );
  return client;
}

/** Ends all that the ways have begun. */
export async function endWays(): Promise<void> {
  for (const client of clients) await client.close().catch(() => {});
  endPrograms();
}
