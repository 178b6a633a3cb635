// The packages of the adapters as they are published: packed, installed beside the packed core, and held against the
// frameworks that are installed here. `make test` installs OpenCode's, `make test-adapters` all of them.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import {
  type Project,
  blocksOf,
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

const names = readdirSync('adapters').filter((name) => existsSync(join('adapters', name, 'package.json')));
/** The frameworks, where `make test-adapters` has installed them. */
const frameworks = join(root, 'adapters-tests/node_modules');

interface Manifest {
  name: string;
  version: string;
  license: string;
  repository: { directory: string };
  engines: object;
  exports: object;
  dependencies?: object;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}
const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
const core = manifestIn('.');

let project: Project;
const installed = (name: string) => join(project.folder, 'node_modules/@handraise', name);
const readmeOf = (name: string) => readFile(join(installed(name), 'README.md'), 'utf8');

before(async () => {
  project = await install('.', ...names.map((name) => `./adapters/${name}`));
  // A plugin is written with the package of its host, which brings that along.
  const plugin = 'node_modules/@opencode-ai/plugin';
  await mkdir(join(project.folder, 'node_modules/@opencode-ai'));
  await symlink(join(root, plugin), join(project.folder, plugin));
});
after(() => rm(project.folder, { recursive: true, force: true }));

test('each adapter is a package of its own, with nothing that is not needed', async () => {
  assert.equal(names.length, 8);
  for (const name of names) {
    const files = ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'dist', 'package.json'];
    assert.deepEqual(await filesOf(project, `@handraise/${name}`), files);
    assert.deepEqual(await otherLicences(project, `@handraise/${name}`), []);
    const manifest = manifestIn(installed(name));
    assert.equal(manifest.name, `@handraise/${name}`);
    const same = ({ version, license, engines }: Manifest) => ({ version, license, engines });
    assert.deepEqual(same(manifest), same(core));
    assert.equal(manifest.repository.directory, `sdk/typescript/adapters/${name}`);
    const types = './dist/index.d.ts';
    assert.deepEqual(manifest.exports, { '.': { types, default: './dist/index.js' } });
    for (const file of [types, './dist/index.js']) assert.ok(existsSync(join(installed(name), file)), file);
    assert.deepEqual([manifest.dependencies, manifest.devDependencies], [undefined, undefined]);
  }
});

/** Whether `version` is in a range such as `^1.2.3`. */
function isIn(range: string, version: string): boolean {
  const numbers = (text: string) => text.split('.').map(Number) as [number, number, number];
  assert.match(range, /^\^\d+\.\d+\.\d+$/);
  const [from, at] = [numbers(range.slice(1)), numbers(version)];
  const fixed = from[0] === 0 ? 2 : 1;
  const first = from.findIndex((number, index) => number !== at[index]);
  return first === -1 || (first >= fixed && (at[first] ?? 0) > (from[first] ?? 0));
}

test('each needs the core and its framework, in versions that are tried', () => {
  assert.deepEqual(
    [isIn('^1.2.3', '1.3.0'), isIn('^1.2.3', '1.2.2'), isIn('^0.2.3', '0.3.0'), isIn('^0.2.3', '0.2.3')],
    [true, false, false, true],
  );
  const tried = { ...core.devDependencies, ...manifestIn('adapters-tests').devDependencies };
  for (const name of names) {
    const { handraise, ...others } = manifestIn(join('adapters', name)).peerDependencies;
    assert.equal(handraise, `^${core.version}`);
    // What is in the manner of apcore needs nothing of apcore's.
    assert.equal(Object.keys(others).length, name === 'apcore' ? 0 : 1, name);
    for (const [framework, range] of Object.entries(others)) {
      assert.ok(isIn(range, tried[framework] ?? ''), `${name}: ${framework} ${range}`);
    }
  }
});

test('each is loaded beside the packed core', async () => {
  const program = `for (const name of ${JSON.stringify(names)}) {
    const loaded = await import('@handraise/' + name);
    console.log(name, Object.values(loaded).filter((value) => typeof value === 'function').length > 0);
  }`;
  const path = join(project.folder, 'load.js');
  await writeFile(path, program);
  const { stdout } = await run(process.execPath, [path], { cwd: project.folder });
  assert.deepEqual(
    stdout.trim().split('\n'),
    names.map((name) => `${name} true`),
  );
});

