import { describe, expect, it } from 'vitest';
import { Presses } from './presses';

describe('a click', () => {
  it('follows from a press, once', () => {
    const presses = new Presses();
    expect(presses.isPressed(1000), 'nothing was pressed').toBe(false);
    presses.press(1990);
    expect(presses.isPressed(2000)).toBe(true);
    expect(presses.isPressed(2100), 'nothing was pressed since').toBe(false);
  });

  it('follows from the release, however long the press was', () => {
    const presses = new Presses();
    presses.press(1000);
    presses.press(9000);
    expect(presses.isPressed(9001)).toBe(true);
  });

  it('does not follow from a key that was pressed for something else before', () => {
    const presses = new Presses();
    presses.press(1000);
    presses.press(1080);
    expect(presses.isPressed(5000)).toBe(false);
  });

  it('brings another one with it, as a label does for its field', () => {
    const presses = new Presses();
    presses.press(990);
    expect(presses.isPressed(1000)).toBe(true);
    expect(presses.isPressed(1001)).toBe(true);
    expect(presses.isPressed(1051), 'those do not bring further ones').toBe(false);
  });
});
