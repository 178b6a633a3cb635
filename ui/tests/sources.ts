import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** A source file of the user interface. */
export type Source = { path: string; text: string };

const ROOT = join(import.meta.dirname, '..', 'src');

/** Every hand-written source file, by its path below `src`. */
export function sources(): Source[] {
  return readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .map((name) => join(ROOT, name))
    .filter((path) => /\.(ts|svelte|css)$/.test(path))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }))
    .filter(({ path }) => !/^(generated|paraglide)\//.test(path));
}

/** The files that a file imports, types included; itself left out, since what is drawn within itself may be itself. */
function imported({ path, text }: Source, known: ReadonlyMap<string, Source>): Source[] {
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, name = '']) =>
    normalize(join(dirname(path), name)),
  );
  return named.flatMap((name) => {
    const file = ['', '.ts', '/index.ts'].map((ending) => known.get(`${name}${ending}`)).find(Boolean);
    return file && file.path !== path ? [file] : [];
  });
}

/** Every circle of files that import each other, as `a.ts → b.ts → a.ts`. */
export function circles(all: readonly Source[]): string[] {
  const known = new Map(all.map((source) => [source.path, source]));
  const done = new Set<string>();
  const found: string[] = [];
  const follow = (source: Source, way: readonly string[]): void => {
    const start = way.indexOf(source.path);
    if (start >= 0) return void found.push([...way.slice(start), source.path].join(' → '));
    if (done.has(source.path)) return;
    for (const next of imported(source, known)) follow(next, [...way, source.path]);
    done.add(source.path);
  };
  for (const source of all) follow(source, []);
  return found;
}
