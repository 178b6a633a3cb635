// The proxy between a client of the conformance suite and its server, over HTTP.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The proxy's words, where the client is to go through it. */
export const WORDS =
  process.env['HANDRAISE_MCP_WORDS'] === undefined
    ? undefined
    : (JSON.parse(process.env['HANDRAISE_MCP_WORDS']) as string[]);

const proxies: ChildProcess[] = [];

/** Starts the proxy before the server at `url`, where there is to be one; gives the address to use. */
export async function proxyTo(url: string): Promise<string> {
  if (WORDS === undefined) return url;
  const [command = '', ...args] = WORDS;
  const proxy = spawn(command, [...args, '--url', url], { stdio: ['ignore', 'pipe', 'inherit'] });
  proxies.push(proxy);
  for await (const line of createInterface(proxy.stdout)) return (JSON.parse(line) as { url: string }).url;
  throw new Error('the proxy said no address');
}

export function endProxies(): void {
  for (const proxy of proxies) proxy.kill();
}
