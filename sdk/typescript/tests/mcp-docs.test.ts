// The configurations in docs/mcp.md, started as a client would start them.

import assert from 'node:assert/strict';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { connect, emptyFolder, handraiseMcp, serverCommand, textOf } from './mcp-support.js';
import { RunningGate } from './running-gate.js';

interface Configuration {
  mcpServers?: Record<string, { command: string; args: string[] }>;
  mcp?: Record<string, { command: string[] }>;
}

let gate: RunningGate;
let commands: string[][];
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
