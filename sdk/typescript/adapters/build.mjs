// Builds the packages of this folder. `npm run build` has built the core before.
//
// They find the core, and the tests find them, by links in node_modules, as if all were installed. npm's workspaces are not
// used for that: npm would install the framework of every package, and makes no link to the package at the root.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const adapters = dirname(fileURLToPath(import.meta.url));
const core = dirname(adapters);
const names = readdirSync(adapters).filter((name) => existsSync(join(adapters, name, 'package.json')));

link('handraise', core);
for (const name of names) link(`@handraise/${name}`, join(adapters, name));

// All at once, which takes a fifth of the time; then each package gets its own.
const compiler = join(core, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', adapters], { stdio: 'inherit' });
for (const name of names) {
  const dist = join(adapters, name, 'dist');
  rmSync(dist, { recursive: true, force: true });
  renameSync(join(adapters, 'build', name, 'src'), dist);
}
rmSync(join(adapters, 'build'), { recursive: true });

/** Puts the package `name` where installed ones are. */
function link(name, folder) {
  const path = join(core, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  symlinkSync(relative(dirname(path), folder), path, 'junction');
}
