// The configurations, command lines and programs in docs/mcp.md, started as their reader would start them.

import assert from 'node:assert/strict';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';
import type { Hooks, PluginInput } from '@opencode-ai/plugin';

import { connect, emptyFolder, handraiseMcp, serverCommand, textOf } from './mcp-support.js';
import { endPrograms, speaking } from './programs.js';
import { RecordingServer } from './recording-server.js';
import { RunningGate, pending } from './running-gate.js';

interface Configuration {
  mcpServers?: Record<string, { command: string; args: string[] }>;
  mcp?: Record<string, { command: string[] }>;
}

/** Programs of the document, as files that find the package as its users do. */
const WRITTEN = resolve('build/documented');

let gate: RunningGate;
let approver: Approver;
let text: string;
let programs: string[];
let commands: string[][];
let lines: string[][];
let folder: string;

before(async () => {
  text = await readFile('../../docs/mcp.md', 'utf8');
  const block = (language: string) =>
    [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, body = '']) => body);
  gate = await RunningGate.start(`version = 1\n${block('toml').join('\n')}`);
  approver = gate.approver();
  programs = block('ts');
  commands = block('json')
    .map((body) => JSON.parse(body) as Configuration)
    .flatMap(({ mcpServers = {}, mcp = {} }) => [
      ...Object.values(mcpServers).map(({ command, args }) => [command, ...args]),
      ...Object.values(mcp).map(({ command }) => command),
    ]);
  lines = block('sh')
    .flatMap((body) => body.split('\n'))
    .filter((line) => line.startsWith('handraise-mcp '))
    .map((line) => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1')));
  folder = await realpath(await emptyFolder());
  await writeFile(join(folder, 'a.txt'), 'hello');
});
after(async () => {
  endPrograms();
  approver.close();
  await rm(WRITTEN, { recursive: true, force: true });
  await gate.stop();
});

/** A program of the document in a file, with the gate of this test in the place of the user's own. */
async function written(name: string, program: string): Promise<string> {
  await mkdir(WRITTEN, { recursive: true });
  const path = join(WRITTEN, name);
  await writeFile(path, program);
  return path;
}

/** The command of the document with what is installed here in the place of what npm would fetch. */
function here([program, subcommand = '', ...rest]: string[]): string[] {
  assert.equal(program, 'handraise-mcp');
  const line = rest.join('\n').replace('/home/you/project', folder);
  const [npx = '', server = ''] = [
    'npx\n-y\n@modelcontextprotocol/server-filesystem',
    serverCommand('server-filesystem').join('\n'),
  ];
  const words = line
    .replace(npx, server)
    .split('\n')
    .filter((word) => word !== '');
  return handraiseMcp(gate, subcommand, ...words);
}

test('every configuration starts, and the policy beside it holds', async () => {
  assert.equal(commands.length, 3);
  const proxies = commands.filter(([, subcommand]) => subcommand === 'proxy');
  for (const command of proxies) {
    const client = await connect(here(command));
    const read = await client.callTool({
      name: 'read_text_file',
      arguments: { path: join(folder, 'a.txt') },
    });
    assert.match(textOf(read), /hello/);
    const move = { source: join(folder, 'a.txt'), destination: join(folder, 'b.txt') };
    assert.equal(
      textOf(await client.callTool({ name: 'move_file', arguments: move })),
      'Denied: files stay where they are',
    );
    await client.close();
  }
  const [serve = []] = commands.filter(([, subcommand]) => subcommand === 'serve');
  const words = here(serve);
  const client = await connect(words);
  const { tools } = await client.listTools();
  for (const { name } of tools) assert.ok(text.includes(`| \`${name}\` |`), name);
  await client.close();
});

