import { describe, expect, it } from 'vitest';
import type { Approval, Question } from '../../../generated/protocol';
import { groupOf, inLanes, isFound, isGroup, lanesOf, shapeOf } from './lanes';

const text = (words: string) => [{ kind: 'text', text: words }];
const session = (id: string) => ({ requester: 'r', agent: 'a', id });
/** A command of an agent, by default of one session of Claude Code. */
function command(line: string, change: Partial<Approval> = {}): Approval {
  return {
    id: line,
    title: line,
    agent: 'claude-code',
    agent_title: 'Claude Code',
    agent_verified: true,
    session: session('one'),
    tool: 'Bash',
    project: 'shop',
    risk: { level: 'write', basis: 'command' },
    effect: { reach: 'project', sentence: 'Changes files.' },
    subject: { kind: 'command', line: text(line), parts: [] },
    ...change,
  } as unknown as Approval;
}
const file = (path: string, kind = 'edit'): Approval =>
  command(path, { tool: 'Edit', subject: { kind, path: text(path), diff: [] } as never });
const other = { agent: 'codex', agent_title: 'Codex', session: session('two') } as const;

describe('the shape of a call', () => {
  it.each([
    [command('pytest tests/a.py'), 'pytest'],
    [command('cargo test -p core'), 'cargo test'],
    [command('npm run build --workspace api'), 'npm run'],
    [file('/shop/src/a.ts'), 'Edit /shop/src/'],
    [command('x', { subject: { kind: 'fetch', url: text('https://docs.rs/serde') } as never }), 'docs.rs'],
  ])('is what its likes have in common', (approval, shape) => {
    expect(shapeOf(approval)).toBe(shape);
  });

  it.each([
    ['destroys', command('rm -r a', { risk: { level: 'destructive', basis: 'command' } })],
    ['is more than one command', command('cargo test && git push')],
    ['has a redirection', command('cargo test > ~/.bashrc')],
    ['is put together when it runs', command('cargo test $TARGET')],
    ['has several lines', command('cargo test\nrm a')],
    ['has invisible characters', command('cargo test', { has_hidden_characters: true })],
    ['hides a secret', command('cargo test', { redacted: true })],
    ['was denied by walls', command('cargo test', { denied_by_walls: ['network'] })],
    ['runs a task of the project', command('npm test', { tasks: [{ call: 'npm test' }] as never })],
    [
      'was not understood',
      command('a', { subject: { kind: 'command', line: text('a'), parts: [], obstacle: 'x' } as never }),
    ],
    [
      'reaches out of the project',
      command('touch /a', {
        findings: [{ kind: 'outside', sentence: 'x', field: 'reach', misleads: false }],
      }),
    ],
    ['is a tool of a server', command('x', { subject: { kind: 'arguments' } as never })],
    ['is longer than one reads', command(`echo ${'a'.repeat(400)}`)],
  ])('is its own where it %s', (_why, approval) => {
    expect(shapeOf(approval)).toBeUndefined();
    expect(groupOf([approval, { ...approval, id: 'twin' }], approval)).toEqual([]);
  });
});

describe('a group', () => {
  const [one, two] = [command('pytest t/a'), command('pytest t/b')];
  it.each([
    ['another session', { session: session('three') }],
    ['a name that is only claimed', { agent_verified: false }],
    ['another project', { project: 'billing' }],
    ['another folder', { cwd: text('/elsewhere') }],
    ['another risk', { risk: { level: 'read_only', basis: 'command' } }],
    ['another effect', { effect: { reach: 'outside', sentence: 'Sends something.' } }],
    ['another rule', { rule: 'tool = "shell"' }],
  ] as [string, object][])('never holds a call of %s', (_what, change) => {
    const stranger = command('pytest t/c', change as Partial<Approval>);
    expect(groupOf([one, stranger, two], one)).toEqual([one, two]);
    expect(groupOf([one, stranger, two], stranger)).toEqual([]);
  });
});

describe('what waits', () => {
  const question = {
    id: 'q',
    title: 'Which?',
    question: [],
    agent: 'codex',
    agent_verified: true,
    session: other.session,
  } as unknown as Question;
  const all = [
    command('pytest t/a'),
    command('ls', other),
    command('git push'),
    question,
    command('pytest t/b'),
    command('ls -l', { session: session('nine') }),
  ];

  it('stands by agent, by session, and what looks alike together', () => {
    const ordered = inLanes(all);
    expect(ordered.map(({ id }) => id)).toEqual(['pytest t/a', 'pytest t/b', 'git push', 'ls -l', 'ls', 'q']);
    const lanes = lanesOf(ordered);
    expect(lanes.map(({ agent, count }) => [agent, count])).toEqual([
      ['Claude Code', 3],
      ['Claude Code', 1],
      ['Codex', 1 + 1],
    ]);
    expect(lanes[0]?.entries.map((entry) => (isGroup(entry) ? entry.members.length : entry.id))).toEqual([
      2,
      'git push',
    ]);
  });

  it('keeps the calls of one step together', () => {
    const [a, b, c] = [command('a', { batch: 'x' }), command('b'), command('c', { batch: 'x' })];
    expect(inLanes([a, b, c]).map(({ id }) => id)).toEqual(['a', 'c', 'b']);
  });

  it('shows every group in one piece, also where a step and a group meet', () => {
    const [a, b, twin] = [
      command('pytest t/a', { batch: 'x' }),
      command('ls', { batch: 'x' }),
      command('pytest t/b'),
    ];
    const [lane] = lanesOf(inLanes([a, b, twin]));
    const group = lane?.entries.find(isGroup);
    expect(group?.members).toEqual(groupOf([a, b, twin], a));
  });

  it('is found by words of the call and of who asks', () => {
    const found = (words: string) => all.filter((one) => isFound(one, words)).map(({ id }) => id);
    expect(found('PYTEST t/b')).toEqual(['pytest t/b']);
    expect(found('codex')).toEqual(['ls']);
    expect(found('')).toHaveLength(all.length);
    expect(found('nothing like it')).toEqual([]);
  });
});

describe('sub-agents', () => {
  const of = (line: string, id: string): Approval =>
    command(line, { sub_agent: { id, title: `“${id}”` } } as Partial<Approval>);

  it('have lanes of their own under their session, and are not answered together', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `cargo test ${name}`) as [
      string,
      string,
      string,
      string,
    ];
    const all = [command(a), of(b, 'x'), command('ls', other), of(c, 'y'), of(d, 'x')];
    const lanes = lanesOf(inLanes(all));
    expect(lanes.map(({ agent, subAgent, count }) => [agent, subAgent, count])).toEqual([
      ['Claude Code', undefined, 1],
      ['Claude Code', '“x”', 2],
      ['Claude Code', '“y”', 1],
      ['Codex', undefined, 1],
    ]);
    expect(groupOf(all, all[1] as Approval).map(({ id }) => id)).toEqual([b, d]);
  });
});
