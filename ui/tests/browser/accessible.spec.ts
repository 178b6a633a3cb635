import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { SCENES } from '../../src/platform/fixture/scenes';
import type { Page } from 'playwright-core';
import { hasBrowser, lookedAt, opened, openedSettings, withBrowser, type Look } from './page';
import { SETTINGS_VIEWS } from './views';

const LOOKS: Record<string, Look> = {
  light: {},
  dark: { appearance: 'dark' },
  forced: { forced: true },
  'text at 200 %': { width: 1280, height: 720, text: 200 },
};
/** Scenes with a list, which is drawn only where it is wide. */
const LISTED: ReadonlySet<string> = new Set(['ten', 'step', 'alike', 'missed', 'questions']);
const WIDE: Look = { width: 1100, height: 700 };

/** What axe finds in a page in each look. */
async function violations(page: Page, looks: Record<string, Look>): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const [name, look] of Object.entries(looks)) {
    await lookedAt(page, look);
    const results = await page.evaluate(() =>
      (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
    );
    for (const { id, nodes } of results.violations)
      found.push(...nodes.map((node) => `${name}: ${id}: ${node.html.slice(0, 200)}`));
  }
  return found;
}

describe.runIf(hasBrowser)('axe finds nothing', () => {
  withBrowser();
  it.each(Object.keys(SCENES))('in the scene %s', async (scene) => {
    const page = await opened(scene);
    const looks = { ...LOOKS, ...(LISTED.has(scene) && { 'a wide window': WIDE }) };
    const found = await violations(page, looks);
    expect(found).toEqual([]);
  });
  it('in calls that are seen together', async () => {
    const page = await opened('alike');
    await page.locator('[data-testid=look-together]').click();
    await page.locator('[data-testid=together]').waitFor();
    expect(await violations(page, { ...LOOKS, 'a wide window': WIDE })).toEqual([]);
  });
  it.each(['editable-destructive', 'write'])('in the scene %s while it is changed', async (scene) => {
    const page = await opened(scene);
    await page.keyboard.press('e');
    await page.locator('[data-testid=edit-command]').fill('rm -rf build && ls');
    await page.locator('[data-testid=consequences]').waitFor();
    expect(await violations(page, LOOKS)).toEqual([]);
  });
  it.each(Object.entries(SETTINGS_VIEWS))('in the settings, %s', async (_name, { query, go }) => {
    const page = await openedSettings(query);
    await go(page);
    expect(await violations(page, LOOKS)).toEqual([]);
    await lookedAt(page, { width: 1280, height: 720, text: 200 });
    const sideways = await page.evaluate(() => {
      const main = document.querySelector('main');
      return main ? main.scrollWidth - main.clientWidth : 1;
    });
    expect(sideways, 'it has to be scrolled sideways').toBe(0);
  });
});
