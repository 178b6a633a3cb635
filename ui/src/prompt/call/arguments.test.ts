import { describe, expect, it } from 'vitest';
import type { Approval, Piece } from '../../generated/protocol';
import { otherArguments, planOf } from './arguments';

const text = (value: string): Piece[] => [{ kind: 'text', text: value }];
const row = (name: string, value: string) => ({
  name: text(name),
  value: text(value),
  lines: 1,
  length: value.length,
});
const names = (approval: Partial<Approval>): string[] =>
  otherArguments(approval as Approval).map((argument) => (argument.name[0] as { text: string }).text);

describe('arguments beside the subject', () => {
  it('are those that the command block does not show', () => {
    const subject = { kind: 'command' as const, line: text('ls'), parts: [] };
    expect(names({ subject, arguments: [row('command', 'ls'), row('timeout', '5')] })).toEqual(['timeout']);
  });

  it('are those that a change does not show', () => {
    const subject = {
      kind: 'edit',
      path: text('/a'),
      diff: [
        { sign: 'keep', text: text('one') },
        { sign: 'remove', text: text('two') },
        { sign: 'add', text: text('2') },
      ],
    } as const;
    const rows = [
      row('file_path', '/a'),
      row('old', 'one\ntwo'),
      row('new', 'one\n2\n'),
      row('replace_all', 'true'),
    ];
    expect(names({ subject: { ...subject, diff: [...subject.diff] }, arguments: rows })).toEqual([
      'replace_all',
    ]);
  });

  it('are all of them when there is no subject', () => {
    expect(names({ subject: { kind: 'arguments' }, arguments: [row('a', '1')] })).toEqual(['a']);
  });
});

it('a plan is the argument of the tool for plans, and no other one', () => {
  const asked = (tool: string): Approval =>
    ({
      tool,
      subject: { kind: 'arguments' },
      arguments: [row('plan', '# Steps'), row('x', '1')],
    }) as Approval;
  expect(planOf(asked('ExitPlanMode'))?.value).toEqual(text('# Steps'));
  expect(otherArguments(asked('ExitPlanMode'))).toEqual([row('x', '1')]);
  expect(planOf(asked('mcp__evil__ExitPlanMode'))).toBeUndefined();
});
