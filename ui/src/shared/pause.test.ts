import { describe, expect, it } from 'vitest';
import { pausedWords, pauseSeconds, timeOfDay } from './pause';

describe('the end of a pause', () => {
  it("is a time away, or a person's doing", () => {
    const now = new Date(2026, 10, 24, 22, 30, 15);
    expect(pauseSeconds('never', now)).toBeUndefined();
    expect(pauseSeconds('quarter', now)).toBe(900);
    expect(pauseSeconds('hour', now)).toBe(3600);
    expect(pauseSeconds('tomorrow', now)).toBe(89 * 60 + 45);
  });

  it('is within a day, also just after midnight', () => {
    expect(pauseSeconds('tomorrow', new Date(2026, 10, 24, 0, 0, 0))).toBe(86_400);
    expect(pauseSeconds('tomorrow', new Date(2026, 10, 24, 23, 59, 59, 900))).toBe(1);
  });

  it('is said by the local time', () => {
    const until = new Date(2026, 10, 24, 9, 5).toISOString();
    expect(timeOfDay(until)).toBe('09:05');
    expect(pausedWords('deny_everything', until)).toBe('Paused until 09:05: Handraise denies everything.');
    expect(pausedWords('ask_everything', undefined)).toBe('Paused: Handraise asks about everything.');
  });
});
