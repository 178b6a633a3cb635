import { describe, expect, it } from 'vitest';
import type { Action, Approval, CommandPart, CommandSubject, Piece } from '../../generated/protocol';
import { counts, foldParts, isOutside, leavesAsked, telling, tellingPaths } from './parts';

const text = (value: string): Piece[] => [{ kind: 'text', text: value }];
const part = (action: Action, change: Partial<CommandPart> = {}): CommandPart => ({
  kind: 'command',
  text: text('ls'),
  action,
  risk: 'write',
  effect: { reach: 'project', can_be_undone: 'no', sentence: 'Changes files in shop. It cannot be undone.' },
  why: 'No rule matches.',
  paths: [],
  ...change,
});
const many = (action: Action, count: number): CommandPart[] =>
  Array.from({ length: count }, () => part(action));

describe('rows of a command line', () => {
  it('are all shown when there are few', () => {
    expect(foldParts(many('allow', 9)).folded).toBe(0);
  });

  it('fold when there are many', () => {
    const { shown, folded } = foldParts(many('allow', 20));
    expect([shown.length, folded]).toEqual([8, 12]);
  });

  it('are never folded away when they ask or are denied', () => {
    const parts = [...many('allow', 10), ...many('ask', 9), ...many('allow', 3), part('deny')];
    const { shown, folded } = foldParts(parts);
    expect(shown.filter((one) => one.action !== 'allow')).toHaveLength(10);
    expect(folded).toBe(13);
  });

  it('keep their order', () => {
    const parts = [...many('allow', 9), part('deny'), ...many('allow', 9)];
    const { shown } = foldParts(parts);
    expect(shown.map((one) => parts.indexOf(one))).toEqual([0, 1, 2, 3, 4, 5, 6, 9]);
  });

  it('are counted by verdict', () => {
    expect(counts([part('deny'), ...many('ask', 2), part('allow')])).toEqual({
      denied: 1,
      asked: 2,
      allowed: 1,
    });
  });
});

describe('the files of a row', () => {
  const row = (line: string, path: string, outside_project = false): CommandPart =>
    part('ask', { text: text(line), paths: [{ path, outside_project }] });

  it('are not repeated when the text names them', () => {
    expect(tellingPaths(row('wc -l ./src/a.ts', '/code/src/a.ts'))).toEqual([]);
    expect(tellingPaths(row('cat "src/a.ts"', '/code/src/a.ts'))).toEqual([]);
    expect(tellingPaths(row('/code/a', '/code/a'))).toEqual([]);
  });

  it('are named when they lead elsewhere than the text says', () => {
    expect(tellingPaths(row('cat link.ts', '/code/src/a.ts'))).toHaveLength(1);
    expect(tellingPaths(row('cat $x', '/code/a'))).toHaveLength(1);
  });

  it('are always named outside the project', () => {
    expect(tellingPaths(row('cat /etc/hosts', '/etc/hosts', true))).toHaveLength(1);
    expect(isOutside(row('/etc/hosts', '/etc/hosts', true))).toBe(true);
    expect(isOutside(row('/code/a', '/code/a'))).toBe(false);
  });
});

describe('a single row', () => {
  const approval = { rule: 'ls *' } as Approval;
  const subject = (only: CommandPart, change: Partial<CommandSubject> = {}): CommandSubject => ({
    line: text('ls'),
    parts: [only],
    ...change,
  });

  it('is not shown when it only repeats the line', () => {
    expect(telling(approval, subject(part('ask', { rule: 'ls *' })))).toEqual([]);
    const inside = [{ path: '/p/a', outside_project: false }];
    expect(telling(approval, subject(part('ask', { rule: 'ls *', paths: inside })))).toEqual([]);
  });

  it('is shown when it carries something new', () => {
    const outside = [{ path: '/etc/hosts', outside_project: true }];
    const news = [
      subject(part('ask', { rule: 'other' })),
      subject(part('ask', { rule: 'ls *', paths: outside })),
      subject(part('ask', { rule: 'ls *', text: text('sh') })),
      subject(part('ask', { rule: 'ls *', kind: 'write' })),
      subject(part('ask', { rule: 'ls *' }), { obstacle: 'it has a loop' }),
    ];
    for (const one of news) expect(telling(approval, one)).toHaveLength(1);
  });
});

describe('an answer that covers some commands', () => {
  const line = (parts: CommandPart[]): Approval =>
    ({ subject: { kind: 'command', line: text('a && b'), parts } }) as unknown as Approval;

  it('leaves the line asked about unless it covers all that is asked about', () => {
    const both = line([
      part('ask', { command: 0 }),
      part('ask', { command: 1 }),
      part('allow', { command: 2 }),
    ]);
    expect(leavesAsked(both, [0, 1])).toBe(false);
    expect(leavesAsked(both, [1])).toBe(true);
    const writing = line([part('ask', { command: 0 }), part('ask', { kind: 'write' })]);
    expect(leavesAsked(writing, [0])).toBe(true);
  });
});
