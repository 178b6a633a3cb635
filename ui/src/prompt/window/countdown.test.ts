import { describe, expect, it } from 'vitest';
import { secondsLeft, shareLeft, timeLeft, timeLeftShort } from './countdown';

describe('the countdown', () => {
  it.each([
    [0, 'Time is up'],
    [1, '1 s left'],
    [59, '59 s left'],
    [60, '1:00 left'],
    [272, '4:32 left'],
    [3600, '1 h 0 min left'],
    [86_399, '23 h 59 min left'],
  ])('says %i seconds as "%s"', (seconds, words) => {
    expect(timeLeft(seconds)).toBe(words);
  });

  it('is shorter in the list', () => {
    expect([5, 65, 4000].map(timeLeftShort)).toEqual(['5 s', '1:05', '1 h 6 min']);
  });

  it('never goes below nothing, and never says that time is up while some is left', () => {
    const end = '2026-11-20T12:00:00Z';
    expect(secondsLeft(end, Date.parse(end) + 5000)).toBe(0);
    expect(secondsLeft(end, Date.parse(end) - 1)).toBe(1);
  });

  it('knows the share that is left', () => {
    const [start, end] = ['2026-11-20T12:00:00Z', '2026-11-20T12:05:00Z'];
    expect(shareLeft(start, end, Date.parse('2026-11-20T12:02:30Z'))).toBe(0.5);
    expect(shareLeft(end, end, 0)).toBe(0);
  });
});
