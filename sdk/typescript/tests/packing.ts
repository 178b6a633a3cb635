// Packages as they are published: packed, installed into a project of its own, and their READMEs tried out.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { type Approver } from 'handraise';

import { type RunningGate } from './running-gate.js';

export const run = promisify(execFile);
/** The folder of the core. */
export const root = resolve('.');

/** A project with nothing in it but packages that were packed. */
export interface Project {
  folder: string;
  /** The files that `npm pack` has made. */
  packed: string[];
}

/** Packs the packages in `folders` and installs them. What they need of others is not there: it takes a network. */
export async function install(...folders: string[]): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'handraise-package-'));
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...folders];
  const { stdout } = await run('npm', pack, { cwd: root });
  const packed = stdout.trim().split('\n');
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  const flags = ['--offline', '--no-audit', '--no-fund', '--silent', '--legacy-peer-deps'];
  await run('npm', ['install', ...flags, ...packed.map((file) => `./${file}`)], { cwd: folder });
  return { folder, packed };
}

/** What is in the folder of an installed package. */
export async function filesOf({ folder }: Project, name: string): Promise<string[]> {
  return (await readdir(join(folder, 'node_modules', name))).sort();
}

/** The licences of an installed package that are not those of the repository. */
export async function otherLicences({ folder }: Project, name: string): Promise<string[]> {
  const other: string[] = [];
  for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) {
    const packed = await readFile(join(folder, 'node_modules', name, licence), 'utf8');
    if (packed !== (await readFile(join(root, '../..', licence), 'utf8'))) other.push(`${name}: ${licence}`);
  }
  return other;
}

/** Links that lead nowhere when the text stands elsewhere than in the repository. */
export function lostLinks(readme: string): string[] {
  const own = /^(https:\/\/github\.com\/handraise\/handraise(\/|$)|#)/;
  return [...readme.matchAll(/\]\(([^)]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !own.test(link));
}

/** The languages of the blocks of code. */
export function languagesOf(readme: string): string[] {
  return [...readme.matchAll(/^```(\S*)\n[^]*?^```$/gm)].map(([, language = '']) => language);
}

/** The blocks of code in `language`. */
export function blocksOf(readme: string, language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
}

/** Runs the JavaScript of a README in the project, while a person approves whatever comes. Gives the lines of each. */
export async function runBlocks(project: Project, readme: string, gate: RunningGate): Promise<string[][]> {
  const person = new AbortController();
  const approving = approveAll(gate.approver(), person.signal);
  const printed: string[][] = [];
  for (const [index, block] of blocksOf(readme, 'js').entries()) {
    // The only change: the gate of this test stands in the place of the user's own.
    const client = `new TestClient({ folders: ${JSON.stringify(gate.folders)} })`;
    const code = block
      .replaceAll('new Client()', client)
      .replaceAll('new Gate({', `new Gate({ client: ${client},`)
      .replaceAll(
        'new HandraiseApprovalHandler({',
        `new HandraiseApprovalHandler({ gate: new TestGate({ client: ${client} }),`,
      );
    const prelude = `import { Client as TestClient, Gate as TestGate } from 'handraise';\n`;
    const path = join(project.folder, `example-${index}.js`);
    await writeFile(path, prelude + code);
    const { stdout } = await run(process.execPath, [path], { cwd: project.folder });
    printed.push(stdout.trim().split('\n'));
  }
  person.abort();
  await approving;
  return printed;
}

/** A person who approves whatever comes. */
export async function approveAll(approver: Approver, signal: AbortSignal): Promise<void> {
  const answer = async () => {
    for (const approval of (await approver.list()).approvals)
      await approver.approve(approval).catch(() => undefined);
  };
  const onOpen = () => void answer();
  for await (const { event } of approver.events({ signal, onOpen })) {
    if (event.type === 'approval_requested') await approver.approve(event.approval).catch(() => undefined);
  }
}
