import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import type { Locale } from '../../src/generated/protocol';
import { atRest } from './page';

type Catalogue = Record<string, string>;

const read = (locale: Locale): Catalogue =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../messages/${locale}.json`), 'utf8')) as Catalogue;
const english = read('en');

/** What axe finds in a page. */
export async function violations(page: Page): Promise<string[]> {
  // Once for each document: it is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // The violations alone leave the page: all that is well is far more.
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}

/** Texts that run out of their element or of the window, and buttons that lie on one another. */
export function crowded(page: Page): Promise<string[]> {
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
export async function said(page: Page): Promise<string[]> {
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
export async function leftInEnglish(page: Page, locale: Locale): Promise<string[]> {
  const there = read(locale);
  const texts = new Set(
    Object.keys(english).flatMap((key) => (english[key] === there[key] ? [] : english[key])),
  );
  return (await said(page)).filter((text) => texts.has(text));
}

/** Code that would be read from right to left. */
export function turnedCode(page: Page): Promise<string[]> {
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
export function mixedIn(page: Page): Promise<string[]> {
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
