import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Locale } from '../../src/generated/protocol';
import { SCENES } from '../../src/platform/fixture/scenes';
import { atRest, hasBrowser, lookedAt, opened, openedSettings, withBrowser, type Look } from './page';
import { PROMPT_STATES, SETTINGS_VIEWS } from './views';

type Catalogue = Record<string, string>;

const read = (locale: Locale): Catalogue =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../messages/${locale}.json`), 'utf8')) as Catalogue;
const english = read('en');
const TRANSLATED: Locale[] = ['de', 'ja'];

/** The looks in which words may find no room. */
const LOOKS: Record<string, Look> = {
  'as it opens': {},
  'text at 200 %': { width: 1280, height: 720, text: 200 },
};

/** Texts that run out of their element or of the window, and buttons that lie on one another. */
function crowded(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const named = (element: Element): string =>
      `${element.tagName.toLowerCase()} “${(element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 80)}”`;
    const isSeen = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) &&
      element.closest('.only-heard, :popover-open') === null &&
      element.getBoundingClientRect().width > 0;
    for (const element of document.body.querySelectorAll('*')) {
      const speaks = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      if (!speaks || !isSeen(element) || element.tagName === 'OPTION') continue;
      const style = getComputedStyle(element);
      const isClipped = style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis';
      const wider = element.scrollWidth > element.clientWidth + 1;
      if (wider && style.display !== 'inline' && (isClipped || element.tagName === 'BUTTON'))
        found.push(`cut off: ${named(element)}`);
      const box = element.getBoundingClientRect();
      if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside the window: ${named(element)}`);
    }
    // What is scrolled out of sight lies under nothing.
    const frame = (element: Element): Element | null =>
      element.closest('.scrolls, .choices, main, nav, dialog, footer');
    const buttons = [...document.querySelectorAll('button, select, input')].filter(isSeen);
    buttons.forEach((one, index) => {
      const a = one.getBoundingClientRect();
      for (const other of buttons.slice(index + 1)) {
        const b = other.getBoundingClientRect();
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 1 && frame(one) === frame(other))
          found.push(`one on another: ${named(one)}, ${named(other)}`);
      }
    });
    return found;
  });
}

/** All that the window says in its own words: texts and names of things, without what others have said. */
async function said(page: Page): Promise<string[]> {
  await atRest(page);
  return page.evaluate(() => {
    const others =
      'html > body [lang=en], code, pre, .code, bdi, dd, [data-testid=question-text], option[lang]';
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement?.closest(others) === null) texts.push(node.textContent?.trim() ?? '');
    for (const element of document.body.querySelectorAll('[title], [aria-label], [placeholder]')) {
      if (element.closest(others)) continue;
      for (const name of ['title', 'aria-label', 'placeholder'])
        texts.push(element.getAttribute(name)?.trim() ?? '');
    }
    return texts.filter((text) => text !== '');
  });
}

/** English texts of the catalogue that are still there in another language. */
async function leftInEnglish(page: Page, locale: Locale): Promise<string[]> {
  const there = read(locale);
  const texts = new Set(
    Object.keys(english).flatMap((key) => (english[key] === there[key] ? [] : english[key])),
  );
  return (await said(page)).filter((text) => texts.has(text));
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Code that would be read from right to left. */
function turnedCode(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('code, pre, .code, .code bdi, code bdi, .pieces')]
      .filter((element) => {
        const { direction, unicodeBidi } = getComputedStyle(element);
        return direction !== 'ltr' || !unicodeBidi.startsWith('isolate');
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** Texts with letters that are read from right to left, in one paragraph with words of others: they could move these. */
function mixedIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node);
    for (const text of texts.filter(({ textContent }) =>
      /\p{Script=Hebrew}|\p{Script=Arabic}/u.test(textContent ?? ''),
    )) {
      let paragraph = text.parentElement;
      while (paragraph) {
        const { display, unicodeBidi } = getComputedStyle(paragraph);
        if (display !== 'inline' || unicodeBidi !== 'normal') break;
        paragraph = paragraph.parentElement;
      }
      const others = texts.filter(
        (other) => other !== text && paragraph?.contains(other) && other.textContent?.trim(),
      );
      if (others.length > 0 && !paragraph?.closest('.text'))
        found.push(
          `${text.textContent} beside ${others.map(({ textContent }) => textContent?.trim()).join('|')}`,
        );
    }
    return found;
  });
}

/** A text without the figures that depend on when it is looked at. */
const withoutTime = (text: string): string => text.replaceAll(/[0-9]+/g, '#');

/** Every view of both windows, and how it is opened. */
const VIEWS: [string, (locale?: Locale) => Promise<Page>][] = [
  ...Object.keys(SCENES).map((scene): (typeof VIEWS)[number] => [
    `the scene ${scene}`,
    (locale) => opened(scene, locale ? { locale } : {}),
  ]),
  ...Object.entries(PROMPT_STATES).map(([name, { scene, go }]): (typeof VIEWS)[number] => [
    `the prompt, ${name}`,
    async (locale) => {
      const page = await opened(scene, locale ? { locale } : {});
      await go(page);
      return page;
    },
  ]),
  ...Object.entries(SETTINGS_VIEWS).map(([name, { query, go }]): (typeof VIEWS)[number] => [
    `the settings, ${name}`,
    async (locale) => {
      const page = await openedSettings(query, locale ? { locale } : {});
      await go(page);
      return page;
    },
  ]),
];

describe.runIf(hasBrowser)('in every language', () => {
  withBrowser();
  it.each(VIEWS)('is %s', async (_name, open) => {
    const page = await open();
    const found: string[] = [];
    for (const locale of TRANSLATED) {
      for (const [look, how] of Object.entries(LOOKS)) {
        await lookedAt(page, { ...how, locale });
        found.push(...(await crowded(page)).map((one) => `${locale}, ${look}: ${one}`));
      }
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale);
      found.push(...(await leftInEnglish(page, locale)).map((one) => `${locale}: English: ${one}`));
      found.push(...(await violations(page)).map((one) => `${locale}: ${one}`));
    }
    expect(found).toEqual([]);
  });

  it.each(VIEWS)('is %s at once when another is chosen', async (_name, open) => {
    const before = await open();
    await lookedAt(before, { locale: 'ja' });
    const changed = await said(before);
    const first = await open('ja');
    expect(changed.map(withoutTime)).toEqual((await said(first)).map(withoutTime));
  });

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
  it.each(VIEWS)('is %s', async (_name, open) => {
    const page = await open();
    const found: string[] = [];
    for (const [look, how] of Object.entries(LOOKS)) {
      await lookedAt(page, { ...how, mirrored: true });
      found.push(...(await crowded(page)).map((one) => `${look}: ${one}`));
    }
    found.push(...(await violations(page)), ...(await turnedCode(page)));
    expect(found).toEqual([]);
  });

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