test('every command line starts, and its calls are gated', async () => {
  assert.equal(lines.length, 3);
  const server = await RecordingServer.start();
  try {
    for (const [program, subcommand = '', ...rest] of lines) {
      assert.equal(program, 'handraise-mcp');
      const words = rest.map((word) => (/^https?:/.test(word) ? server.url : word === '4800' ? '0' : word));
      const command = handraiseMcp(gate, subcommand, ...words, '--timeout', '1');
      server.requests.length = 0;
      const { write, next } = speaking(command, { TOKEN: 'secret-of-the-test' });
      const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{}}}';
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      let answer: string;
      if (words.includes('--listen')) {
        const { url } = await next<{ url: string }>();
        answer = await (await fetch(url, { method: 'POST', headers, body: call })).text();
      } else {
        write(call);
        answer = JSON.stringify(await next());
        const token = words.includes('--header') ? 'Bearer secret-of-the-test' : undefined;
        assert.equal(server.requests[0]?.headers.authorization, token);
      }
      assert.match(answer, /Denied: /);
      assert.deepEqual(server.arrived('tools/call'), []);
    }
  } finally {
    server.stop();
  }
});

test('a program puts its server and its client behind the gate', async () => {
  const own = `new Client({ folders: ${JSON.stringify(gate.folders)} })`;
  const block = (programs[0] ?? '').replaceAll('new Client()', own);
  const path = await written(
    'gated.mjs',
    `import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
const server = new McpServer({ name: 'mine', version: '1' });
server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
const client = new McpClient({ name: 'a-test', version: '1' });
${block}
const [one, other] = InMemoryTransport.createLinkedPair();
await server.connect(one);
await client.connect(other);
for (let call = 0; call < 3; call += 1) console.log(JSON.stringify(await client.callTool({ name: 'greet', arguments: {} })));
process.exit(0);
`,
  );
  const { next } = speaking([process.execPath, path]);
  const answer = async (approves: boolean) => {
    const approval = await pending(approver, 'greet');
    assert.equal(approval.server, 'mail');
    await (approves ? approver.approve(approval) : approver.deny(approval, 'not now'));
  };
  // The client asks, and then the server.
  await answer(false);
  assert.equal(textOf(await next()), 'Denied: not now');
  await answer(true);
  await answer(false);
  assert.equal(textOf(await next()), 'Denied: not now');
  await answer(true);
  await answer(true);
  assert.equal(textOf(await next()), 'hello');
});

test('OpenCode finds a plugin in each of its files', async () => {
  const [, plain = '', withOptions = ''] = programs;
  const input = { directory: folder, worktree: folder, client: {} } as unknown as PluginInput;
  const hooksOf = async (name: string, program: string) => {
    const path = await written(name, program);
    const { Handraise } = (await import(pathToFileURL(path).href)) as {
      Handraise: (input: PluginInput) => Promise<Hooks>;
    };
    return Handraise(input);
  };
  const hooks = await hooksOf('plain.mjs', plain);
  assert.ok(hooks['tool.execute.before'] && hooks.tool?.['raise_hand']);
  await hooks.dispose?.();
  const folders = `handraise({ folders: ${JSON.stringify(gate.folders)}, `;
  const fewer = await hooksOf('options.mjs', withOptions.replace('handraise({ ', folders));
  // It asks only where OpenCode does.
  await fewer['tool.execute.before']?.(
    { tool: 'bash', sessionID: 's', callID: '1' },
    { args: { command: 'ls' } },
  );
  assert.deepEqual((await approver.list()).approvals, []);
  await fewer.dispose?.();
});

test('nothing in the document is left untried', () => {
  const languages = [...text.matchAll(/^```(\S*)\n[^]*?^```$/gm)].map(([, language = '']) => language);
  // The first of `sh` is tried in package.test.ts: it installs.
  assert.deepEqual([...languages].sort(), [
    'json',
    'json',
    'json',
    'sh',
    'sh',
    'sh',
    'toml',
    'ts',
    'ts',
    'ts',
  ]);
  assert.equal(programs.length, 3);
});
