import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

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
