// The client under test of the official conformance suite. Its last argument is the server's address; with
// HANDRAISE_MCP_WORDS (a JSON array) it goes through the proxy: over stdin and stdout, or over HTTP where they
// hold `--listen`.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

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
const [command = '', ...args] = words === undefined ? [] : [...(JSON.parse(words) as string[]), '--url', url];

const proxies: ChildProcess[] = [];

/** Starts the proxy; gives its address. */
async function listening(): Promise<string> {
  const proxy = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  proxies.push(proxy);
  for await (const line of createInterface(proxy.stdout)) return (JSON.parse(line) as { url: string }).url;
  throw new Error('the proxy said no address');
}

const overStdio = words !== undefined && !args.includes('--listen');
const transport = overStdio
  ? new StdioClientTransport({ command, args })
  : new StreamableHTTPClientTransport(new URL(words === undefined ? url : await listening()));
await client.connect(transport as never);
const { tools } = await client.listTools();
for (const { name } of tools) {
  await client.callTool({ name, arguments: name === 'add_numbers' ? { a: 5, b: 3 } : {} }).catch(() => {});
}
await client.close();
for (const proxy of proxies) proxy.kill();
