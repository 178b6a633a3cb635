// What imports what: no file of the package needs, through others, itself. Types count. The core needs no adapter, and
// nothing but Node.js.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const files = (readdirSync('src', { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join('src', file), 'utf8');
    const named = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)\.js'/g)];
    return [file, named.map(([, path = '']) => `${join(dirname(file), path)}.ts`)];
  }),
);

/** The first circle that is met from `file`, as the files in it. */
function circleFrom(file: string, path: readonly string[], done: Set<string>): readonly string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const next of imports.get(file) ?? []) {
    const found = circleFrom(next, [...path, file], done);
    if (found) return found;
  }
  done.add(file);
  return undefined;
}

test('no file needs itself', () => {
  const all = [...imports.values()].flat();
  assert.ok(all.length > 100, 'the imports were not found');
  assert.deepEqual(
    all.filter((file) => !imports.has(file)),
    [],
    'every import is a file',
  );
  const done = new Set<string>();
  for (const file of files) assert.equal(circleFrom(file, [], done)?.join(' > '), undefined);
});

/** All files that `entry` loads. */
function loaded(entry: string): Set<string> {
  const found = new Set<string>([entry]);
  for (const file of found) for (const next of imports.get(file) ?? []) found.add(next);
  return found;
}

/** What a file imports from elsewhere, types included. */
function packagesOf(file: string): string[] {
  const text = readFileSync(join('src', file), 'utf8');
  return [...text.matchAll(/^(?:import|export) .*?from '([^.'][^']*)'|import\('([^.'][^']*)'\)/gms)]
    .map(([, stated = '', dynamic = '']) => stated || dynamic)
    .filter((name) => !name.startsWith('node:'));
}

test('the core loads no adapter and no package', () => {
  const isAdapter = (file: string) => file.startsWith('adapters/');
  assert.ok(files.filter(isAdapter).length > 5, 'the adapters were not found');
  for (const entry of ['index.ts', 'handlers/index.ts', 'mcp/index.ts']) {
    const all = [...loaded(entry)];
    assert.ok(all.length > 10, `the imports of ${entry} were not found`);
    assert.deepEqual(all.filter(isAdapter), [], entry);
  }
  // Where the rest of the package never imports an adapter, no way of loading it brings one.
  const core = files.filter((file) => !isAdapter(file));
  assert.deepEqual(
    core.filter((file) => imports.get(file)?.some(isAdapter)),
    [],
  );
  const loadedByCore = new Set([...loaded('index.ts'), ...loaded('handlers/index.ts')]);
  assert.deepEqual(
    [...loadedByCore].flatMap((file) => packagesOf(file).map((name) => `${file}: ${name}`)),
    [],
  );
  // The search does find packages: a plugin is written with the package of its host.
  assert.deepEqual(packagesOf('adapters/opencode.ts'), ['@opencode-ai/plugin']);
});

test('every adapter is an entry point of its own, and every entry point a file', () => {
  const { exports, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, { types: string; default: string }>;
    dependencies?: object;
  };
  assert.equal(dependencies, undefined);
  const entries = Object.entries(exports).map(([name, { default: file }]) => {
    const source = file.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts');
    assert.ok(files.includes(source), `${name}: ${source}`);
    return [name, source] as const;
  });
  const adapters = entries.filter(([, source]) => source.startsWith('adapters/'));
  for (const [name, source] of adapters) {
    assert.equal(source.replace(/^adapters\//, './').replace(/(\/index)?\.ts$/, ''), name);
  }
  const loadedByOne = new Set(adapters.flatMap(([, source]) => [...loaded(source)]));
  assert.deepEqual(
    files.filter((file) => file.startsWith('adapters/') && !loadedByOne.has(file)),
    [],
  );
});
