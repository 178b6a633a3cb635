import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

import { type Approver } from 'handraise';
import { CommandQueue } from 'handraise/mcp';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

import { answer, connect, emptyFolder, endClients, handraiseMcp, textOf } from './mcp-support.js';
import { RunningGate, eventually, pending } from './running-gate.js';

const POLICY = `version = 1
[[rule]]
tool = "shell"
command = "echo *"
action = "allow"
[[rule]]
tool = "shell"
command = "ls *"
action = "allow"
[[rule]]
tool = "shell"
command = "rm *"
action = "deny"
reason = "nothing is removed"
`;

let gate: RunningGate;
let approver: Approver;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
});
after(async () => {
  await endClients();
  approver.close();
  await gate.stop();
});

/** Connected by an agent of its own: a process that starts the server, as agents do. */
function serve(...words: string[]): Promise<Client> {
  const command = handraiseMcp(gate, 'serve', ...words);
  return connect([process.execPath, resolve('build/tests/an-agent.js'), ...command]);
}

/** Connected by the person, who started it with an approver's token. */
async function person(): Promise<Client> {
  const words = ['--approver-token-file', gate.approverTokenFile];
  return connect(handraiseMcp(gate, 'serve', ...words));
}

const execute = (client: Client, command: string, args: string[] = [], more: object = {}) =>
  client.callTool({ name: 'execute_command', arguments: { command, args, ...more } });
const listed = async (client: Client) =>
  JSON.parse(textOf(await client.callTool({ name: 'get_pending_commands', arguments: {} }))) as {
    id: string;
  }[];

test('safe commands run, forbidden ones are refused, the words stay words', async () => {
  const client = await serve();
  const echoed = await execute(client, 'echo', ['a b', "it's", '$HOME; rm -rf /', '*']);
  assert.deepEqual(echoed.content, [
    { type: 'text', text: "a b it's $HOME; rm -rf / *\n" },
    { type: 'text', text: '' },
  ]);
  assert.equal(textOf(await execute(client, 'rm', ['x'])), 'Denied: nothing is removed');
});

test('a program with the name of a safe one is another program', async () => {
  const client = await serve();
  const folder = await realpath(await emptyFolder());
  await mkdir(join(folder, 'x'));
  await copyFile('/bin/true', join(folder, 'x/ls'));
  const asked = execute(client, join(folder, 'x/ls'));
  await approver.deny(await pending(approver, 'execute_command'), 'not ls');
  assert.equal(textOf(await asked), 'Denied: not ls');
});

test('a command runs where it was asked, once a person has approved it', async () => {
  const client = await serve();
  const folder = await realpath(await emptyFolder());
  const asked = execute(client, 'touch', ['new file'], { cwd: folder });
  const approval = await pending(approver, 'execute_command');
  assert.equal(approval.title, "touch 'new file'");
  await assert.rejects(stat(join(folder, 'new file')));
  await approver.approve(approval);
  await asked;
  assert.ok(await stat(join(folder, 'new file')));
});

