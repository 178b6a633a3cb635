// The package as it is published: packed, installed into an empty project, and its README tried out.

import assert from 'node:assert/strict';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import {
  type Project,
  approveAll,
  filesOf,
  install,
  languagesOf,
  lostLinks,
  otherLicences,
  root,
  run,
  runBlocks,
} from './packing.js';
import { RunningGate } from './running-gate.js';

let gate: RunningGate;
let project: Project;
/** The README as it is packed. */
let readme: string;
before(async () => {
  gate = await RunningGate.start('version = 1\n');
  project = await install('.');
  readme = await readFile(join(project.folder, 'node_modules/handraise/README.md'), 'utf8');
});
after(async () => {
  await gate.stop();
  await rm(project.folder, { recursive: true, force: true });
});

test('nothing else comes along, and nothing that is not needed', async () => {
  const installed = (await readdir(join(project.folder, 'node_modules'))).filter(
    (name) => !name.startsWith('.'),
  );
  assert.deepEqual(installed, ['handraise']);
  assert.deepEqual(await filesOf(project, 'handraise'), [
    'LICENSE-APACHE',
    'LICENSE-MIT',
    'README.md',
    'dist',
    'examples',
    'package.json',
  ]);
  assert.deepEqual(await otherLicences(project, 'handraise'), []);
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  assert.deepEqual([manifest.dependencies, manifest.peerDependencies], [undefined, undefined]);
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

test('links of the README lead somewhere from anywhere', () => {
  assert.ok(readme.includes(']('));
  assert.deepEqual(lostLinks(readme), []);
});

test('the examples run from the package, on this Node.js or on the one in NODE_OF_EXAMPLES', async () => {
  const path = join(project.folder, 'node_modules/handraise/dist/examples/agent-loop.js');
  const folders = ['--config-dir', gate.folders.config, '--runtime-dir', gate.folders.runtime];
  const person = new AbortController();
  const approving = approveAll(gate.approver(), person.signal);
  const node = process.env['NODE_OF_EXAMPLES'] ?? process.execPath;
  const { stdout } = await run(node, [path, ...folders], { cwd: project.folder });
  person.abort();
  await approving;
  assert.match(stdout, /^Done: sent to ann@example\.org; sent to bob@example\.org/);
});

test('what the documents say about installing installs', async () => {
  const [packed = ''] = project.packed;
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
  const prefix = join(project.folder, 'global');
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
  await run('npm', words, { cwd: project.folder });
  const { stdout } = await run(join(prefix, 'bin/handraise-mcp'), ['--version']);
  assert.equal(stdout, `handraise-mcp ${packed.replace(/^handraise-(.*)\.tgz$/, '$1')}\n`);
  // Beside them, the README shows the example that runs in the next test.
  const others = lines.filter((line) => !line.includes('npm ') && !line.startsWith('handraise-mcp proxy '));
  assert.deepEqual(others, ['node node_modules/handraise/dist/examples/agent-loop.js']);
});

test('nothing in the README is left untried', () => {
  // All of it in this file.
  const languages = languagesOf(readme);
  const count = (language: string) => languages.filter((one) => one === language).length;
  assert.deepEqual(['js', 'sh'].map(count), [6, 2]);
  assert.equal(languages.length, 8);
});

test('the code of the README runs', async () => {
  const printed = await runBlocks(project, readme, gate);
  assert.deepEqual(printed, [
    ['published 1.0.0'],
    ['sent to ann@example.org'],
    ['three fixes', 'sent to ann@example.org'],
    [printed[3]?.[0], 'approved'],
    ['published 1.0.0'],
    ['allow', 'deploy to staging first'],
  ]);
  assert.match(printed[3]?.[0] ?? '', /^ask /);
});
