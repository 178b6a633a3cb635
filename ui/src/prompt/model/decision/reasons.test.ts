import { describe, expect, it } from 'vitest';
import { KEPT_REASONS, readReasons, withReason } from './reasons';

describe('recent reasons', () => {
  it('come latest first, once each, and not too many', () => {
    const reasons = ['1', '2', '3', '4', '5', '6', '2 '].reduce<string[]>(withReason, []);
    expect(reasons).toEqual(['2', '6', '5', '4', '3']);
    expect(reasons).toHaveLength(KEPT_REASONS);
  });

  it('are not made of nothing', () => {
    expect(withReason(['a'], '  ')).toEqual(['a']);
  });

  it.each([null, 'nonsense', '{}', '3'])('are none when %s is stored', (stored) => {
    expect(readReasons(stored)).toEqual([]);
  });
});
