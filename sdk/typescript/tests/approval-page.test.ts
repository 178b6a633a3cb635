// The example page in a real browser, clicked as a person clicks it.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import type { ApprovalRequest, ApprovalResult } from 'handraise';

import { Browser } from './browser.js';
import { RunningGate } from './running-gate.js';

let gate: RunningGate;
let browser: Browser;
const children: ChildProcess[] = [];

before(async () => {
  gate = await RunningGate.start();
  browser = await Browser.start();
});
after(async () => {
  await browser?.stop();
  for (const child of children) child.kill();
  await gate.stop();
});

function example(name: string, ...flags: string[]): AsyncIterator<string> {
  const path = fileURLToPath(new URL(`../examples/${name}.js`, import.meta.url));
  const folders = ['--config-dir', gate.folders.config, '--runtime-dir', gate.folders.runtime];
  const child = spawn(process.execPath, [path, ...folders, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return createInterface(child.stdout)[Symbol.asyncIterator]();
}

/** Starts the page; gives its address. */
async function page(): Promise<string> {
  return (await example('approval-page', '--token-file', gate.approverTokenFile).next()).value as string;
}

/** How the gate decides about a call of a program that is no relative of the page. */
async function decided(request: ApprovalRequest): Promise<ApprovalResult> {
  const path = fileURLToPath(new URL('a-caller.js', import.meta.url));
  const { config, runtime } = gate.folders;
  const args = [path, config, runtime, JSON.stringify(request)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return JSON.parse(await text(child.stdout)) as ApprovalResult;
}

const button = (about: string, name: string) => `//article[contains(., '${about}')]//button[.='${name}']`;

test('a person approves and denies on the page', async () => {
  // This one waits already when the page is opened; the agent comes later.
  const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const note = { tool: 'write_note', session: 's', arguments: { text: markup } };
  const waiting = decided(note);
  await browser.open(await page());
  assert.match((await browser.texts('//article', 1))[0] ?? '', /<img src=x onerror=/);

  const agent = example('agent-loop');
  await browser.texts('//article', 3);
  await browser.click(button('ann@', 'Approve'));
  await browser.texts('//article', 2);
  await browser.click(button('bob@', 'Deny'));
  assert.equal((await agent.next()).value, 'Done: sent to ann@example.org; Denied: Denied on the page');

  await browser.click(button('onerror', 'Approve in this session'));
  assert.equal((await waiting).scope, 'session');
  await browser.texts('//article', 0);
  assert.equal((await decided(note)).decided_by, 'grant');
  // What the agent wrote was text all the time.
  assert.equal(await browser.evaluate('return document.title'), 'What waits for you');
});

test('the page says why an answer does not count', async () => {
  const client = gate.client();
  const abort = new AbortController();
  const address = await page();
  await browser.open(address);
  await browser.texts("//main[@aria-busy='false']", 1);
  // What asks here has started the page.
  const asked = client.request({ tool: 'mine' }, { signal: abort.signal });
  await browser.click(button('mine', 'Approve'));
  const [why] = await browser.texts("//article//*[@role='alert'][.!='']", 1);
  assert.match(why ?? '', /cannot decide/);
  abort.abort(new Error('seen'));
  await assert.rejects(asked, /seen/);
  await browser.texts('//article', 0);
  client.close();
  // From now on it is told nothing, either.
  await browser.open(address);
  const [refused] = await browser.texts("//*[@id='problem'][.!='']", 1);
  assert.match(refused ?? '', /cannot decide/);
});
