import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import {
  hasBrowser,
  lookedAt,
  opened,
  openedPrompt,
  openedSettings,
  SETTINGS,
  withBrowser,
  type Look,
} from './page';
import { PROMPT_VIEWS, SETTINGS_VIEWS } from './views';

const FOLDER = join(import.meta.dirname, '../../gallery');

const LOOKS: Record<string, Look> = {
  small: {},
  dark: { appearance: 'dark' },
  large: { width: 1280, height: 720, text: 200 },
  wide: { width: 1100, height: 700 },
};

/** What the pictures are taken in; `rtl` is English laid out as a language that is read from right to left. */
const LANGUAGES: Record<string, Look> = {
  en: {},
  de: { locale: 'de' },
  ja: { locale: 'ja' },
  rtl: { mirrored: true },
};

/** The pictures that the README shows, once the buttons are live. */
const README: { scene: string; look: Look; file: string }[] = [
  { scene: 'push', look: { width: 680, height: 660 }, file: 'prompt-command.png' },
  { scene: 'edit', look: { width: 680, height: 660, appearance: 'dark' }, file: 'prompt-edit.png' },
];

const SETTINGS_LOOKS: Record<string, Look> = {
  light: SETTINGS,
  dark: { ...SETTINGS, appearance: 'dark' },
  large: { width: 1280, height: 720, text: 200 },
  small: { width: 560, height: 420 },
};

/** Takes a picture of an open page in each of these looks and in each language, each in the folder of its language. */
async function pictures(page: Page, name: string, looks: Record<string, Look>): Promise<void> {
  for (const [language, spoken] of Object.entries(LANGUAGES)) {
    const folder = join(FOLDER, language);
    mkdirSync(folder, { recursive: true });
    for (const [look, how] of Object.entries(looks)) {
      await lookedAt(page, { ...how, ...spoken });
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
    }
  }
}

// `npm run gallery` writes a picture of every scene in every look and language, to be looked at by a person.
describe.runIf(hasBrowser)('the gallery', () => {
  withBrowser();
  it.each(Object.entries(PROMPT_VIEWS))('has %s', async (name, view) => {
    await pictures(await openedPrompt(view), name, LOOKS);
  });
  it.each(Object.entries(SETTINGS_VIEWS))('has the settings, %s', async (name, { query, go }) => {
    const page = await openedSettings(query);
    await go(page);
    await pictures(page, `settings-${name}`, SETTINGS_LOOKS);
  });
  it.each(README)('has a picture for the README, $file', async ({ scene, look, file }) => {
    const page = await opened(scene, look);
    await page.locator('[data-testid=approve][data-armed=true]').waitFor();
    await page.screenshot({ path: join(FOLDER, file) });
  });
});
