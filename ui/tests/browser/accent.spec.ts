import { describe, expect, it } from 'vitest';
import { contrast } from '../contrast';
import { hasBrowser, opened, withBrowser } from './page';

/** Accent colours of desktops (GNOME 47, Plasma, Ubuntu), and those that no text could be read on. */
const ACCENTS = [
  ...['#3584e4', '#2190a4', '#3a944a', '#c88800', '#ed5b00', '#e62d42', '#d56199', '#9141ac', '#6f8396'],
  ...['#3daee9', '#e95420', '#657b69', '#808080'],
  ...['#000000', '#ffffff', '#ffff00', '#00ff00', '#00ffff', '#0000ff', '#ff00ff', '#ff0000'],
];

/** Each ink with what it is drawn on, and the contrast that it needs. */
const DRAWN: [string, string[], number][] = [
  ['accent', ['ground', 'surface', 'accent-soft', 'raised'], 4.5],
  ['on-accent', ['accent', 'accent-hover'], 4.5],
  ['text', ['accent-soft'], 4.5],
  ['quiet', ['accent-soft'], 4.5],
  ['focus', ['ground', 'surface', 'sunken'], 3],
];

describe.runIf(hasBrowser)('the accent colour of the desktop', () => {
  withBrowser();

  it.each(['light', 'dark'] as const)('can be read in %s, whatever it is', async (appearance) => {
    const page = await opened('write', { appearance });
    const names = [...new Set(DRAWN.flatMap(([ink, grounds]) => [ink, ...grounds]))];
    const all = await page.evaluate(
      ({ accents, names }) => {
        const root = document.documentElement;
        const probe = document.body.appendChild(document.createElement('i'));
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        // As it is drawn: a colour beyond what a screen has is cut off there.
        const drawn = (name: string): string => {
          probe.style.color = `var(--${name})`;
          if (!canvas) return '';
          canvas.fillStyle = getComputedStyle(probe).color;
          canvas.fillRect(0, 0, 1, 1);
          const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
          return `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
        };
        return accents.map((accent) => {
          root.toggleAttribute('data-accent', true);
          root.style.setProperty('--desktop-accent', accent);
          return Object.fromEntries(names.map((name) => [name, drawn(name)]));
        });
      },
      { accents: ACCENTS, names },
    );
    const faint = all.flatMap((colours, index) =>
      DRAWN.flatMap(([ink, grounds, least]) =>
        grounds
          .map((ground) => ({ ground, ratio: contrast(colours[ink] ?? '', colours[ground] ?? '') }))
          .filter(({ ratio }) => !(ratio >= least))
          .map(({ ground, ratio }) => `${ACCENTS[index]}: ${ink} on ${ground}: ${ratio.toFixed(2)}`),
      ),
    );
    expect(faint).toEqual([]);
    // It is the desktop's: no two of these look the same but the greys.
    expect(new Set(all.map(({ accent }) => accent)).size).toBeGreaterThan(ACCENTS.length - 5);
  });
});
