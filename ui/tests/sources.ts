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

/** What each file or folder imports. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** Every circle of files that import each other, as `a.ts → b.ts → a.ts`. */
export function circles(all: readonly Source[]): string[] {
  const known = new Map(all.map((source) => [source.path, source]));
  return circlesOf(
    new Map(all.map((source) => [source.path, new Set(imported(source, known).map(({ path }) => path))])),
  );
}

/** Every circle of the folders and files that lie beside each other, with all that is in them. Tests import what they like. */
export function folderCircles(all: readonly Source[]): string[] {
  const known = new Map(all.map((source) => [source.path, source]));
  const beside = new Map<string, Map<string, Set<string>>>();
  for (const source of all.filter(({ path }) => !path.endsWith('.test.ts'))) {
    for (const { path } of imported(source, known)) {
      const [own, other] = [source.path.split('/'), path.split('/')];
      const shared = own.findIndex((name, depth) => name !== other[depth]);
      const folder = own.slice(0, shared).join('/');
      const imports = beside.get(folder) ?? new Map<string, Set<string>>();
      beside.set(folder, imports);
      const [from, to] = [own, other].map((names) => names.slice(0, shared + 1).join('/')) as [
        string,
        string,
      ];
      imports.set(from, (imports.get(from) ?? new Set<string>()).add(to));
    }
  }
  return [...beside.values()].flatMap(circlesOf);
}

function circlesOf(imports: Imports): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const follow = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) return void found.push([...way.slice(start), path].join(' → '));
    if (done.has(path)) return;
    for (const next of imports.get(path) ?? []) follow(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) follow(path, []);
  return found;
}
