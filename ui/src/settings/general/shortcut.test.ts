import { describe, expect, it } from 'vitest';
import { looksUsable, USUAL } from './shortcut';

describe('keys that bring the window forward', () => {
  it.each([USUAL, 'ctrl + alt + return', 'Meta+F1'])('can be %s', (keys) => {
    expect(looksUsable(keys)).toBe(true);
  });

  it.each(['', 'h', 'Shift+H', 'Super+', '+'])('cannot be "%s"', (keys) => {
    expect(looksUsable(keys)).toBe(false);
  });
});
