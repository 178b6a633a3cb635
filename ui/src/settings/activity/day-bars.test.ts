import { describe, expect, it } from 'vitest';
import { bars, width } from './day-bars';

const day = (calls: number, asked: number) => ({ day: '2026-11-24', calls, asked });

describe('the bars of days', () => {
  it('are as high as their share of the busiest day', () => {
    const [first, second, third] = bars([day(200, 50), day(100, 0), day(0, 0)]);
    expect([first?.height, first?.askedHeight, first?.y]).toEqual([100, 25, 0]);
    expect([second?.height, second?.askedHeight]).toEqual([50, 0]);
    expect(third?.height).toBe(0);
  });

  it('show one call of very many', () => {
    const [, one] = bars([day(100_000, 0), day(1, 1)]);
    expect(one?.height).toBeGreaterThan(1);
    expect(one?.askedHeight).toBe(one?.height);
  });

  it('stand beside each other in the drawing', () => {
    const days = Array.from({ length: 30 }, () => day(1, 1));
    const last = bars(days).at(-1);
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThan(width(days));
    expect([bars([]).length, width([])]).toEqual([0, 10]);
  });
});
