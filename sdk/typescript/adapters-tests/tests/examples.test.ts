// The examples run, and the READMEs of the packages show what runs.

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

test('what the README of a package shows is what its example runs', () => {
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ');
  for (const name of names) {
    const readme = readFileSync(`../adapters/${name}/README.md`, 'utf8');
    const [block = '', ...more] = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
    assert.ok(block !== '' && more.length === 0, name);
    const example = flat(readFileSync(`examples/${name}.ts`, 'utf8'));
    // The import first, then the lines.
    for (const part of block.split('\n\n')) assert.ok(example.includes(flat(part.trim())), part);
  }
});
