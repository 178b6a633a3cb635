// The documents of the repository: what they point to is there.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const ROOT = resolve('../..');
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...(readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  ...['ui', 'icons', 'sdk/typescript', 'sdk/python'].map((folder) => join(folder, 'README.md')),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

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
      if (/^[a-z]+:/.test(link)) continue;
      count += 1;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      const page = pages.find((one) => one.path === target);
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
