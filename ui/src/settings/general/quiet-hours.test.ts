import { describe, expect, it } from 'vitest';
import { asTime, fromTime, USUAL } from './quiet-hours';

describe('quiet hours', () => {
  it('are written as times and read again', () => {
    expect(asTime(USUAL.from)).toBe('22:00');
    for (const minutes of [0, 9, 60, 719, 1439]) expect(fromTime(asTime(minutes))).toBe(minutes);
  });

  it('are not made from half a time', () => {
    for (const text of ['', '7:00', '24:00', '12:60', 'now']) expect(fromTime(text)).toBeUndefined();
  });
});
