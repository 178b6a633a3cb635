// The official conformance suite for MCP 2026-07-28, with and without the proxy. `make test-mcp` runs it: the suite needs a
// newer Node.js than this package.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { type Approver } from 'handraise';

import { emptyFolder, handraiseMcp } from './mcp-support.js';
import { endPrograms, listening } from './programs.js';
import { RunningGate } from './running-gate.js';

/** Where `make test-mcp` installs it. */
const SUITE = resolve(
  '../../tests/mcp-conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js',
);
const POLICY = `version = 1
[[rule]]
pattern = "mcp__suite__*"
action = "allow"
`;
/** Scenarios that a revision requires of servers, and how many of them these fixtures pass without the proxy. */
const REQUIRED = { '2026-07-28': { count: 37, least: 37 }, '2025-11-25': { count: 33, least: 28 } };

let gate: RunningGate;
let approver: Approver;
let isOver = false;
let approving: Promise<void>;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
  approving = approveAll();
});
after(async () => {
  isOver = true;
  await approving;
  endPrograms();
  approver.close();
  await gate.stop();
});

/** A person who sees and approves what the policy leaves open: what is typed in the middle of a call. */
async function approveAll(): Promise<void> {
  while (!isOver) {
    const { approvals } = await approver.list();
    for (const approval of approvals) await approver.approve(approval).catch(() => {});
    await new Promise((next) => setTimeout(next, 50));
  }
}

/** What the suite says about each scenario. */
async function suite(url: string, revision: string): Promise<string[]> {
  const words = [SUITE, 'server', '--url', url, '--requirements', revision, '--timeout', '60000'];
  const options = { cwd: await emptyFolder(), maxBuffer: 64 * 1024 * 1024 };
  const run = promisify(execFile)(process.execPath, words, options);
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  // Tasks are an extension, which no official server has.
  return `${stdout}${stderr}`.split('\n').filter((line) => /^[✓✗] (?!tasks-)/.test(line));
}

for (const [revision, { count, least }] of Object.entries(REQUIRED)) {
  test(`the suite for ${revision} finds the same in a server behind the proxy as without it`, async () => {
    const fixtures = revision === '2026-07-28' ? 'conformance-modern-server' : 'conformance-server';
    const url = await listening([process.execPath, resolve(`build/tests/${fixtures}.js`)]);
    const words = ['--name', 'suite', '--data-dir', await emptyFolder(), '--url', url, '--listen', '0'];
    const behind = await listening(handraiseMcp(gate, 'proxy', ...words));
    const plain = await suite(url, revision);
    const required = plain.slice(0, count);
    assert.ok(required.filter((line) => line.startsWith('✓')).length >= least, plain.join('\n'));
    assert.deepEqual(await suite(behind, revision), plain);
  });
}
