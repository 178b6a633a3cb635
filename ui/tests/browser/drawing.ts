import type { Page } from 'playwright-core';
import { atRest, settled } from './page';

/**
 * Draws all words in the font that comes with the product, whatever fonts the machine has: each of its letters has the
 * same width. A sign that it does not have becomes an `x`, since each machine takes that from another font.
 */
function ownFont(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    for (const name of ['--font-text', '--font-code'])
      document.documentElement.style.setProperty(name, "'JetBrains Mono'");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node as Text;
      const drawable = text.data.replaceAll(
        /[^\u{0}-\u{ff}\u{2010}-\u{2026}\u{20ac}\u{2190}-\u{2193}]/gu,
        'x',
      );
      if (drawable !== text.data) text.data = drawable;
    }
    return document.fonts.load("1rem 'JetBrains Mono'").then(() => document.fonts.ready);
  });
}

/** A line for each thing that can be seen: what it is, its box, its colours, its letters. */
function lines(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isDrawn = (colour: string): boolean => !/, 0\)$/.test(colour) && colour !== 'transparent';
    const colourOf = (colour: string): string => {
      const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour);
      if (!parts) return colour;
      const hex = parts.slice(1, 4).map((part) => Number(part).toString(16).padStart(2, '0'));
      return `#${hex.join('')}${parts[4] === undefined ? '' : `/${parts[4]}`}`;
    };
    const ownText = (element: Element): string =>
      [...element.childNodes]
        .map((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : ''))
        .join(' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
    const isCovered = (element: Element, box: DOMRect): boolean => {
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return on !== null && !on.contains(element) && !element.contains(on);
    };
    const found: string[] = [];
    for (const element of document.body.querySelectorAll('*')) {
      const box = element.getBoundingClientRect();
      const inWindow = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
      // What is only heard takes one pixel.
      if (box.width < 2 || box.height < 2 || !inWindow) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const style = getComputedStyle(element);
      const text = ownText(element);
      const { tagName } = element;
      const testid = element.getAttribute('data-testid');
      const isField = element.matches('input, select, textarea, progress');
      const edges = (['Top', 'Right', 'Bottom', 'Left'] as const).map((side) =>
        style[`border${side}Style`] === 'none' || style[`border${side}Width`] === '0px'
          ? '-'
          : `${style[`border${side}Width`].replace('px', '')} ${style[`border${side}Style`]} ${colourOf(style[`border${side}Color`])}`,
      );
      const border = edges.every((edge) => edge === edges[0]) ? edges.slice(0, 1) : edges;
      const ground = isDrawn(style.backgroundColor) ? ` on ${colourOf(style.backgroundColor)}` : '';
      const edge = border.every((one) => one === '-') ? '' : ` edge ${border.join(', ')}`;
      // Shapes of drawings say nothing more than the drawing.
      if (element.closest('svg') !== null && tagName !== 'svg') continue;
      if (text === '' && testid === null && !isField && ground === '' && edge === '' && tagName !== 'svg')
        continue;
      const name = `${tagName.toLowerCase()}${testid === null ? '' : `[${testid}]`}`;
      const place = `${Math.round(box.left)},${Math.round(box.top)} ${Math.round(box.width)}×${Math.round(box.height)}`;
      const letters =
        text === '' && !isField
          ? ''
          : ` ${colourOf(style.color)} ${Math.round(parseFloat(style.fontSize) * 100) / 100}/${style.fontWeight}`;
      const words = text === '' ? '' : ` “${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
      const state = [
        element.matches(':disabled, [aria-disabled=true]') && 'disabled',
        element.matches(':checked') && 'checked',
        style.opacity !== '1' && `opacity ${style.opacity}`,
        isCovered(element, box) && 'covered',
      ].filter((one) => one !== false);
      found.push(
        `${name} ${place}${letters}${ground}${edge}${state.map((one) => ` ${one}`).join('')}${words}`,
      );
    }
    return found;
  });
}

/** As often as a window may still change before it has to be at rest. */
const ATTEMPTS = 10;

/** What an open window draws, once all that waits has come about: its clock is put forward until nothing changes. */
export async function drawing(page: Page): Promise<string[]> {
  let before = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await settled(page);
    await atRest(page);
    await ownFont(page);
    const now = await lines(page);
    if (now.join('\n') === before) return now;
    before = now.join('\n');
  }
  throw new Error('the window does not come to rest');
}

/** Farthest that another version of the browser may round an edge, in pixels. */
const ROUNDED = 1;

const NUMBERS = /(-?\d+),(-?\d+) (\d+)×(\d+)/;

/** Whether two lines are about the same thing at the same place. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [NUMBERS.exec(one), NUMBERS.exec(other)];
  if (!a || !b || one.replace(NUMBERS, '') !== other.replace(NUMBERS, '')) return false;
  return [1, 2, 3, 4].every((index) => Math.abs(Number(a[index]) - Number(b[index])) <= ROUNDED);
}

/** What a line is about: its kind, its name and its words. */
function subjectOf(line: string): string {
  const words = /“.*”$/.exec(line)?.[0] ?? '';
  return `${line.slice(0, line.indexOf(' '))} ${words}`.trim();
}

/** How a line differs from what was kept of the same thing. */
function change(before: string, now: string): string {
  const [a, b] = [NUMBERS.exec(before), NUMBERS.exec(now)];
  const moved = ['left', 'top', 'width', 'height'].flatMap((name, index) => {
    const by = Number(b?.[index + 1]) - Number(a?.[index + 1]);
    return by === 0 ? [] : [`${name} ${by > 0 ? '+' : ''}${by}`];
  });
  const rest = (line: string): string =>
    line
      .replace(NUMBERS, '')
      .replace(/^\S+ */, '')
      .replace(/ *“.*”$/, '');
  const looks = rest(before) === rest(now) ? [] : [`${rest(before)} → ${rest(now)}`];
  return `changed: ${subjectOf(now)}: ${[...moved, ...looks].join('; ')}`;
}

/** What has changed, a line for each thing: what is gone, what is new, what has moved and by how much. */
export function differences(kept: readonly string[], now: readonly string[]): string[] {
  const found: string[] = [];
  const left = [...now];
  const gone: string[] = [];
  for (const line of kept) {
    const index = left.findIndex((other) => isSame(line, other));
    if (index < 0) gone.push(line);
    else left.splice(index, 1);
  }
  for (const line of gone) {
    const index = left.findIndex((other) => subjectOf(other) === subjectOf(line));
    const [other] = index < 0 ? [] : left.splice(index, 1);
    found.push(other === undefined ? `gone: ${line}` : change(line, other));
  }
  return [...found, ...left.map((line) => `new: ${line}`)];
}
