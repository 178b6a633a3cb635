import { describe, expect, it } from 'vitest';
import { foldConsequences } from './consequences';

const told = (sentence: string, loses = false, command = 'rm x') => ({ sentence, command, loses });

describe('what a call would do', () => {
  it('says first what is lost, and keeps three lines open', () => {
    const { first, rest } = foldConsequences([
      told('a'),
      told('b'),
      told('c', true),
      told('d'),
      told('e', true),
    ]);
    expect(first.map((one) => one.sentence)).toEqual(['c', 'e', 'a']);
    expect(rest.map((one) => one.sentence)).toEqual(['b', 'd']);
  });

  it('names the commands only where there are several', () => {
    expect(foldConsequences([told('a'), told('b')]).named).toBe(false);
    expect(foldConsequences([told('a'), told('b', false, 'git push')]).named).toBe(true);
  });
});
