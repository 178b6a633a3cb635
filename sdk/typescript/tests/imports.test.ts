// What imports what: no file of the package needs, through others, itself. Types count. The core needs nothing but Node.js,
// and an adapter nothing but the entry points of the core and its framework.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
function packagesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^(?:import|export) .*?from '([^.'][^']*)'|import\('([^.'][^']*)'\)/gms)]
    .map(([, stated = '', dynamic = '']) => stated || dynamic)
    .filter((name) => !name.startsWith('node:'));
}

test('the core loads no other design, and no package', () => {
  const isDesign = (file: string) => file.startsWith('designs/');
  assert.ok(files.filter(isDesign).length > 4, 'the other designs were not found');
  for (const entry of ['index.ts', 'adapter/index.ts', 'handlers/index.ts', 'mcp/index.ts']) {
    const all = [...loaded(entry)];
    assert.ok(all.length > 10, `the imports of ${entry} were not found`);
    assert.deepEqual(all.filter(isDesign), [], entry);
  }
  // Where the rest of the package never imports one, no way of loading it brings one.
  const core = files.filter((file) => !isDesign(file));
  assert.deepEqual(
    core.filter((file) => imports.get(file)?.some(isDesign)),
    [],
  );
  assert.deepEqual(
    files.flatMap((file) => packagesOf(join('src', file)).map((name) => `${file}: ${name}`)),
    [],
  );
});

test('every other design is an entry point of its own, and every entry point a file', () => {
  const { exports, dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, { types: string; default: string }>;
    dependencies?: object;
    peerDependencies?: object;
  };
  assert.deepEqual([dependencies, peerDependencies], [undefined, undefined]);
  const entries = Object.entries(exports).map(([name, { default: file }]) => {
    const source = file.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts');
    assert.ok(files.includes(source), `${name}: ${source}`);
    return [name, source] as const;
  });
  const designs = entries.filter(([, source]) => source.startsWith('designs/'));
  for (const [name, source] of designs) {
    assert.equal(source.replace(/^designs\//, './').replace(/(\/index)?\.ts$/, ''), name);
  }
  const loadedByOne = new Set(designs.flatMap(([, source]) => [...loaded(source)]));
  assert.deepEqual(
    files.filter((file) => file.startsWith('designs/') && !loadedByOne.has(file)),
    [],
  );
});

/** The source files of each adapter. */
const adapters = new Map(
  readdirSync('adapters')
    .filter((name) => existsSync(join('adapters', name, 'package.json')))
    .map((name) => {
      const folder = join('adapters', name, 'src');
      return [name, readdirSync(folder).map((file) => join(folder, file))];
    }),
);

test('an adapter imports the core by its entry points, its framework, and nothing else', () => {
  assert.equal(adapters.size, 8);
  for (const [name, sources] of adapters) {
    const manifest = readFileSync(join('adapters', name, 'package.json'), 'utf8');
    const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: object };
    // `handraise` is among what a package needs. An executor of apcore asks the handlers of the core.
    const ofCore = ['handraise/adapter', ...(name === 'apcore' ? ['handraise/handlers'] : [])];
    const allowed = [...Object.keys(peerDependencies), ...ofCore];
    const found = new Set(sources.flatMap(packagesOf));
    assert.ok(found.has('handraise') && found.has('handraise/adapter'), name);
    assert.deepEqual(
      [...found].filter((other) => !allowed.includes(other)),
      [],
      name,
    );
    for (const source of sources) {
      const texts = [...readFileSync(source, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)\.js'/g)];
      const beside = texts.map(([, path = '']) => `${join(dirname(source), path)}.ts`);
      assert.deepEqual(
        beside.filter((file) => !sources.includes(file)),
        [],
        source,
      );
    }
  }
});

test('what an adapter is built with is what adapters use, and the README says what for', async () => {
  const given = Object.keys(await import('handraise/adapter'));
  assert.ok(given.length > 10, 'the entry point was not found');
  const texts = [...adapters.values()].flat().map((file) => readFileSync(file, 'utf8'));
  const imported = texts.flatMap((text) => {
    const [, list = ''] = /import \{([^}]*)\} from 'handraise\/adapter'/.exec(text) ?? [];
    return list.split(',').map((name) => name.trim());
  });
  assert.deepEqual(
    given.filter((name) => !imported.includes(name)),
    [],
  );
  const readme = readFileSync('README.md', 'utf8');
  const section = readme.slice(
    readme.indexOf('### Write an adapter'),
    readme.indexOf('## Gate a batch of calls'),
  );
  assert.deepEqual(
    given.filter((name) => !section.includes(`\`${name}\``)),
    [],
  );
});
