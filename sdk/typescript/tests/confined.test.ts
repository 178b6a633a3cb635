// Calls of programs that run inside walls: real commands, and a file outside that tells whether they reached it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

import { type Approver, Gate } from 'handraise';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import { connect, handraiseMcp } from './mcp-support.js';
import { RunningGate, pending } from './running-gate.js';

const POLICY = `version = 1
[[rule]]
tool = "shell"
command = "sh build.sh *"
action = "confine"
`;

let gate: RunningGate;
let approver: Approver;
let client: Client;
let root: string;
let project: string;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
  const command = handraiseMcp(gate, 'serve');
  client = await connect([process.execPath, resolve('build/tests/an-agent.js'), ...command]);
  // Not below /tmp: inside walls that is another one.
  root = await realpath(await mkdtemp('/var/tmp/handraise-sdk-'));
  project = join(root, 'shop');
  await mkdir(join(project, '.git'), { recursive: true });
  await writeFile(
    join(project, 'build.sh'),
    'echo "built $1" > "$1.txt"\necho "out $1"\necho x > ../canary 2>/dev/null || exit 7\n',
  );
});
after(async () => {
  await client.close();
  approver.close();
  await gate.stop();
  await rm(root, { recursive: true, force: true });
});

const isThere = (name: string) =>
  stat(join(root, name)).then(
    () => true,
    () => false,
  );

/** Runs a command line as a tool for shells does, and gives its exit status and output. */
const shell = (command: string): Promise<{ status: number; output: string }> =>
  new Promise((done) =>
    execFile('bash', ['-c', command], { cwd: project }, (error, stdout, stderr) => {
      done({ status: error === null ? 0 : Number(error.code), output: stdout + stderr });
    }),
  );

/** What ran inside its walls has done its work, and nothing outside. */
async function wasHeld(name: string): Promise<void> {
  assert.equal(await readFile(join(project, `${name}.txt`), 'utf8'), `built ${name}\n`);
  assert.equal(await isThere('canary'), false);
}

test('the same line writes outside where there are no walls', async () => {
  assert.equal((await shell('sh build.sh free')).status, 0);
  assert.equal(await isThere('canary'), true);
  await rm(join(root, 'canary'));
});

test('execute_command runs what a rule confines inside walls', async () => {
  const result = await client.callTool({
    name: 'execute_command',
    arguments: { command: 'sh', args: ['build.sh', 'mcp'], cwd: project },
  });
  assert.equal(result.isError, true);
  assert.match(JSON.stringify(result.content), /out mcp/);
  assert.match(JSON.stringify(result.content), /denied by the walls: write/);
  await wasHeld('mcp');
});

test('gate.run runs a tool inside walls that runs the command it is handed', async () => {
  const own = new Gate({ client: gate.client(), agent: 'sdk-test', session: 's1', cwd: project });
  const call = { tool: 'bash', arguments: { command: 'sh build.sh run' }, runsChangedCommand: true };
  const [outcome] = await own.run([{ ...call, execute: ({ command }) => shell(String(command)) }]);
  assert.ok(outcome?.status === 'executed', JSON.stringify(outcome));
  assert.equal(outcome.value.status, 7);
  assert.match(outcome.value.output, /^out run\n[^]*denied by the walls: write/);
  await wasHeld('run');
});

test('a tool that does not say so is asked about, and so is one whose folder is not known', async () => {
  const own = new Gate({ client: gate.client(), agent: 'sdk-test', session: 's2' });
  const calls = [
    { tool: 'bash', arguments: { command: 'sh build.sh asked' }, cwd: project },
    { tool: 'bash', arguments: { command: 'sh build.sh asked' }, runsChangedCommand: true },
  ];
  for (const call of calls) {
    const running = own.call(call, ({ command }) => shell(String(command)));
    const refused = assert.rejects(running, /not confined/);
    await approver.deny(await pending(approver, 'bash'), 'not confined');
    await refused;
  }
  assert.equal(await isThere('shop/asked.txt'), false);
});

test('a person confines a call of a tool', async () => {
  const own = new Gate({ client: gate.client(), agent: 'sdk-test', session: 's3', cwd: project });
  const line = 'bash build.sh person';
  const call = { tool: 'bash', arguments: { command: line }, runsChangedCommand: true };
  const running = own.call(call, ({ command }) => shell(String(command)));
  const approval = await pending(approver, 'bash');
  assert.match(approval.confinement?.walls.sentence ?? '', /^writes only in shop/);
  await approver.approve(approval, { confined: approval.confinement?.hash ?? '' });
  assert.equal((await running).status, 7);
  await wasHeld('person');
});
