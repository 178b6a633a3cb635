// A client under test of the official conformance suite that signs in (OAuth). Its last argument is the server's
// address; with HANDRAISE_MCP_WORDS (a JSON array with `--listen`) it goes through the proxy.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

import { proxyTo } from './conformance-proxy.js';
import { endPrograms } from './programs.js';

const CALLBACK = 'http://localhost:3000/callback';
let information: OAuthClientInformationMixed | undefined;
let tokens: OAuthTokens | undefined;
let verifier = '';
let code = '';

/** The person signs in at once: the suite's servers send straight back. */
const authProvider: OAuthClientProvider = {
  redirectUrl: CALLBACK,
  clientMetadata: {
    client_name: 'conformance',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code'],
  },
  clientInformation: () => information,
  saveClientInformation: (saved) => void (information = saved),
  tokens: () => tokens,
  saveTokens: (saved) => void (tokens = saved),
  saveCodeVerifier: (saved) => void (verifier = saved),
  codeVerifier: () => verifier,
  redirectToAuthorization: async (address) => {
    const { headers } = await fetch(address, { redirect: 'manual' });
    code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
  },
};

const url = new URL(await proxyTo(process.argv.at(-1) as string));
const client = new Client({ name: 'conformance', version: '1' });
try {
  const first = new StreamableHTTPClientTransport(url, { authProvider });
  await client.connect(first as never).catch(async (error: unknown) => {
    if (code === '') throw error;
    await first.finishAuth(code);
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }) as never);
  });
  await client.listTools();
  await client.close();
} catch (error) {
  process.stderr.write(`refused: ${String(error)}\n`);
  process.exitCode = 1;
}
endPrograms();
