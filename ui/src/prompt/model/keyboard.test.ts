import { describe, expect, it } from 'vitest';
import { appeared, choiceOf, IGNORED_AFTER_FOCUS, press, type KeyPress, type Keyboard } from './keyboard';

const plain = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  repeat: false,
  modified: false,
  typing: false,
  ...change,
});
const settled: Keyboard = { ignoreUntil: -Infinity };

describe('the keys of the prompt window', () => {
  it.each([
    ['j', 'next'],
    ['ArrowUp', 'previous'],
    ['a', 'approve'],
    ['s', 'approve_session'],
    ['d', 'deny'],
    ['r', 'deny_with_reason'],
    ['e', 'edit'],
    ['g', 'together'],
    ['?', 'help'],
    ['Escape', 'hide'],
  ])('%s means %s', (key, command) => {
    expect(press(settled, plain(key), 0, true).command).toBe(command);
  });

  it('give Enter and Space no meaning', () => {
    expect(press(settled, plain('Enter'), 0, true).command).toBeUndefined();
    expect(press(settled, plain(' '), 0, true).command).toBeUndefined();
  });

  it('do not decide in the first second after the window appears', () => {
    const keyboard = appeared(5000);
    expect(press(keyboard, plain('d'), 5000 + IGNORED_AFTER_FOCUS - 1, true).command).toBeUndefined();
    expect(press(keyboard, plain('j'), 5001, true).command).toBe('next');
    expect(press(keyboard, plain('d'), 5000 + IGNORED_AFTER_FOCUS, true).command).toBe('deny');
  });

  it('do not decide while a person types text that was meant for another window', () => {
    let keyboard = settled;
    const commands = [...'had we read'].map((key, index) => {
      const heard = press(keyboard, plain(key), index * 100, true);
      keyboard = heard.keyboard;
      return heard.command;
    });
    expect(commands.filter((command) => command !== undefined)).toEqual([]);
  });

  it('do not decide when held, in a field, or with a modifier', () => {
    expect(press(settled, plain('a', { repeat: true }), 0, true).command).toBeUndefined();
    expect(press(settled, plain('a', { typing: true }), 0, true).command).toBeUndefined();
    expect(press(settled, plain('d', { modified: true }), 0, true).command).toBeUndefined();
    expect(press(settled, plain('Escape', { typing: true }), 0, true).command).toBe('hide');
  });
});

describe('a key that comes too early', () => {
  it('is told apart from one that means nothing', () => {
    expect(press(appeared(0), plain('a'), 10, true)).toMatchObject({ early: true });
    expect(press(appeared(0), plain('a', { repeat: true }), 10, true).early).toBeUndefined();
    expect(press(appeared(0), plain('j'), 10, true).early).toBeUndefined();
  });
});

describe('the keys of choices', () => {
  it('are the numbers, but not in a text', () => {
    expect(['1', '9', '0', 'a'].map((key) => choiceOf(plain(key)))).toEqual([1, 9, undefined, undefined]);
    expect(choiceOf(plain('1', { typing: true }))).toBeUndefined();
    expect(choiceOf(plain('1', { modified: true }))).toBeUndefined();
  });

  it('does not decide by a key that may be meant for another window', () => {
    for (const key of ['a', 's', 'd', 'r', 'e', 'g']) {
      const heard = press(settled, plain(key), 0, false);
      expect(heard).toMatchObject({ early: true });
      expect(heard.command).toBeUndefined();
    }
    expect(press(settled, plain('j'), 0, false).command).toBe('next');
  });
});
