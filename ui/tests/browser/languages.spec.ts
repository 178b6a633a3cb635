import { describe, expect, it } from 'vitest';
import { mixedIn, turnedCode } from './faults';
import { hasBrowser, opened, openedSettings, withBrowser } from './page';

describe.runIf(hasBrowser)('the language', () => {
  withBrowser();
  it('is chosen in the settings', async () => {
    const page = await openedSettings();
    await page.locator('[data-testid=nav-general]').click();
    for (const [locale, heading] of [
      ['de', 'Allgemein'],
      ['ja', '一般'],
      ['', 'General'],
    ] as const) {
      await page.locator('[data-testid=language]').selectOption(locale);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale || 'en');
    }
  });
});

describe.runIf(hasBrowser)('from right to left', () => {
  withBrowser();
  it('is where things stand', async () => {
    const page = await opened('write', { mirrored: true });
    const left = async (testid: string): Promise<number> =>
      (await page.locator(`[data-testid=${testid}]`).boundingBox())?.x ?? Number.NaN;
    expect(await left('approve'), 'the main button comes last').toBeLessThan(await left('deny'));
    expect(await left('countdown')).toBeLessThan(320);
    const settings = await openedSettings('', { mirrored: true });
    expect((await settings.locator('nav').boundingBox())?.x).toBeGreaterThan(430);
  });
});

describe.runIf(hasBrowser)('names and commands in letters that are read from right to left', () => {
  withBrowser();
  it.each([false, true])('move nothing that is not theirs (mirrored: %s)', async (mirrored) => {
    for (const look of [{}, { width: 1100, height: 700 }]) {
      const page = await opened('mirrored', { ...look, mirrored });
      expect(await mixedIn(page)).toEqual([]);
      expect(await turnedCode(page)).toEqual([]);
    }
    const questions = await opened('question', { mirrored });
    expect(await mixedIn(questions)).toEqual([]);
  });
});
