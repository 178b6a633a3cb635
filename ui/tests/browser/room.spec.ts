import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, lookedAt, opened, withBrowser, type Look } from './page';
import { PROMPT_STATES } from './views';

/** Scenes of calls, each with what is the call in it. */
const CALLS: [string, string][] = [
  ['write', 'command'],
  ['destructive', 'command'],
  ['edit', 'diff'],
  ['overwrite', 'diff'],
  ['long', 'content'],
  ['ten', 'command'],
  ['step', 'command'],
  ['alike', 'command'],
  ['scopes', 'command'],
  ['hidden', 'command'],
  ['posing', 'command'],
  ['mcp', 'arguments'],
  ['plan', 'plan'],
  ['effects', 'command'],
  ['deletes', 'command'],
];

/** How much of the window's height an element takes. */
async function share(page: Page, testid: string): Promise<number> {
  const box = await page.locator(`[data-testid=${testid}]`).filter({ visible: true }).boundingBox();
  return (box?.height ?? 0) / (page.viewportSize()?.height ?? 1);
}

/** How many pixels of an element can be seen in the scrolled box. */
async function seen(page: Page, testid: string): Promise<number> {
  return page.evaluate((id) => {
    const own = document.querySelector(`[data-testid=${id}]`)?.getBoundingClientRect();
    const frame = document.querySelector('.scrolls')?.getBoundingClientRect();
    if (!own || !frame) return 0;
    return Math.min(own.bottom, frame.bottom, innerHeight) - Math.max(own.top, frame.top, 0);
  }, testid);
}

describe.runIf(hasBrowser)('the room of the window', () => {
  withBrowser();

  it.each(CALLS)('belongs to the call in the scene %s', async (scene, call) => {
    const page = await opened(scene);
    const strip = ['ten', 'step', 'alike'].includes(scene) ? await share(page, 'strip') : 0;
    const taken = (await share(page, 'band')) + (await share(page, 'bar')) + strip;
    expect(taken, 'band, strip and buttons').toBeLessThan(0.4);
    expect(await seen(page, call), 'the call').toBeGreaterThan(20);

    await lookedAt(page, { width: 1280, height: 720, text: 200 });
    expect(await seen(page, call), 'the call with text at 200 %').toBeGreaterThan(40);
    for (const button of ['deny', 'approve']) {
      const box = await page.locator(`[data-testid=${button}]`).boundingBox();
      expect(box && box.y + box.height, `${button} with text at 200 %`).toBeLessThanOrEqual(720);
    }

    await lookedAt(page, { width: 360, height: 480 });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider, 'what is lost to the right').toBeLessThanOrEqual(0);
  });

  it.each(['rule-change', 'rule-refused', 'ticks'])(
    'is left to the call and the buttons: %s',
    async (name) => {
      const state = PROMPT_STATES[name];
      const page = await opened(state?.scene ?? '');
      await state?.go(page);
      const looks: Look[] = [{}, { width: 1280, height: 720, text: 200 }];
      for (const look of looks) {
        await lookedAt(page, look);
        expect(await seen(page, 'command'), 'the call').toBeGreaterThan(30);
        for (const button of ['deny', 'approve']) {
          const box = await page.locator(`[data-testid=${button}]`).boundingBox();
          expect(box && box.y + box.height, button).toBeLessThanOrEqual(look.height ?? 480);
        }
      }
    },
  );

  it('shows more than the first line of a rule that is changed in a small window, and scrolls to its end', async () => {
    const state = PROMPT_STATES['rule-change'];
    const page = await opened(state?.scene ?? '');
    await state?.go(page);
    const looks: Look[] = [
      { width: 400, height: 300 },
      { width: 420, height: 320 },
      { width: 1280, height: 720, text: 200 },
    ];
    for (const look of looks) {
      await lookedAt(page, look);
      const lines = await page.evaluate(() => {
        const field = document.querySelector<HTMLElement>('[data-testid=rule-field]');
        const frame = field?.closest('.choices')?.getBoundingClientRect();
        if (!field || !frame) return 0;
        const { top, bottom } = field.getBoundingClientRect();
        const line = Number.parseFloat(getComputedStyle(field).lineHeight);
        return (Math.min(bottom, frame.bottom, innerHeight) - Math.max(top, frame.top, 0)) / line;
      });
      expect(lines, `lines in ${look.width}×${look.height}`).toBeGreaterThan(3);
      for (const button of ['deny', 'approve']) {
        const box = await page.locator(`[data-testid=${button}]`).boundingBox();
        expect(box && box.y + box.height, button).toBeLessThanOrEqual(look.height ?? 480);
      }
      await page.locator('[data-testid=rule-discard]').scrollIntoViewIfNeeded();
      const end = await page.locator('[data-testid=rule-discard]').boundingBox();
      const answers = await page.locator('.buttons').boundingBox();
      expect(end && end.y + end.height, 'the end of it').toBeLessThanOrEqual((answers?.y ?? 0) + 1);
      await page
        .locator('[data-testid=rule-field]')
        .evaluate((field) => field.scrollIntoView({ block: 'nearest' }));
    }
  });

  it('has a list only where it is wide', async () => {
    const page = await opened('ten');
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.locator('[data-testid=strip]').innerText()).toContain('1 of 11');
    await lookedAt(page, { width: 1100, height: 700 });
    expect(await page.locator('nav').isVisible()).toBe(true);
    expect(await page.locator('[data-testid=strip]').isVisible()).toBe(false);
  });
});
