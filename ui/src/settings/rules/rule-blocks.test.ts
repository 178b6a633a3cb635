import { describe, expect, it } from 'vitest';
import { blocksOf, moveRule, rulesOf } from './rule-blocks';

const FILE = `version = 1

# Looking is free.
# Really.
[[rule]]
command = "git status *"
action = "allow"

[risk]
write = "ask"

[[rule]]
path = "~/.ssh/**"
action = "deny" # never
final = true
reason = "this machine's \\"keys\\"" # of mine
`;

describe('the policy file as blocks', () => {
  it.each([
    FILE,
    '',
    '\n\n',
    '[[rule]]',
    '[[rule]]\naction="ask"',
    'version = 1\r\n[[rule]]\r\naction = "ask"\r\n',
    'x = """\n[[rule]]\n"""\n',
    '# only a comment',
    '[[rule]]\n[[rule]]\n',
  ])('is the text again, to the last character', (text) => {
    expect(
      blocksOf(text)
        .map((block) => block.text)
        .join(''),
    ).toBe(text);
  });

  it('keeps comments right above a rule with it', () => {
    expect(blocksOf(FILE).map(({ kind }) => kind)).toEqual(['other', 'rule', 'other', 'rule']);
    expect(blocksOf(FILE)[1]?.text).toMatch(/^# Looking is free/);
  });

  it.each([
    ['a string of several lines', 'reason = """\n[[rule]]\n"""'],
    ['a literal string of several lines', "reason = '''\n[[rule]]\n'''"],
    ['a list of several lines', 'match = [\n  "a",\n  [\n[[rule]]\n]]'],
    ['a comment', '# [[rule]]'],
    ['a string with quotes', 'reason = "\\"\\"\\" [[rule]]"'],
  ])('takes no rule from %s', (_what, entry) => {
    expect(rulesOf(`[[rule]]\n${entry}\naction = "ask"\n`)).toHaveLength(1);
  });

  it('takes a table of a rule for part of it', () => {
    expect(
      rulesOf('[[rule]]\naction = "ask"\n[rule.arguments]\nx = "y"\n[[rule]]\naction = "deny"\n'),
    ).toHaveLength(2);
  });
});

describe('the rules', () => {
  it('are listed with what they do, to what, and where they stand', () => {
    expect(rulesOf(FILE)).toEqual([
      { index: 0, line: 5, action: 'allow', conditions: 'command = "git status *"', reason: undefined },
      {
        index: 1,
        line: 12,
        action: 'deny',
        conditions: 'path = "~/.ssh/**", final = true',
        reason: `this machine's \\"keys\\"`,
      },
    ]);
  });

  it('change places, with their comments; all else stays', () => {
    const moved = moveRule(FILE, 1, 0);
    expect(rulesOf(moved).map(({ action }) => action)).toEqual(['deny', 'allow']);
    expect(moved.startsWith('version = 1\n\n[[rule]]\npath')).toBe(true);
    expect(moved).toContain('[risk]\nwrite = "ask"\n\n# Looking is free.\n# Really.\n[[rule]]\ncommand');
    expect(moveRule(moved, 0, 1)).toBe(FILE);
  });

  it('that stand at an end stay there', () => {
    expect(moveRule(FILE, 0, -1)).toBe(FILE);
    expect(moveRule(FILE, 1, 2)).toBe(FILE);
    expect(moveRule(FILE, 7, 0)).toBe(FILE);
  });

  it('do not run into each other where the file has no last line break', () => {
    const text = '[[rule]]\naction = "ask"\n[[rule]]\naction = "deny"';
    expect(moveRule(text, 1, 0)).toBe('[[rule]]\naction = "deny"\n[[rule]]\naction = "ask"\n');
  });
});
