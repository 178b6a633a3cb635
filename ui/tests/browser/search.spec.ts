import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, openedSettings, PATIENCE, withBrowser } from './page';

const at = (page: Page, name: string) => page.locator(`[data-testid=${name}]`).first();
const soon = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE, interval: 50 });

/** The sections that have settings, and something that is drawn last in each. */
const SECTIONS: [string, string][] = [
  ['policy', 'open-policy'],
  ['rules', 'import-look'],
  ['general', 'mode-normal'],
  ['connections', 'credential-form'],
];

describe.runIf(hasBrowser)('the search for settings', () => {
  withBrowser();

  it('finds every setting that a section draws, and leads to it', async () => {
    const page = await openedSettings();
    for (const [section, last] of SECTIONS) {
      await at(page, `nav-${section}`).click();
      await at(page, last).waitFor();
      const labels = await page
        .locator(
          'main .row label:not(.switch), main legend, main h2:not(:has(label)):not([data-testid=notice] h2), main h2 label',
        )
        .allInnerTexts();
      expect(labels.length).toBeGreaterThan(0);
      const missing: string[] = [];
      for (const label of labels.map((text) => text.trim()).filter((text) => text !== '')) {
        await at(page, 'settings-search').fill(label);
        await page.locator('[data-testid=settings-found], [data-testid=settings-search-none]').waitFor();
        const hits = await page.locator('[data-testid=settings-hit] .label').allInnerTexts();
        if (!hits.includes(label)) missing.push(`${section}: ${label}`);
      }
      expect(missing).toEqual([]);
    }
  });

  it('goes to what is chosen, and puts the keyboard there', async () => {
    const page = await openedSettings();
    await at(page, 'settings-search').fill('time to answer');
    await at(page, 'settings-hit').click();
    await soon(() => page.evaluate(() => document.activeElement?.id)).toBe('timeout');
    expect(await at(page, 'settings-search').inputValue()).toBe('');
    expect(await at(page, 'nav-policy').getAttribute('aria-current')).toBe('page');
    // The rules are read first.
    await at(page, 'settings-search').fill('rules of your agents');
    await at(page, 'settings-hit').click();
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(
      'import-look',
    );
  });

  it('is left by Escape before the window is', async () => {
    const page = await openedSettings();
    await at(page, 'settings-search').fill('no such thing');
    await at(page, 'settings-search-none').waitFor();
    await page.keyboard.press('Escape');
    await soon(() => at(page, 'settings-search').inputValue()).toBe('');
    await at(page, 'nav-sessions').waitFor();
  });
});
