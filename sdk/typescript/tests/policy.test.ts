// The policy that needs no running app: its answers are those of every other language, and of the program.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import {
  type PolicyTable,
  type RiskLevel,
  ApprovalPolicy,
  PolicyError,
  UnsupportedKeyError,
} from 'handraise';
import { AlwaysDenyHandler } from 'handraise/handlers';
import { ApprovalCapability } from 'handraise/approval-capability';

import { PROGRAM } from './running-gate.js';

interface Call {
  tool: string;
  arguments?: Record<string, unknown>;
  long_argument?: { name: string; unit: string; count: number };
  risk?: RiskLevel;
  agent?: string;
}
type Answer = { action: string; rule: string | null } | { invalid: true } | { unsupported: string };
interface Case {
  id: string;
  policy: PolicyTable;
  call: Call;
  expect: Answer;
}

const cases = readFileSync('../vectors/policy.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

function answer({ policy, call }: Pick<Case, 'policy' | 'call'>): Answer {
  const { name = '', unit = '', count = 0 } = call.long_argument ?? {};
  const args = call.long_argument ? { [name]: unit.repeat(count) } : call.arguments;
  try {
    const { action, rule } = new ApprovalPolicy(policy).evaluate(call.tool, args, call.risk, call.agent);
    return { action, rule: rule?.pattern ?? null };
  } catch (error) {
    if (error instanceof UnsupportedKeyError) return { unsupported: error.key };
    if (error instanceof PolicyError) return { invalid: true };
    throw error;
  }
}

test('every vector has its answer', () => {
  assert.ok(cases.length >= 250);
  for (const one of cases) {
    const told = answer(one);
    // A key that there is not is refused in the same way as one that is not answered here.
    if ('invalid' in one.expect && 'unsupported' in told) continue;
    assert.deepEqual(told, one.expect, one.id);
  }
});

/** `value` as TOML, in one line. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replaceAll('\x7f', '\\u007F');
  return `{${Object.entries(value)
    .map(([key, item]) => `${toml(key)} = ${toml(item)}`)
    .join(', ')}}`;
}

/** What `handraise policy eval` answers; `undefined` where it refuses the policy. */
function program(made: readonly Pick<Case, 'policy' | 'call'>[]): (string | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'handraise-policy-'));
  const flags = ['config', 'data', 'runtime'].flatMap((name) => [`--${name}-dir`, join(folder, name)]);
  const input = made.map(({ policy, call }) => {
    const file = Object.entries({ version: 1, ...policy }).map(([key, value]) => `${key} = ${toml(value)}\n`);
    return JSON.stringify({ policy: file.join(''), request: { arguments: {}, ...call } });
  });
  const told = execFileSync(PROGRAM, [...flags, 'policy', 'eval'], {
    input: input.join('\n') + '\n',
    maxBuffer: 64 * 1024 * 1024,
  });
  rmSync(folder, { recursive: true, force: true });
  const answers = told
    .toString()
    .trim()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { action?: string; rule?: string | null; lint?: { severity: string }[] },
    );
  assert.equal(answers.length, made.length);
  return answers.map(({ action, rule, lint = [] }) =>
    lint.some(({ severity }) => severity === 'error') ? undefined : `${action} ${rule ?? null}`,
  );
}

