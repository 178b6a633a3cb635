// The configurations in docs/mcp.md, started as a client would start them.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

import { connect, emptyFolder, handraiseMcp, serverCommand, textOf } from './mcp-support.js';
import { RecordingServer } from './recording-server.js';
import { RunningGate } from './running-gate.js';

interface Configuration {
  mcpServers?: Record<string, { command: string; args: string[] }>;
  mcp?: Record<string, { command: string[] }>;
}

let gate: RunningGate;
let commands: string[][];
let lines: string[][];
let folder: string;

before(async () => {
  const text = await readFile('../../docs/mcp.md', 'utf8');
  const block = (language: string) =>
    [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, body = '']) => body);
  gate = await RunningGate.start(`version = 1\n${block('toml').join('\n')}`);
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
after(() => gate.stop());

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
  const text = await readFile('../../docs/mcp.md', 'utf8');
  for (const { name } of tools) assert.ok(text.includes(`| \`${name}\` |`), name);
  await client.close();
});

test('every command line starts, and its calls are gated', async () => {
  assert.equal(lines.length, 3);
  const server = await RecordingServer.start();
  const children: ChildProcess[] = [];
  try {
    for (const [program, subcommand = '', ...rest] of lines) {
      assert.equal(program, 'handraise-mcp');
      const words = rest.map((word) => (/^https?:/.test(word) ? server.url : word === '4800' ? '0' : word));
      const [command = '', ...args] = handraiseMcp(gate, subcommand, ...words, '--timeout', '1');
      server.requests.length = 0;
      const child = spawn(command, args, {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, TOKEN: 'secret-of-the-test' },
      });
      children.push(child);
      const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
      const next = async () => JSON.parse(String((await answers.next()).value)) as { url: string };
      const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{}}}';
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      let answer: string;
      if (words.includes('--listen')) {
        answer = await (await fetch((await next()).url, { method: 'POST', headers, body: call })).text();
      } else {
        child.stdin.write(`${call}\n`);
        answer = JSON.stringify(await next());
        const token = words.includes('--header') ? 'Bearer secret-of-the-test' : undefined;
        assert.equal(server.requests[0]?.headers.authorization, token);
      }
      assert.match(answer, /Denied: /);
      assert.deepEqual(server.arrived('tools/call'), []);
    }
  } finally {
    for (const child of children) child.kill();
    server.stop();
  }
});
