// The hooks and `canUseTool` have the types of the SDK. They are called as the SDK calls them: it brings no model.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Options } from '@anthropic-ai/claude-agent-sdk';

import type { Approver } from 'handraise';
import {
  type ClaudeHookOutput,
  type ClaudeHooksOptions,
  canUseTool,
  claudeHooks,
} from '@handraise/claude-agent-sdk';

import { RunningGate, eventually } from '../../tests/running-gate.js';
import { requestFor, sent, suite } from './suite.js';

suite({
  name: 'the Claude Agent SDK: canUseTool',
  async run({ calls, gate, ran, signal = new AbortController().signal, timeoutSeconds }) {
    const ask: NonNullable<Options['canUseTool']> = canUseTool({ gate, timeoutSeconds });
    return Promise.all(
      calls.map(async ({ id, name, args }) => {
        const result = await ask(name, args, { signal, toolUseID: id, requestId: id });
        if (result?.behavior !== 'allow') return result?.message ?? '';
        return sent(ran, name, result.updatedInput as { to: string });
      }),
    );
  },
});

let running: RunningGate;
let approver: Approver;
before(async () => {
  running = await RunningGate.start();
  approver = running.approver();
});
after(() => running.stop());

/** What the hook answers for a call of `mail`. */
async function ask(
  to: string,
  options: ClaudeHooksOptions,
  signal = new AbortController().signal,
  session_id = 's',
): Promise<NonNullable<ClaudeHookOutput['hookSpecificOutput']>> {
  const hooks = claudeHooks(options);
  const typed: NonNullable<Options['hooks']> = hooks;
  assert.equal(typed.PreToolUse?.[0]?.onFailure, 'block');
  const input = {
    hook_event_name: 'PreToolUse',
    session_id,
    transcript_path: '',
    cwd: '/tmp',
    permission_mode: 'bypassPermissions',
    tool_name: 'mcp__office__mail',
    tool_input: { to },
    tool_use_id: `toolu-${to}`,
  };
  const output = await hooks.PreToolUse[0]?.hooks[0]?.(input, input.tool_use_id, { signal });
  assert.ok(output?.hookSpecificOutput);
  return output.hookSpecificOutput;
}

test('a hook asks as the installed one does, and answers in the terms of Claude Code', async () => {
  const options = { folders: running.folders };
  const approved = ask('ann', options);
  const approval = await requestFor(approver, 'ann');
  assert.deepEqual([approval.agent, approval.session?.id], ['claude-code', 's']);
  await approver.approve(approval, { arguments: { to: 'anna' } });
  const { permissionDecision, updatedInput } = await approved;
  assert.deepEqual([permissionDecision, updatedInput], ['allow', { to: 'anna' }]);
  const denied = ask('bob', options);
  await approver.deny(await requestFor(approver, 'bob'), 'Bob is on leave');
  const { permissionDecision: decision, permissionDecisionReason: reason } = await denied;
  assert.equal(decision, 'deny');
  assert.match(reason ?? '', /Bob is on leave/);
});

test('a run that is stopped takes the question back', async () => {
  const stop = new AbortController();
  const stopped = ask('carl', { folders: running.folders }, stop.signal);
  await requestFor(approver, 'carl');
  stop.abort();
  assert.equal((await stopped).permissionDecision, 'deny');
  await eventually('the withdrawal', async () => (await approver.list()).approvals.length === 0);
});

test('a call that nobody answers is denied', async () => {
  const late = await ask('dora', { folders: running.folders, deadlineSeconds: 1 });
  assert.equal(late.permissionDecision, 'deny');
});

test('where there is no Handraise, the hook denies', async () => {
  const folders = { config: '/nonexistent', runtime: '/nonexistent' };
  const { permissionDecision, permissionDecisionReason: reason } = await ask('x', { folders });
  assert.equal(permissionDecision, 'deny');
  assert.match(reason ?? '', /could not be asked/);
});

test('the end of a session ends what was approved in it', async () => {
  const options = { folders: running.folders };
  const first = ask('eve', options, undefined, 'ending');
  const approval = await requestFor(approver, 'eve');
  const breadth = approval.scopes.find(({ scope }) => scope === 'session')?.breadth;
  await approver.approve(approval, { scope: 'session', ...(breadth ? { breadth } : {}) });
  await first;
  assert.equal((await ask('eve', options, undefined, 'ending')).permissionDecision, 'allow');
  const end = {
    hook_event_name: 'SessionEnd',
    session_id: 'ending',
    transcript_path: '',
    cwd: '/tmp',
    reason: 'other',
  };
  const { signal } = new AbortController();
  await claudeHooks(options).SessionEnd[0]?.hooks[0]?.(end, undefined, { signal });
  const again = ask('eve', options, undefined, 'ending');
  await approver.deny(await requestFor(approver, 'eve'));
  assert.equal((await again).permissionDecision, 'deny');
});
