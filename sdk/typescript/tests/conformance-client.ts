// The client under test of the official conformance suite. Its last argument is the server's address; with
// HANDRAISE_MCP_WORDS (a JSON array) it goes through the proxy.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const url = process.argv.at(-1) as string;
const words = process.env['HANDRAISE_MCP_WORDS'];
const client = new Client(
  { name: 'conformance', version: '1' },
  { capabilities: { elicitation: { form: { applyDefaults: true } } } },
);
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: {} }));
const [command = '', ...args] = words === undefined ? [] : (JSON.parse(words) as string[]);
const transport =
  words === undefined
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({ command, args: [...args, '--url', url] });
await client.connect(transport as never);
const { tools } = await client.listTools();
for (const { name } of tools) {
  await client.callTool({ name, arguments: name === 'add_numbers' ? { a: 5, b: 3 } : {} }).catch(() => {});
}
await client.close();
