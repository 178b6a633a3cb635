import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import type { FixtureControls } from '../../src/platform/fixture/fixture';

/** How a window is looked at. */
export type Look = {
  width?: number;
  height?: number;
  appearance?: 'light' | 'dark';
  forced?: boolean;
  /** The size of the text, in hundredths of the ordinary one. */
  text?: number;
};

/** How long to wait for something, in milliseconds: generous, for a busy machine. */
export const PATIENCE = 60_000;

/** Whether this machine has a browser. */
export const hasBrowser = inject('browser') !== undefined;

let browser: Browser | undefined;
let context: BrowserContext | undefined;

/** Connects to the browser for the tests of a file. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.connect(inject('browser') ?? '', { timeout: PATIENCE });
  });
  afterAll(() => browser?.close());
}

/** Opens a scene of the prompt window in a page of its own, and waits until it is drawn. */
export async function opened(scene: string, look: Look = {}): Promise<Page> {
  const { width = 640, height = 480, appearance = 'light', forced = false, text = 100 } = look;
  await context?.close();
  context = await browser?.newContext({
    viewport: { width, height },
    colorScheme: appearance,
    forcedColors: forced ? 'active' : 'none',
    reducedMotion: 'reduce',
  });
  if (!context) throw new Error('there is no browser');
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  await page.goto(`${inject('pages')}/prompt.html?scene=${scene}&appearance=${appearance}`);
  await page.locator('[data-testid=prompt-card], [data-testid=question-card], [data-testid=empty]').waitFor();
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = `${size}%`;
    return document.fonts.ready;
  }, text);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  return page;
}

/** What the window has asked of the machine under this name. */
export async function calls(page: Page, name: string): Promise<unknown[]> {
  const all = await page.evaluate(() => (window as unknown as { fixture: FixtureControls }).fixture.calls);
  return all.filter((call) => call.name === name).map((call) => call.value);
}
