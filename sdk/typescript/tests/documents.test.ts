// The documents of the repository: what they point to is there, and what they say about rules is so.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

import { PROGRAM } from './running-gate.js';

const ROOT = resolve('../..');
/** The folders of the packages for frameworks. */
const ADAPTERS = readdirSync(join(ROOT, 'sdk/typescript/adapters'))
  .map((name) => join('sdk/typescript/adapters', name))
  .filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...(readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  ...['ui', 'icons', 'sdk/typescript', 'sdk/python', ...ADAPTERS].map((folder) => join(folder, 'README.md')),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** Where GitHub shows a file of the repository, or a folder. */
const OWN = /^https:\/\/github\.com\/handraise\/handraise\/(?:tree|blob)\/main\//;

/** What stands outside of blocks of code. */
function prose(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

/** The anchor of each heading, as GitHub makes it. */
function anchors(text: string): string[] {
  const headings = [...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link leads to a page, and to a heading of it', () => {
  assert.ok(pages.length > 25, 'the pages were not found');
  const broken: string[] = [];
  let count = 0;
  for (const { path, text } of pages) {
    for (const [, link = ''] of prose(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      // A README that is published names a place of the repository in whole. What a folder shows is its README.
      const within = link.replace(OWN, '');
      if (/^[a-z]+:/.test(within)) continue;
      count += 1;
      const [file = '', anchor] = within.replace(/#readme$/, '').split('#');
      const target = within !== link ? file : file === '' ? path : join(dirname(path), file);
      const page = pages.find((one) => [target, join(target, 'README.md')].includes(one.path));
      if (!existsSync(join(ROOT, target))) broken.push(`${path}: ${link}`);
      if (anchor !== undefined && page && !anchors(page.text).includes(anchor))
        broken.push(`${path}: ${link}`);
    }
  }
  assert.ok(count > 60, 'the links were not found');
  assert.deepEqual(broken, []);
});

test('every file of the repository that a page names is there', () => {
  const named = /`((?:crates|docs|icons|scripts|sdk|src-tauri|tests|ui)\/[\w./-]+)`/g;
  const missing: string[] = [];
  let count = 0;
  for (const { path, text } of pages) {
    if (path === 'CHANGELOG.md') continue;
    for (const [, file = ''] of prose(text).matchAll(named)) {
      count += 1;
      if (!existsSync(join(ROOT, file)) && !/NAME|AGENT/.test(file)) missing.push(`${path}: ${file}`);
    }
  }
  assert.ok(count > 40, 'the files were not found');
  assert.deepEqual(missing, []);
});

/** The rows of the first table below a heading, without their head: the texts of the cells. */
function table(page: string, heading: string): string[][] {
  const text = pages.find(({ path }) => path === page)?.text ?? '';
  const below = text.slice(text.indexOf(`${heading}\n`) + heading.length);
  const [rows = ''] = /^(\|.*\n)+/m.exec(below) ?? [];
  const cells = (row: string) => row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
  return rows
    .split('\n')
    .slice(2, -1)
    .map((row) => cells(row).slice(1, -1));
}

/** What stands between backquotes. */
function quoted(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words);
}

/** What the program says about command lines, under one rule each. */
function decided(calls: { rule: string; action: string; line: string }[]): string[] {
  const input = calls.map(({ rule, action, line }) => {
    const policy = `version = 1\n[[rule]]\ntool = "shell"\ncommand = ${JSON.stringify(rule)}\naction = "${action}"\n`;
    return JSON.stringify({ policy, request: { tool: 'shell', arguments: { command: line } } });
  });
  const told = execFileSync(PROGRAM, ['policy', 'eval'], { input: input.join('\n') + '\n' }).toString();
  return told
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { action: string }).action);
}

test('the command lines that a page shows have the answers that it says', () => {
  const shown = table('docs/command-lines.md', '# Rules for commands').map(([line, answer]) => ({
    call: { rule: 'git status *', action: 'allow', line: quoted(line)[0] ?? '' },
    expected: answer === 'passes' ? 'allow' : 'ask',
  }));
  const heading = '## What a rule that denies or asks covers';
  const wider = table('docs/command-lines.md', heading).flatMap(([rule, lines]) =>
    quoted(lines).map((line) => ({
      call: { rule: quoted(rule)[0] ?? '', action: 'deny', line },
      expected: 'deny',
    })),
  );
  assert.ok(shown.length >= 6 && wider.length >= 19, 'the tables were not found');
  const all = [...shown, ...wider];
  const told = decided(all.map(({ call }) => call));
  for (const [index, { call, expected }] of all.entries()) {
    assert.equal(told[index], expected, `${call.rule}: ${call.line}`);
  }
});

/** The versions that the tests install, by the names of the packages. */
function installed(): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of ['sdk/typescript', 'sdk/typescript/adapters-tests', 'tests/mcp-conformance']) {
    const text = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
    const { dependencies, devDependencies } = JSON.parse(text) as Record<string, Record<string, string>>;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      found.set(name, version);
  }
  for (const file of [
    'requirements-test.txt',
    'adapters-tests/requirements.txt',
    'adapters-tests/requirements-crewai.txt',
  ]) {
    const text = readFileSync(join(ROOT, 'sdk/python', file), 'utf8');
    // Both languages have a package called `langchain`.
    for (const [, name = '', version = ''] of text.matchAll(/^([\w.-]+)==(\S+)/gm))
      found.set(`python ${name}`, version);
  }
  return found;
}

test('the versions that a page says were tried are those that the tests install', () => {
  const versions = installed();
  const told = (page: string, pattern: RegExp, names: (name: string) => string[]) => {
    const { text } = pages.find(({ path }) => path === page) ?? { text: '' };
    return [...text.matchAll(pattern)].map(([, name = '', version = '']) => {
      const known = names(name).find((one) => versions.has(one)) ?? name;
      assert.equal(version, versions.get(known), `${page}: ${known}`);
      return known;
    });
  };
  const quotedName = /`([@\w/-]+)` (\d[\w.-]*\d)/g;
  const ofMcp = (name: string) => [name, `@modelcontextprotocol/${name.replace(/^\//, '')}`];
  const all = [
    ...told('docs/mcp.md', quotedName, ofMcp),
    ...told('docs/mcp.md', /official (conformance) suite (\d[\w.-]*\d)/g, ofMcp),
    ...ADAPTERS.flatMap((folder) => told(join(folder, 'README.md'), quotedName, (name) => [name])),
    ...told(join('sdk/python', 'README.md'), /(?<=[ |])([a-z][a-z-]+) (\d+\.\d+\.\d+)/g, (name) => [
      `python ${name}`,
    ]),
  ];
  // Five of MCP and its suite, nine and nine of frameworks.
  assert.ok(all.length >= 20, all.join());
});
