// The proxy between a client of the conformance suite and its server, over HTTP.

import { listening } from './programs.js';

/** The proxy's words, where the client is to go through it. */
export const WORDS =
  process.env['HANDRAISE_MCP_WORDS'] === undefined
    ? undefined
    : (JSON.parse(process.env['HANDRAISE_MCP_WORDS']) as string[]);

/** Starts the proxy before the server at `url`, where there is to be one; gives the address to use. */
export async function proxyTo(url: string): Promise<string> {
  if (WORDS === undefined) return url;
  return listening([...WORDS, '--url', url]);
}
