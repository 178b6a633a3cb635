import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A browser, and the options that it needs to run. */
export type Program = { path: string; options: string[] };

/** What distributions call it. Ubuntu's `chromium-browser` only points at a snap. */
const NAMES = ['chromium', 'google-chrome-stable', 'google-chrome'];
/** Where `scripts/setup` puts a Chromium that comes inside of a package, where the distribution has none. */
const PACKAGE = join(import.meta.dirname, '../../../.tools/node_modules/@sparticuz/chromium/build/index.js');

/** A Chromium of this machine, or none. */
export async function chromiumProgram(): Promise<Program | undefined> {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  const path = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) =>
    existsSync(file),
  );
  if (path !== undefined) return { path, options: [] };
  if (!existsSync(PACKAGE)) return undefined;
  type Packed = { default: { executablePath(): Promise<string>; args: string[] } };
  const packed = ((await import(pathToFileURL(PACKAGE).href)) as Packed).default;
  return { path: await packed.executablePath(), options: packed.args };
}
