import { describe, expect, it } from 'vitest';
import { isFoundIn } from './search';

describe('a text', () => {
  it.each([
    ['Quiet hours', 'quiet', true],
    ['Quiet hours', 'HOURS qu', true],
    ['Quiet hours', 'sound', false],
    ['Quiet hours', '  ', true],
    ['Töne', 'TÖNE', true],
    ['通知音', '通知', true],
  ])('%s is found by %s: %s', (text, search, found) => {
    expect(isFoundIn(text, search)).toBe(found);
  });
});