/** What the compiler says about a folder of the project with a `tsconfig.json`; nothing is well. */
async function compiled(folder: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, '-p', folder, '--noEmit']).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

test('the types of each are whole, and those for OpenCode are OpenCode’s', async () => {
  const folder = join(project.folder, 'types');
  await mkdir(folder);
  const all = names.map((name, index) => `export * as all${index} from '@handraise/${name}';\n`);
  const opencode = `import type { Plugin } from '@opencode-ai/plugin';
    import { Handraise } from '@handraise/opencode';
    export const plugin: Plugin = Handraise;\n`;
  await writeFile(join(folder, 'all.ts'), all.join(''));
  await writeFile(join(folder, 'opencode.ts'), opencode);
  for (const [index, block] of blocksOf(await readmeOf('opencode'), 'ts').entries()) {
    await writeFile(join(folder, `opencode-${index}.ts`), block);
  }
  const typeRoots = [join(root, 'node_modules/@types')];
  const options = {
    noEmit: true,
    strict: true,
    module: 'NodeNext',
    target: 'ES2022',
    types: ['node'],
    typeRoots,
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: ['.'] }),
  );
  assert.equal(await compiled(folder), '');
  // A mistake is seen.
  await writeFile(
    join(folder, 'wrong.ts'),
    "import { gateTools } from '@handraise/mastra';\ngateTools(1);\n",
  );
  assert.match(await compiled(folder), /wrong\.ts/);
});

test('the types fit the frameworks', { skip: !existsSync(frameworks) && 'make test-adapters' }, async () => {
  const folder = join(project.folder, 'adapters-tests');
  await mkdir(folder);
  for (const name of ['tsconfig.json', 'adapters-tests/tsconfig.json', 'tests/running-gate.ts']) {
    await cp(join(root, name), join(project.folder, name));
  }
  for (const name of ['tests', 'examples']) {
    await cp(join(root, 'adapters-tests', name), join(folder, name), { recursive: true });
  }
  await symlink(frameworks, join(folder, 'node_modules'));
  const [claude = ''] = blocksOf(await readmeOf('claude-agent-sdk'), 'ts');
  await writeFile(join(folder, 'examples/claude-agent-sdk.ts'), claude);
  assert.equal(await compiled(folder), '');
});

test('links of each README lead somewhere from anywhere', async () => {
  for (const name of names) {
    const readme = await readmeOf(name);
    assert.ok(readme.includes(']('), name);
    assert.deepEqual(lostLinks(readme), [], name);
  }
});

test('what each README says about installing is what was installed', async () => {
  const [ofCore, ...packed] = project.packed;
  for (const [index, name] of names.entries()) {
    const project = name === 'opencode' ? '~/my-project/.opencode' : '~/my-agent';
    const from = '~/handraise/sdk/typescript';
    assert.deepEqual(blocksOf(await readmeOf(name), 'sh'), [
      `cd handraise/sdk/typescript && npm ci && npm pack . ./adapters/${name}
cd ${project} && npm install ${from}/${ofCore} ${from}/${packed[index]}\n`,
    ]);
  }
});

test('nothing in a README is left untried', async () => {
  for (const name of names) {
    // `ts` runs or is compiled in adapters-tests, that of OpenCode and the Claude Agent SDK above; `js` runs below.
    const expected = { apcore: ['js', 'sh'], opencode: ['ts', 'sh', 'ts'] }[name] ?? ['ts', 'sh'];
    assert.deepEqual(languagesOf(await readmeOf(name)), expected, name);
  }
});

test('the code of the README for apcore runs', async () => {
  const gate = await RunningGate.start('version = 1\n');
  try {
    assert.deepEqual(await runBlocks(project, await readmeOf('apcore'), gate), [
      ['Approval decision: module=payments.send status=pending', 'later, with _approval_token: string'],
    ]);
  } finally {
    await gate.stop();
  }
});
