// Real MCP servers from npm, with and without the proxy.

import { createRequire } from 'node:module';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { listening } from './programs.js';
import { eventually, type RunningGate } from './running-gate.js';

const require = createRequire(import.meta.url);

/** The program under test. */
export const HANDRAISE_MCP = resolve('dist/mcp/cli.js');

/** The command of a server from npm. */
export function serverCommand(name: string, ...args: string[]): string[] {
  const manifest = require.resolve(`@modelcontextprotocol/${name}/package.json`);
  const { bin } = require(manifest) as { bin: Record<string, string> };
  return [process.execPath, join(dirname(manifest), Object.values(bin)[0] as string), ...args];
}

/** The server that stands in this folder, for what no server from npm does. */
export function oddServer(...args: string[]): string[] {
  return [process.execPath, resolve('build/tests/odd-server.js'), ...args];
}

/** The folders of a gate as options of `handraise-mcp`. */
export function folderOptions(gate: RunningGate): string[] {
  const { config, runtime } = gate.folders;
  return ['--config-dir', config, '--runtime-dir', runtime, '--data-dir', join(gate.folder, 'data')];
}

/** `handraise-mcp` with these words. */
export function handraiseMcp(gate: RunningGate, command: string, ...words: string[]): string[] {
  return [process.execPath, HANDRAISE_MCP, command, ...folderOptions(gate), ...words];
}

/** The address of a proxy of many clients before the server at `url`, which goes by `name`. */
export function proxyOver(gate: RunningGate, name: string, url: string): Promise<string> {
  return listening(handraiseMcp(gate, 'proxy', '--name', name, '--url', url, '--listen', '0'));
}

const connected: Client[] = [];

/** A client of the official SDK that has started `command` and speaks to it, until `endClients`. */
export async function connect(
  command: string[],
  client = new Client({ name: 'a-test', version: '1' }),
  env: Record<string, string> = {},
): Promise<Client> {
  const [program = '', ...args] = command;
  await client.connect(
    new StdioClientTransport({ command: program, args, env: { ...getDefaultEnvironment(), ...env } }),
  );
  connected.push(client);
  return client;
}

/** Closes every client that `connect` gave. */
export async function endClients(): Promise<void> {
  await Promise.all(connected.splice(0).map((client) => client.close()));
}

const folders: string[] = [];
// Not with a hook of a test: the programs that use a folder may end after it, and a benchmark has none.
process.on('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder of its own, which goes with this program. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handraise-mcp-'));
  folders.push(folder);
  return folder;
}

/** The texts of a tool's result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}

/** Answers the next open question, as the person does. */
export async function answer(gate: RunningGate, reply: object): Promise<Record<string, unknown>> {
  const token = (await readFile(gate.approverTokenFile, 'utf8')).trim();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const url = `http://${gate.address}/v1/questions`;
  const question = await eventually('a question', async () => {
    const { questions } = (await (await fetch(url, { headers })).json()) as { questions: { id: string }[] };
    return questions[0];
  });
  const sent = await fetch(`${url}/${question.id}/answer`, {
    method: 'POST',
    headers,
    body: JSON.stringify(reply),
  });
  if (!sent.ok) throw new Error(await sent.text());
  return question;
}
