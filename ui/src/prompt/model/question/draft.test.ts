import { describe, expect, it } from 'vitest';
import type { Question } from '../../../generated/protocol';
import { answerOf, choose, declined, EMPTY_DRAFT } from './draft';

const question = (change: Partial<Question> = {}): Question =>
  ({
    id: 'q',
    choices: ['a', 'b'].map((label) => ({ label, line: label, shown: [] })),
    multiple: false,
    custom: true,
    ...change,
  }) as unknown as Question;

describe('a draft', () => {
  it('is no answer as long as nothing is in it', () => {
    expect(answerOf(question(), EMPTY_DRAFT)).toBeNull();
    expect(answerOf(question(), { selected: [], words: ' \n ' })).toBeNull();
    expect(answerOf(question({ custom: false }), { selected: [], words: 'words' })).toBeNull();
  });

  it('answers with what was chosen and written', () => {
    expect(answerOf(question(), { selected: ['b'], words: '' })).toEqual({ selected: ['b'] });
    expect(answerOf(question(), { selected: [], words: ' so ' })).toEqual({ custom: 'so' });
    expect(answerOf(question(), { selected: ['a'], words: 'so' })).toEqual({ selected: ['a'], custom: 'so' });
  });

  it('never names a choice that is not there', () => {
    expect(answerOf(question(), { selected: ['c'], words: '' })).toBeNull();
  });

  it('holds one choice or several', () => {
    const one = { selected: ['a'], words: '' };
    expect(choose(question(), one, 'b', true)).toEqual(['b']);
    expect(choose(question({ multiple: true }), one, 'b', true)).toEqual(['a', 'b']);
    expect(choose(question({ multiple: true }), one, 'a', false)).toEqual([]);
  });

  it('declines with what was written as the reason', () => {
    expect(declined(EMPTY_DRAFT)).toEqual({ decline: true });
    expect(declined({ selected: ['a'], words: ' not now ' })).toEqual({ decline: true, reason: 'not now' });
  });
});
