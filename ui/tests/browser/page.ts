import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Locale } from '../../src/generated/protocol';
import type { FixtureControls } from '../../src/platform/fixture/fixture';
import type { PromptView } from './views';

/** How a window is looked at. */
export type Look = {
  width?: number;
  height?: number;
  appearance?: 'light' | 'dark';
  forced?: boolean;
  /** The size of the text, in hundredths of the ordinary one. */
  text?: number;
  locale?: Locale;
  /** As in a language that is read from right to left. There is no catalogue of one yet: the words stay. */
  mirrored?: boolean;
};

/** How long to wait for something, in milliseconds: generous, for a busy machine. */
export const PATIENCE = 120_000;

/** Whether this machine has a browser. */
export const hasBrowser = inject('browser') !== undefined;

let browser: Browser | undefined;
let context: BrowserContext | undefined;
/** The page that scenes are opened in whose clock runs. */
let shared: Page | undefined;

/** The time at which pages are opened whose figures have to stay: a Wednesday, in the middle of the day. */
const MOMENT = '2026-03-04T12:00:00Z';
/** Whether the pages of this file are all opened at that time; what has to wait goes on waiting. */
let atMoment = false;
/** Whether code is drawn without the colours of its syntax: a worker reads it, and has so much time and no more. */
let plainCode = false;

/** Connects to the browser for the tests of a file. */
export function withBrowser(how: { atMoment?: boolean; plainCode?: boolean } = {}): void {
  beforeAll(async () => {
    atMoment = how.atMoment ?? false;
    plainCode = how.plainCode ?? false;
    browser = await chromium.connect(inject('browser') ?? '', { timeout: PATIENCE });
  });
  afterAll(async () => {
    await context?.close();
    [context, shared] = [undefined, undefined];
    await browser?.close();
  });
}

/** A new page, which shows nothing yet. */
async function newPage({
  width = 640,
  height = 480,
  appearance = 'light',
  forced = false,
}: Look): Promise<Page> {
  await context?.close();
  shared = undefined;
  context = await browser?.newContext({
    viewport: { width, height },
    colorScheme: appearance,
    forcedColors: forced ? 'active' : 'none',
    reducedMotion: 'reduce',
    ...(atMoment && { timezoneId: 'UTC' }),
  });
  if (!context) throw new Error('there is no browser');
  context.setDefaultTimeout(PATIENCE);
  if (atMoment) await context.clock.setFixedTime(MOMENT);
  if (plainCode) await context.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
  return context.newPage();
}

async function drawn(
  page: Page,
  scene: string,
  { appearance = 'light', locale = 'en' }: Look,
): Promise<void> {
  await page.goto(`${inject('pages')}/prompt.html?scene=${scene}&appearance=${appearance}&locale=${locale}`);
  await page.locator('[data-testid=prompt-card], [data-testid=question-card], [data-testid=empty]').waitFor();
  // Before, it takes no key.
  await page.locator('[data-stage=on_screen]').waitFor();
}

/** Opens a scene of the prompt window, and waits until it is drawn. */
export async function opened(scene: string, look: Look = {}): Promise<Page> {
  const page = shared ?? (await newPage(look));
  shared = page;
  await drawn(page, scene, look);
  await lookedAt(page, look);
  return page;
}

/** Opens a view of the prompt window. */
export async function openedPrompt({ scene, go }: PromptView, look: Look = {}): Promise<Page> {
  const page = await opened(scene, look);
  await go(page);
  return page;
}

/** Opens the settings window, with a query as `first&replay=none`, and waits until it is drawn. */
export async function openedSettings(query = '', look: Look = {}): Promise<Page> {
  const page = shared ?? (await newPage(look));
  shared = page;
  const { appearance = 'light', locale = 'en' } = look;
  await page.goto(`${inject('pages')}/settings.html?appearance=${appearance}&locale=${locale}&${query}`);
  await page.locator('[data-testid=nav-about]').waitFor();
  await page.locator('main h1').waitFor();
  await lookedAt(page, { width: SETTINGS.width, height: SETTINGS.height, ...look });
  return page;
}

/** The settings window as it opens. */
export const SETTINGS = { width: 860, height: 640 };

/** Shows an open scene in another way. */
export async function lookedAt(page: Page, look: Look): Promise<void> {
  const { width = 640, height = 480, appearance = 'light', forced = false, text = 100 } = look;
  const { locale = 'en', mirrored = false } = look;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: appearance, forcedColors: forced ? 'active' : 'none' });
  await page.evaluate(
    ({ size, appearance, locale, mirrored }) => {
      const { documentElement } = document;
      if (documentElement.lang !== locale)
        (window as unknown as { fixture: FixtureControls }).fixture.speak(locale);
      documentElement.dir = mirrored ? 'rtl' : 'ltr';
      documentElement.dataset['appearance'] = appearance;
      documentElement.style.fontSize = `${size}%`;
      return document.fonts.ready;
    },
    { size: text, appearance, locale, mirrored },
  );
  await atRest(page);
}

/** Waits until the window has drawn all that it has asked the machine for. */
export function atRest(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const { fixture } = window as unknown as { fixture: FixtureControls };
    // An answer may lead to the next call while it is drawn.
    for (let frames = 0; frames < 2; frames = fixture.unanswered === 0 ? frames + 1 : 0)
      await new Promise(requestAnimationFrame);
  });
}

/** As far as the clock of a page is put forward for whatever has to settle, in milliseconds. */
const SETTLED = 5000;

/** Opens a scene whose clock stands still: what is early and what is not does not depend on the machine. */
export async function standing(scene: string, look: Look = {}): Promise<Page> {
  const page = await newPage(look);
  await page.clock.install();
  await drawn(page, scene, look);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await settled(page);
  return page;
}

/** Lets the time pass that whatever has begun takes at most. */
export async function settled(page: Page): Promise<void> {
  // In two steps: what is looked at once it is drawn, as the size of a field, starts the wait anew.
  for (let step = 0; step < 2; step += 1) await page.clock.runFor(SETTLED);
}

/** What the window has asked of the machine under this name. */
export async function calls<Value>(page: Page, name: string): Promise<Value[]> {
  const all = await page.evaluate(() => (window as unknown as { fixture: FixtureControls }).fixture.calls);
  return all.filter((call) => call.name === name).map((call) => call.value as Value);
}
