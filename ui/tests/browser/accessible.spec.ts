import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { SCENES } from '../../src/platform/fixture/scenes';
import { hasBrowser, lookedAt, opened, withBrowser, type Look } from './page';

const LOOKS: Record<string, Look> = {
  light: {},
  dark: { appearance: 'dark' },
  forced: { forced: true },
  'text at 200 %': { width: 1280, height: 720, text: 200 },
};
/** Scenes with a list, which is drawn only where it is wide. */
const LISTED: ReadonlySet<string> = new Set(['ten', 'step', 'missed', 'questions']);
const WIDE: Look = { width: 1100, height: 700 };

describe.runIf(hasBrowser)('axe finds nothing', () => {
  withBrowser();
  it.each(Object.keys(SCENES))('in the scene %s', async (scene) => {
    const page = await opened(scene);
    await page.evaluate(axe.source);
    const found: string[] = [];
    const looks = { ...LOOKS, ...(LISTED.has(scene) && { 'a wide window': WIDE }) };
    for (const [name, look] of Object.entries(looks)) {
      await lookedAt(page, look);
      const results = await page.evaluate(() =>
        (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
      );
      for (const { id, nodes } of results.violations)
        found.push(...nodes.map((node) => `${name}: ${id}: ${node.html.slice(0, 200)}`));
    }
    expect(found).toEqual([]);
  });
});