test('a queue: listed, approved by the person, fetched once by who asked', async () => {
  const [agent, other, someone] = [await serve(), await serve(), await person()];
  assert.deepEqual(await listed(agent), []);
  const folder = await realpath(await emptyFolder());
  const call = { cwd: folder, wait: false };
  const queued = textOf(await execute(agent, 'touch', ['made'], call));
  const id = /queued with ID: (\S+)\n\nA person decides/.exec(queued)?.[1] as string;
  assert.doesNotMatch(queued, /approve_command/);
  assert.match(queued, /execute_command.*_approval_token.*deny_command/s);
  assert.match(id, /^[0-9a-f-]{36}$/);

  const [entry] = await listed(agent);
  assert.deepEqual(Object.keys(entry ?? {}).sort(), ['args', 'command', 'id', 'requestedAt', 'requestedBy']);
  assert.deepEqual(await listed(other), []);
  const [seen] = (await listed(someone)) as unknown as { id: string; command: string; args: string[] }[];
  assert.deepEqual(
    { id: seen?.id, command: seen?.command, args: seen?.args },
    { id, command: 'touch', args: ['made'] },
  );

  const approve = (client: Client) =>
    client.callTool({ name: 'approve_command', arguments: { commandId: id } });
  const both = await Promise.all([approve(someone), approve(someone)]);
  assert.deepEqual(both.map((result) => result.isError === true).sort(), [false, true]);
  const fetch = () => execute(agent, 'touch', ['made'], { ...call, _approval_token: id });
  await eventually(
    'the command',
    async () => (await stat(join(folder, 'made')).catch(() => undefined)) !== undefined,
  );
  assert.equal(
    textOf(await execute(agent, 'touch', ['other'], { ...call, _approval_token: id })).includes('No command'),
    true,
  );
  assert.notEqual((await fetch()).isError, true);
  assert.match(textOf(await fetch()), /No command with ID/);
});

test('ids that are unknown, and inputs that are wrong', async () => {
  const client = await person();
  const call = async (name: string, input: object) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    assert.equal(result.isError, true);
    return textOf(result);
  };
  assert.equal(
    await call('approve_command', { commandId: 'x' }),
    'Command approval failed: No pending command with ID: x',
  );
  assert.equal(
    await call('deny_command', { commandId: 'x' }),
    'Command denial failed: No pending command with ID: x',
  );
  assert.match(await call('approve_command', {}), /^Error: \[/);
  assert.match(
    await call('execute_command', { command: 'echo', args: [1] }),
    /Expected string, received number/,
  );
  await assert.rejects(client.callTool({ name: 'get_whitelist' }), { code: -32601 });
});

test('a command has limits', async () => {
  const client = await serve('--run-timeout', '1', '--output-limit', '10');
  assert.match(textOf(await execute(client, 'sleep', ['30'])), /it took longer than 1 s/);
  assert.match(
    textOf(await execute(client, 'echo', ['0123456789abcdef'])),
    /^0123456789\n\[7 more bytes were left out\]/,
  );
});

test('the queue tells what happens', async () => {
  const client = gate.client();
  const limits = { seconds: 10, bytes: 1000 };
  const queue = new CommandQueue(client, { cwd: await emptyFolder(), limits });
  const seen: string[] = [];
  for (const name of ['pending', 'approved', 'denied', 'failed', 'approval_timeout'] as const) {
    queue.on(`command:${name}`, () => seen.push(name));
  }
  const denied = assert.rejects(queue.execute({ command: 'touch', args: ['a'] }), /why not/);
  await approver.deny(await pending(approver, 'execute_command'), 'why not');
  await denied;
  const failed = assert.rejects(queue.execute({ command: 'touch', args: ['no/such/folder'] }));
  await approver.approve(await pending(approver, 'execute_command'));
  await failed;
  assert.deepEqual(seen, ['pending', 'denied', 'pending', 'approved', 'failed']);
  client.close();
});

test('a queue needs nothing but a client', async () => {
  const client = gate.client();
  const queue = new CommandQueue(client);
  const ran = queue.execute({ command: 'node', args: ['-p', 'process.cwd()'] });
  await approver.approve(await pending(approver, 'execute_command'));
  assert.equal((await ran).stdout.trim(), process.cwd());
  client.close();
});

test('Claude Code’s permission questions', async () => {
  const client = await serve();
  const input = { tool_name: 'Bash', input: { command: 'npm publish' }, tool_use_id: 'toolu_1' };
  const ask = () => client.callTool({ name: 'approval_prompt', arguments: input });
  const allowed = ask();
  await approver.approve(await pending(approver, 'Bash'));
  assert.deepEqual(JSON.parse(textOf(await allowed)), {
    behavior: 'allow',
    updatedInput: { command: 'npm publish' },
  });
  const denied = ask();
  await approver.deny(await pending(approver, 'Bash'), 'not yet');
  assert.deepEqual(JSON.parse(textOf(await denied)), { behavior: 'deny', message: 'not yet' });
});

