// The client under test of the official conformance suite. Its last argument is the server's address; with
// HANDRAISE_MCP_WORDS (a JSON array) it goes through the proxy: over stdin and stdout, or over HTTP where they
// hold `--listen`.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

import { proxyTo, WORDS } from './conformance-proxy.js';
import { endPrograms } from './programs.js';

const url = process.argv.at(-1) as string;
const client = new Client(
  { name: 'conformance', version: '1' },
  { capabilities: { elicitation: { form: { applyDefaults: true } } } },
);
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: {} }));
const [command = '', ...args] = WORDS ?? [];
const overStdio = WORDS !== undefined && !args.includes('--listen');
const transport = overStdio
  ? new StdioClientTransport({ command, args: [...args, '--url', url] })
  : new StreamableHTTPClientTransport(new URL(await proxyTo(url)));
await client.connect(transport as never);
const { tools } = await client.listTools();
for (const { name } of tools) {
  await client.callTool({ name, arguments: name === 'add_numbers' ? { a: 5, b: 3 } : {} }).catch(() => {});
}
await client.close();
endPrograms();