test('random policies have the same answers as the program', () => {
  const chance = (share: number) => randomInt(1000) < share * 1000;
  const one = <T>(of: readonly T[]): T => of[randomInt(of.length)] as T;
  const names = [
    'a',
    'ab',
    'deploy',
    'deploy:prod',
    'Ü',
    'a.b',
    'a*b',
    '日本',
    'Edit',
    'write',
    '🙂',
    'a\u0301',
  ];
  const texts = ['a', 'deploy', 'production', 'x:y', 'ü', '日', '\\', '"', '*', '?', '^$', '\n', '🙂', ''];
  const numbers = [0, -0, 1, 1.5, 1e21, 1e-7, 123456789012345680000, 2 ** 53 + 2, 0.1, 5e-324, 1e20];
  const pieces = [
    '*',
    '**',
    '?',
    'a',
    'deploy',
    ':',
    '*production*',
    'ü',
    '.',
    '^',
    '[',
    '{',
    '\\',
    '"',
    '1',
    '🙂',
  ];
  const actions = ['allow', 'ask', 'deny'] as const;
  const value = (depth: number): unknown => {
    const kind = randomInt(depth > 0 ? 6 : 4);
    if (kind < 2) return one(texts);
    if (kind === 2) return one(numbers);
    if (kind === 3) return one([true, false, null]);
    if (kind === 4) return Array.from({ length: randomInt(3) }, () => value(depth - 1));
    return object(depth - 1);
  };
  const object = (depth: number): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: randomInt(4) }, () => [one(texts), value(depth)]));
  const pattern = () =>
    chance(0.3)
      ? `${one(names)}:*${one(texts)}*`
      : Array.from({ length: 1 + randomInt(4) }, () => one(pieces)).join('');
  const rule = () => {
    const action = one(actions);
    return { pattern: pattern(), action, ...(action !== 'allow' && chance(0.15) ? { final: true } : {}) };
  };
  const made = Array.from({ length: 2000 }, () => ({
    policy: {
      preset: one(['practical', 'strict', 'autonomous'] as const),
      rule: Array.from({ length: randomInt(4) }, rule),
      ...(chance(0.3) ? { unknown_tools: one(actions) } : {}),
      ...(chance(0.3) ? { risk: { write: one(actions) } } : {}),
      agent: { ann: { rule: [rule()], risk: { read_only: one(actions) } } },
    },
    call: {
      tool: one(names),
      arguments: object(2),
      ...(chance(0.7) ? { risk: one(['read_only', 'write', 'destructive'] as const) } : {}),
      ...(chance(0.3) ? { agent: one(['ann', 'bob']) } : {}),
    },
  }));
  const told = program(made);
  const own = made.map((each) => {
    const found = answer(each);
    return 'action' in found ? `${found.action} ${found.rule}` : undefined;
  });
  for (const [index, each] of made.entries()) assert.equal(own[index], told[index], JSON.stringify(each));
  assert.ok(
    new Set(own.map((each) => each?.split(' ')[0])).size === 4,
    'every answer and a refusal are among them',
  );
});

test('a condition that is not answered here is refused by its name', () => {
  const table = { rule: [{ pattern: 'bash', command: 'git status *', action: 'allow' as const }] };
  assert.throws(
    () => new ApprovalPolicy(table),
    (error: unknown) => {
      assert.ok(error instanceof UnsupportedKeyError);
      assert.match(error.message, /^`command` in a rule is not answered without the app/);
      return error.key === 'command' && error.place === 'a rule';
    },
  );
});

test('nobody who holds the table can change the policy', () => {
  const rule = { pattern: 'drop', action: 'deny' as 'deny' | 'allow' };
  const policy = new ApprovalPolicy({ rule: [rule] });
  rule.action = 'allow';
  assert.equal(policy.decide('drop'), 'deny');
});

test('arguments that are no JSON fit only what asks or denies', () => {
  const policy = new ApprovalPolicy({ rule: [{ pattern: 't:*', action: 'allow' }] });
  assert.equal(policy.decide('t', { a: 1 }), 'allow');
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const odd = { a: Number.NaN, b: undefined, c: 1n, d: '\ud800', e: new Date(0), f: [, 1], g: circle };
  for (const [name, value] of Object.entries(odd))
    assert.equal(policy.decide('t', { [name]: value }), 'ask', name);
});

test('an approval capability takes it, with the agent and without a declared risk', async () => {
  const policy = new ApprovalPolicy({
    risk: { write: 'allow' },
    unknown_tools: 'deny',
    agent: { ann: { rule: [{ pattern: 'search_*', action: 'allow' }] } },
  });
  const capability = new ApprovalCapability({ policy, handler: new AlwaysDenyHandler(), agentName: 'ann' });
  const decided = async (toolName: string, riskLevel?: RiskLevel) =>
    (await capability.evaluate({ toolName, ...(riskLevel ? { riskLevel } : {}) })).approved;
  assert.deepEqual(
    [await decided('search_web'), await decided('other'), await decided('other', 'write')],
    [true, false, true],
  );
});
