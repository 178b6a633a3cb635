import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Locale } from '../../src/generated/protocol';
import { crowded, leftInEnglish, said, turnedCode, violations } from './faults';
import { lookedAt, type Look } from './page';

/** A view of a window: how it is opened anew, and in which window it is looked at beside the ordinary ones. */
export type View = { name: string; open: (locale: Locale) => Promise<Page>; looks?: Record<string, Look> };

const LARGE: Look = { width: 1280, height: 720, text: 200 };
const LOOKS: Record<string, Look> = {
  light: {},
  dark: { appearance: 'dark' },
  forced: { forced: true },
  'text at 200 %': LARGE,
};
/** The looks in which words may find no room. */
const ROOMS: Record<string, Look> = { 'as it opens': {}, 'text at 200 %': LARGE };
const TRANSLATED: Locale[] = ['de', 'ja'];

/** A text without the number of lines that were not yet on the screen. */
const withoutFigures = (text: string): string => text.replaceAll(/[0-9]+/g, '#');

/** What must hold for every view. Each is opened once in English, and then looked at in one way after the other. */
export function hold(views: readonly View[]): void {
  describe.each(views)('$name', ({ open, looks }) => {
    let page: Page;
    let inJapanese: string[];
    beforeAll(async () => {
      inJapanese = (await said(await open('ja'))).map(withoutFigures);
      page = await open('en');
    });

    // The first one: which lines of a call have been on the screen is told, and depends on how it was looked at.
    it('is in another language at once when that is chosen', async () => {
      await lookedAt(page, { locale: 'ja' });
      expect((await said(page)).map(withoutFigures)).toEqual(inJapanese);
    });

    it('has nothing that axe finds', async () => {
      const found: string[] = [];
      for (const [name, look] of Object.entries({ ...LOOKS, ...looks })) {
        await lookedAt(page, look);
        found.push(...(await violations(page)).map((one) => `${name}: ${one}`));
      }
      expect(found).toEqual([]);
    });

    it('is not scrolled sideways with text at 200 %', async () => {
      await lookedAt(page, LARGE);
      const sideways = await page.evaluate(() => {
        const main = document.querySelector('main');
        return main ? main.scrollWidth - main.clientWidth : 1;
      });
      expect(sideways).toBe(0);
    });

    it('has room from right to left', async () => {
      const found: string[] = [];
      for (const [look, how] of Object.entries(ROOMS)) {
        await lookedAt(page, { ...how, mirrored: true });
        found.push(...(await crowded(page)).map((one) => `${look}: ${one}`));
      }
      found.push(...(await violations(page)), ...(await turnedCode(page)));
      expect(found).toEqual([]);
    });

    it.each(TRANSLATED)('is said in the language %s, and has room', async (locale) => {
      const found: string[] = [];
      for (const [look, how] of Object.entries(ROOMS)) {
        await lookedAt(page, { ...how, locale });
        found.push(...(await crowded(page)).map((one) => `${look}: ${one}`));
      }
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
      found.push(...(await leftInEnglish(page, locale)).map((one) => `English: ${one}`));
      found.push(...(await violations(page)));
      expect(found).toEqual([]);
    });
  });
}
