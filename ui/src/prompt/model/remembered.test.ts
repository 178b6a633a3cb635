import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RuleCheck, RuleCheckRequest, ScopeChoice } from '../../generated/protocol';
import type { PromptPlatform } from '../../platform';
import { Remembered } from './remembered.svelte';

const choice: ScopeChoice = { scope: 'always', breadth: 'exact', remembers: 'Exactly ls', rule: 'a' };
const other: ScopeChoice = { ...choice, scope: 'project' };

/** What is said of each text, in the order in which it is answered. */
function remembered(check: (request: RuleCheckRequest) => Promise<RuleCheck>): Remembered {
  const platform = { checkRule: (_: string, request: RuleCheckRequest) => check(request) };
  return new Remembered(platform as unknown as PromptPlatform, () => undefined);
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a rule that is being changed', () => {
  it('holds the approval back until it can be approved with', async () => {
    const asked: string[] = [];
    const rule = remembered(({ rule }) => {
      asked.push(rule);
      return Promise.resolve(rule === 'good' ? {} : { refused: 'It is no rule.' });
    });
    expect(rule.isHeld(choice)).toBe(false);
    rule.typed('r', choice, 'bad');
    rule.typed('r', choice, 'worse');
    expect(rule.isHeld(choice)).toBe(true);
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toEqual(['worse']);
    expect(rule.isHeld(choice)).toBe(true);
    rule.typed('r', choice, 'good');
    expect(rule.isHeld(choice)).toBe(true);
    await vi.advanceTimersByTimeAsync(300);
    expect(rule.isHeld(choice)).toBe(false);
    expect(rule.textOf(choice)).toBe('good');
  });

  it('is the rule of one choice, and of no other', async () => {
    const rule = remembered(() => Promise.resolve({ refused: 'No.' }));
    rule.typed('r', choice, 'bad');
    await vi.advanceTimersByTimeAsync(300);
    expect(rule.textOf(other)).toBeNull();
    expect(rule.isHeld(other)).toBe(false);
    expect(rule.textOf(null)).toBeNull();
    rule.discard();
    expect(rule.textOf(choice)).toBeNull();
  });

  it('hears nothing about an earlier text', async () => {
    const answers: ((check: RuleCheck) => void)[] = [];
    const rule = remembered(() => new Promise((resolve) => answers.push(resolve)));
    rule.typed('r', choice, 'first');
    await vi.advanceTimersByTimeAsync(300);
    rule.typed('r', choice, 'second');
    answers[0]?.({});
    await vi.advanceTimersByTimeAsync(0);
    expect(rule.isHeld(choice)).toBe(true);
  });

  it('that cannot be checked is not approved', async () => {
    const rule = remembered(() => Promise.reject({ code: 'internal', detail: 'The disk is full.' }));
    rule.typed('r', choice, 'text');
    await vi.advanceTimersByTimeAsync(300);
    expect(rule.problem).toContain('The disk is full.');
    expect(rule.isHeld(choice)).toBe(true);
  });
});

describe('the commands that an answer covers', () => {
  const several: ScopeChoice = {
    scope: 'always',
    breadth: 'prefix',
    remembers: 'Every npm run lint * and every cargo test *',
    rule: 'lint\ntest',
    commands: [
      { commands: [1], remembers: 'npm run lint *', rule: 'lint', editable_rule: 'lint, to edit' },
      { commands: [0, 2], remembers: 'cargo test *', rule: 'test', editable_rule: 'test, to edit' },
    ],
  };
  const ticking = (): Remembered => remembered(() => Promise.resolve({}));

  it('are all of them at first, and those that are ticked later', () => {
    const kept = ticking();
    expect(kept.commandsOf(several)).toEqual([1, 0, 2]);
    expect(kept.of(several)).toBe(several);
    kept.ticks(several)?.toggle(2);
    expect(kept.commandsOf(several)).toEqual([1]);
    expect(kept.of(several)).toMatchObject({
      remembers: 'npm run lint *',
      rule: 'lint',
      editable_rule: 'lint, to edit',
    });
    expect(kept.ticks(several)?.isTicked(0)).toBe(false);
    expect(kept.isHeld(several)).toBe(false);
    kept.ticks(several)?.toggle(0);
    expect(kept.commandsOf(several)).toEqual([1, 0, 2]);
  });

  it('hold the approval back when there are none', () => {
    const kept = ticking();
    [1, 0].forEach((command) => kept.ticks(several)?.toggle(command));
    expect(kept.commandsOf(several)).toEqual([]);
    expect(kept.isHeld(several)).toBe(true);
    kept.discard();
    expect(kept.isHeld(several)).toBe(false);
  });

  it('stay chosen when the answer lasts longer, and are nothing to choose elsewhere', () => {
    const kept = ticking();
    kept.ticks(several)?.toggle(1);
    expect(kept.commandsOf({ ...several, scope: 'session' })).toEqual([0, 2]);
    expect(kept.commandsOf(choice)).toBeUndefined();
    expect(kept.ticks(choice)).toBeUndefined();
    expect(kept.ticks(several)?.isOffered(3)).toBe(false);
  });

  it('are told with the rule that is checked, and another choice forgets a changed rule', async () => {
    const asked: RuleCheckRequest[] = [];
    const kept = remembered((request) => {
      asked.push(request);
      return Promise.resolve({});
    });
    kept.ticks(several)?.toggle(1);
    kept.typed('r', several, 'changed');
    await vi.advanceTimersByTimeAsync(300);
    expect(asked).toEqual([{ rule: 'changed', scope: 'always', breadth: 'prefix', commands: [0, 2] }]);
    kept.ticks(several)?.toggle(1);
    expect(kept.textOf(several)).toBeNull();
  });
});
