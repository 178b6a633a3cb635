import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { type Approver } from 'handraise';
import { handraise } from '@handraise/opencode';
import type { Hooks, PluginInput } from '@opencode-ai/plugin';

import { answer, emptyFolder } from './mcp-support.js';
import { RunningGate, eventually, pending } from './running-gate.js';

const POLICY = `version = 1
[[rule]]
tool = "shell"
command = "make *"
action = "deny"
reason = "nothing is made"
`;

let gate: RunningGate;
let approver: Approver;

before(async () => {
  gate = await RunningGate.start(POLICY);
  approver = gate.approver();
});
after(async () => {
  approver.close();
  await gate.stop();
});

/** The plugin in a folder, and what it sends to OpenCode. */
async function start(directory: string): Promise<{ hooks: Hooks; sent: { path: object; body: unknown }[] }> {
  const sent: { path: object; body: unknown }[] = [];
  const post = (message: { path: object; body: unknown }) => {
    sent.push(message);
    return Promise.resolve({});
  };
  const input = { directory, worktree: directory, client: { _client: { post } } } as unknown as PluginInput;
  return { hooks: await handraise({ folders: gate.folders })(input), sent };
}

const call = (callID: string, tool = 'bash') => ({ tool, sessionID: 's', callID });

test('every call asks, a denial makes the tool fail, changed arguments are used', async () => {
  const { hooks } = await start(await emptyFolder());
  const ask = (id: string, args: object) => hooks['tool.execute.before']?.(call(id), { args });
  await ask('1', { command: 'ls -l' });
  await assert.rejects(async () => ask('2', { command: 'make all' }), /nothing is made/);

  const args = { command: 'touch one' };
  const asked = ask('3', args);
  await approver.approve(await pending(approver, 'bash'), { arguments: { command: 'touch two' } });
  await asked;
  assert.deepEqual(args, { command: 'touch two' });
  await hooks.dispose?.();
});

test('OpenCode’s own question is answered, and not asked about twice', async () => {
  const { hooks, sent } = await start(await emptyFolder());
  const question = (id: string, callID: string) => ({
    type: 'permission.asked',
    properties: {
      id,
      sessionID: 's',
      permission: 'bash',
      patterns: ['touch *'],
      metadata: { command: 'touch me' },
      always: [],
      tool: { messageID: 'm', callID },
    },
  });
  const event = (event: object) => hooks.event?.({ event } as never);

  await event(question('per_1', '4'));
  await approver.deny(await pending(approver, 'bash'), 'no touching');
  await eventually('the reply', async () => sent.length === 1);
  assert.deepEqual(sent[0]?.path, { requestID: 'per_1' });
  assert.deepEqual(sent[0]?.body, { reply: 'reject', message: 'Denied in Handraise: no touching' });

  await hooks['tool.execute.before']?.(call('5'), { args: { command: 'ls' } });
  await event(question('per_2', '5'));
  await eventually('the second reply', async () => sent.length === 2);
  assert.deepEqual(sent[1]?.body, { reply: 'once' });

  await event(question('per_3', '6'));
  await pending(approver, 'bash');
  await event({
    type: 'permission.replied',
    properties: { sessionID: 's', requestID: 'per_3', reply: 'once' },
  });
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
  assert.equal(sent.length, 2);
  await hooks.dispose?.();
});

test('the hand is raised', async () => {
  const { hooks } = await start(await emptyFolder());
  const context = { sessionID: 's', directory: '/', abort: new AbortController().signal };
  const raised = hooks.tool?.['raise_hand']?.execute(
    { question: 'Go on?', choices: ['yes', 'no'] },
    context as never,
  );
  await answer(gate, { selected: ['yes'] });
  assert.equal(await raised, 'yes');
  await hooks.dispose?.();
});

test('beside the plugin that `handraise connect` installs it asks nothing', async () => {
  const directory = await emptyFolder();
  await mkdir(join(directory, '.opencode/plugins'), { recursive: true });
  await writeFile(
    join(directory, '.opencode/plugins/handraise.js'),
    '// Written by `handraise connect`; ours\n',
  );
  const { hooks } = await start(directory);
  assert.deepEqual(Object.keys(hooks).sort(), ['dispose', 'tool']);
  await hooks.dispose?.();
});

test('a call that nobody answers in time is denied, and nobody is asked any more', async () => {
  const directory = await emptyFolder();
  const input = { directory, worktree: directory, client: {} } as unknown as PluginInput;
  const hooks = await handraise({ folders: gate.folders, deadlineSeconds: 0.2 })(input);
  const asked = async () => hooks['tool.execute.before']?.(call('8'), { args: { command: 'touch late' } });
  await assert.rejects(asked, /No answer came from Handraise within 0.2 seconds, so this call was denied/);
  await eventually('the end of the request', async () => (await approver.list()).approvals.length === 0);
  await hooks.dispose?.();
});

test('without a gate every call fails', async () => {
  const directory = await emptyFolder();
  const input = { directory, worktree: directory, client: {} } as unknown as PluginInput;
  const hooks = await handraise({ folders: { config: directory, runtime: directory } })(input);
  const asked = async () => hooks['tool.execute.before']?.(call('7'), { args: {} });
  await assert.rejects(asked, /Handraise could not be asked, so this call was denied/);
});
