import { describe, expect, it } from 'vitest';
import { isWhole, look, NOTHING_SHOWN, type Sight } from './shown';

const sight = (top: number, bottom: number, width = 500): Sight => ({ top, bottom, width, height: 1000 });

describe('having been shown a text', () => {
  it('needs every part of it', () => {
    let shown = NOTHING_SHOWN;
    for (let top = 0; top < 1000; top += 150) shown = look(shown, sight(top, Math.min(1000, top + 200)));
    expect(isWhole(shown, 1000)).toBe(true);
  });

  it('is not reached by jumping to the end', () => {
    const shown = look(look(NOTHING_SHOWN, sight(0, 200)), sight(800, 1000));
    expect(isWhole(shown, 1000)).toBe(false);
    expect(shown.until).toBe(200);
  });

  it('is forgotten when the lines break elsewhere', () => {
    const shown = look(NOTHING_SHOWN, sight(0, 1000));
    expect(isWhole(look(shown, sight(0, 300, 400)), 1000)).toBe(false);
  });

  it('is not had through a slit', () => {
    let shown = NOTHING_SHOWN;
    for (let top = 0; top < 1000; top += 10) shown = look(shown, sight(top, top + 20), 60);
    expect(shown.until).toBe(0);
    expect(isWhole(look(NOTHING_SHOWN, { top: 0, bottom: 20, width: 500, height: 20 }, 60), 20)).toBe(true);
  });

  it('never holds for a text that has no height yet', () => {
    expect(isWhole(NOTHING_SHOWN, 0)).toBe(false);
  });
});
