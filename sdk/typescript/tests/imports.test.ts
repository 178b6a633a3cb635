// What imports what: no file of the package needs, through others, itself. Types count.

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
