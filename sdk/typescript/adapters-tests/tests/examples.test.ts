// The examples run, and the README shows what runs.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { RunningGate } from '../../tests/running-gate.js';
import { requestFor } from './suite.js';

const run = promisify(execFile);
const names = readdirSync('examples')
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'office');

test('there is an example for each adapter', () => assert.ok(names.length >= 5, names.join()));

for (const name of names) {
  test(`the example ${name}: one call approved, one denied`, async () => {
    const gate = await RunningGate.start();
    try {
      const path = fileURLToPath(new URL(`../examples/${name}.js`, import.meta.url));
      const approver = gate.approver();
      const told = run(process.execPath, [path, gate.folders.config, gate.folders.runtime]);
      const answered = (async () => {
        await approver.approve(await requestFor(approver, 'ann'));
        await approver.deny(await requestFor(approver, 'bob'), 'Bob is on leave');
      })();
      const [{ stdout }] = await Promise.all([told, answered]);
      assert.match(stdout, /mail went to ann/);
      assert.match(stdout, /Bob is on leave/);
      assert.doesNotMatch(stdout, /mail went to bob/);
    } finally {
      await gate.stop();
    }
  });
}

test('what the README shows of a framework is what its example runs', () => {
  const readme = readFileSync('../README.md', 'utf8');
  const shown = readme.slice(readme.indexOf('## Gate the tools of a framework'));
  const blocks = [...shown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ');
  const examples = names.map((name) => flat(readFileSync(`examples/${name}.ts`, 'utf8')));
  assert.equal(blocks.length, names.length);
  for (const block of blocks) {
    const [first = '', ...rest] = block.split('\n\n').map((part) => flat(part.trim()));
    // The import first, then the lines.
    const isShown = (text: string) => text.includes(first) && rest.every((part) => text.includes(part));
    assert.ok(examples.some(isShown), block);
  }
});
