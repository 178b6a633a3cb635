// The package as it is published: packed, installed into an empty project, and its README tried out.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { type Approver } from 'handraise';

import { RunningGate } from './running-gate.js';

const run = promisify(execFile);
const root = resolve('.');

let gate: RunningGate;
let project: string;
/** The file that `npm pack` makes. */
let packed: string;
before(async () => {
  gate = await RunningGate.start('version = 1\n');
  project = await mkdtemp(join(tmpdir(), 'handraise-package-'));
  const { stdout } = await run(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', project],
    {
      cwd: root,
    },
  );
  await writeFile(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  packed = stdout.trim().split('\n').at(-1) ?? '';
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${packed}`];
  await run('npm', install, { cwd: project });
});
after(async () => {
  await gate.stop();
  await rm(project, { recursive: true, force: true });
});

/** A person who approves whatever comes. */
async function approveAll(approver: Approver, signal: AbortSignal): Promise<void> {
  const answer = async () => {
    for (const approval of (await approver.list()).approvals)
      await approver.approve(approval).catch(() => undefined);
  };
  const onOpen = () => void answer();
  for await (const { event } of approver.events({ signal, onOpen })) {
    if (event.type === 'approval_requested') await approver.approve(event.approval).catch(() => undefined);
  }
}

test('nothing else comes along, and nothing that is not needed', async () => {
  const installed = (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed, ['handraise']);
  const files = await readdir(join(project, 'node_modules/handraise'));
  assert.deepEqual(files.sort(), [
    'LICENSE-APACHE',
    'LICENSE-MIT',
    'README.md',
    'dist',
    'examples',
    'package.json',
  ]);
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) {
    const packed = await readFile(join(project, 'node_modules/handraise', name), 'utf8');
    assert.equal(packed, await readFile(join(root, '../..', name), 'utf8'), name);
  }
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
});

test('the lock has every package that one in it names, for every system', async () => {
  type Locked = Record<'dependencies' | 'optionalDependencies', Record<string, string> | undefined>;
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  // npm 11 refuses a lock without them, npm 10 does not.
  for (const [path, { dependencies, optionalDependencies }] of Object.entries(packages)) {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const places = path
        .split('/node_modules/')
        .map((_, at, parts) => parts.slice(0, at + 1).join('/node_modules/'));
      const found = ['', ...places.map((place) => `${place}/`)].some(
        (place) => packages[`${place}node_modules/${name}`.replace(/^\//, '')] !== undefined,
      );
      assert.ok(found, `${path} needs ${name}`);
    }
  }
});

test('links of the README lead somewhere from anywhere', async () => {
  const readme = await readFile(join(project, 'node_modules/handraise/README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  assert.ok(links.length > 0);
  const own = /^(https:\/\/github\.com\/handraise\/handraise(\/|$)|#)/;
  assert.deepEqual(
    links.filter((link) => !own.test(link)),
    [],
  );
});

test('the examples run from the package, on this Node.js or on the one in NODE_OF_EXAMPLES', async () => {
  const path = join(project, 'node_modules/handraise/dist/examples/agent-loop.js');
  const folders = ['--config-dir', gate.folders.config, '--runtime-dir', gate.folders.runtime];
  const person = new AbortController();
  const approving = approveAll(gate.approver(), person.signal);
  const node = process.env['NODE_OF_EXAMPLES'] ?? process.execPath;
  const { stdout } = await run(node, [path, ...folders], { cwd: project });
  person.abort();
  await approving;
  assert.match(stdout, /^Done: sent to ann@example\.org; sent to bob@example\.org/);
});

test('what the documents say about installing installs', async () => {
  const documents = await Promise.all(
    ['README.md', '../../docs/mcp.md'].map((path) => readFile(join(root, path), 'utf8')),
  );
  const blocks = documents.flatMap((text) => [...text.matchAll(/^```sh\n([^]*?)^```$/gm)]);
  const lines = blocks.flatMap(([, block = '']) => block.trim().split('\n'));
  const installing = lines.filter((line) => line.includes('npm '));
  assert.deepEqual(installing.map((line) => line.replaceAll(packed, 'PACKED')).sort(), [
    'cd handraise/sdk/typescript && npm ci && npm pack   # makes PACKED',
    'cd handraise/sdk/typescript && npm ci && npm pack   # makes PACKED',
    'cd ~/my-agent && npm install ~/handraise/sdk/typescript/PACKED',
    'npm install --global ./PACKED',
  ]);
  // The others have run already: `npm pack` and `npm install FILE` above. A prefix stands in the place of the system's.
  const prefix = join(project, 'global');
  const words = [
    'install',
    '--global',
    `./${packed}`,
    '--prefix',
    prefix,
    '--offline',
    '--no-audit',
    '--no-fund',
  ];
  await run('npm', words, { cwd: project });
  const { stdout } = await run(join(prefix, 'bin/handraise-mcp'), ['--version']);
  assert.equal(stdout, `handraise-mcp ${packed.replace(/^handraise-(.*)\.tgz$/, '$1')}\n`);
  // Beside them, the README shows the example that runs in the next test.
  const others = lines.filter((line) => !line.includes('npm ') && !line.startsWith('handraise-mcp proxy '));
  assert.deepEqual(others, ['node node_modules/handraise/dist/examples/agent-loop.js']);
});

test('nothing in the README is left untried', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const languages = [...readme.matchAll(/^```(\S*)\n[^]*?^```$/gm)].map(([, language = '']) => language);
  // `js` and `sh` in this file, `ts` in adapters-tests.
  const count = (language: string) => languages.filter((one) => one === language).length;
  assert.deepEqual(['js', 'sh', 'ts'].map(count), [6, 2, 5]);
  assert.equal(languages.length, 13);
});

test('the code of the README runs', async () => {
  const readme = await readFile(join(project, 'node_modules/handraise/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  assert.equal(blocks.length, 6);
  const person = new AbortController();
  const approving = approveAll(gate.approver(), person.signal);
  const printed: string[] = [];
  for (const [index, block] of blocks.entries()) {
    // The only change: the gate of this test stands in the place of the user's own.
    const client = `new TestClient({ folders: ${JSON.stringify(gate.folders)} })`;
    const code = block
      .replaceAll('new Client()', client)
      .replaceAll('new Gate({', `new Gate({ client: ${client},`)
      .replaceAll(
        'new HandraiseApprovalHandler({',
        `new HandraiseApprovalHandler({ gate: new TestGate({ client: ${client} }),`,
      );
    const prelude = `import { Client as TestClient, Gate as TestGate } from 'handraise';\n`;
    const path = join(project, `example-${index}.js`);
    await writeFile(path, prelude + code);
    printed.push((await run(process.execPath, [path], { cwd: project })).stdout);
  }
  person.abort();
  await approving;
  assert.deepEqual(
    printed.map((text) => text.trim().split('\n')),
    [
      ['published 1.0.0'],
      ['three fixes', 'sent to ann@example.org'],
      [printed[2]?.split('\n')[0], 'approved'],
      ['published 1.0.0'],
      ['Approval decision: module=payments.send status=pending', 'later, with _approval_token: string'],
      ['allow', 'deploy to staging first'],
    ],
  );
  assert.match(printed[2] ?? '', /^ask /);
});