test('a raised hand is answered in the same turn', async () => {
  const client = await serve();
  const raise = (name: string, input: object) =>
    client.callTool({ name, arguments: { question: 'Which one?', ...input } });
  const chosen = raise('raise_hand', {
    choices: ['left', { label: 'right', description: 'as before' }],
    header: 'Ways',
  });
  await answer(gate, { selected: ['right'] });
  assert.match(textOf(await chosen), /right/);
  assert.equal(((await chosen).structuredContent as { status: string }).status, 'answered');

  const own = raise('raise_hand', {});
  await answer(gate, { custom: 'neither' });
  assert.match(textOf(await own), /neither/);

  const declined = raise('handraise_ask_user', { readyAnswers: ['a', 'b'] });
  await answer(gate, { decline: true, reason: 'later' });
  assert.equal((JSON.parse(textOf(await declined)) as { action: string }).action, 'decline');

  const accepted = raise('handraise_ask_user', {
    options: ['a', 'b'],
    multiple: true,
    waitTimeoutMs: 60_000,
  });
  await answer(gate, { selected: ['a', 'b'] });
  const { action, selectedOptions } = JSON.parse(textOf(await accepted));
  assert.deepEqual({ action, selectedOptions }, { action: 'accept', selectedOptions: ['a', 'b'] });
});

test('an agent cannot approve: not on its connection, not with a token, not through a child', async () => {
  const plain = await serve();
  const asked = execute(plain, 'touch', ['/tmp/never']);
  const { id } = await pending(approver, 'execute_command');
  const call = { name: 'approve_command', arguments: { commandId: id } };
  const refused = await plain.callTool(call);
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /^Command approval failed: This connection may not approve/);

  // The same agent, with an approver's token that it should never have had.
  const armed = await serve('--approver-token-file', gate.approverTokenFile);
  const own = execute(armed, 'touch', ['/tmp/never-either']);
  const second = await eventually('the second request', async () =>
    (await approver.list()).approvals.find((approval) => approval.id !== id),
  );
  const self = await armed.callTool({ name: 'approve_command', arguments: { commandId: second.id } });
  assert.equal(self.isError, true);
  assert.match(textOf(self), /^Command approval failed: /);

  // A child of this process, which is the agent from now on; so this test is the last one.
  const words = handraiseMcp(gate, 'serve');
  const mine = await connect(words);
  const third = execute(mine, 'touch', ['/tmp/nor-this']);
  const open = await eventually('the third request', async () =>
    (await approver.list()).approvals.find((approval) => ![id, second.id].includes(approval.id)),
  );
  const script = `import { Approver } from 'handraise';
const approver = new Approver({ folders: ${JSON.stringify(gate.folders)}, credential: { tokenFile: ${JSON.stringify(gate.approverTokenFile)} } });
await approver.decide('${open.id}', { decision: 'approve' }).then(() => console.log('approved'), (error) => console.log(error.problem.code));
approver.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  assert.equal(stdout.trim(), 'own_process_tree');
  assert.equal((await approver.list()).approvals.length, 3);

  const taken = await plain.callTool({
    name: 'deny_command',
    arguments: { commandId: id, reason: 'mistake' },
  });
  assert.equal(textOf(taken), 'Command denied: mistake');
  assert.match(textOf(await asked), /^Denied: /);
  const foreign = await plain.callTool({ name: 'deny_command', arguments: { commandId: second.id } });
  assert.equal(textOf(foreign), `Command denial failed: No pending command with ID: ${second.id}`);
  await approver.decide(second.id, { decision: 'deny' });
  await approver.decide(open.id, { decision: 'deny' });
  await Promise.all([own, third]);
});
