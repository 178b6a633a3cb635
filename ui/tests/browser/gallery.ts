import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { SCENES } from '../../src/platform/fixture/scenes';
import { hasBrowser, lookedAt, opened, openedSettings, withBrowser, type Look } from './page';
import { SETTINGS_VIEWS } from './settings-views';

const FOLDER = join(import.meta.dirname, '../../gallery');

const LOOKS: Record<string, Look> = {
  small: {},
  dark: { appearance: 'dark' },
  large: { width: 1280, height: 720, text: 200 },
  wide: { width: 1100, height: 700 },
};

/** The pictures that the README shows, once the buttons are live. */
const README: { scene: string; look: Look; file: string }[] = [
  { scene: 'push', look: { width: 680, height: 660 }, file: 'prompt-command.png' },
  { scene: 'edit', look: { width: 680, height: 660, appearance: 'dark' }, file: 'prompt-edit.png' },
];

const SETTINGS_LOOKS: Record<string, Look> = {
  light: {},
  dark: { appearance: 'dark' },
  large: { width: 1280, height: 720, text: 200 },
  small: { width: 560, height: 420 },
};

// `npm run gallery` writes a picture of every scene in every look, to be looked at by a person.
describe.runIf(hasBrowser)('the gallery', () => {
  withBrowser();
  mkdirSync(FOLDER, { recursive: true });
  it.each(Object.keys(SCENES).flatMap((scene) => Object.keys(LOOKS).map((look) => ({ scene, look }))))(
    'has $scene, $look',
    async ({ scene, look }) => {
      const page = await opened(scene, LOOKS[look]);
      await page.screenshot({ path: join(FOLDER, `${scene}-${look}.png`) });
    },
  );
  it.each(
    ['editable-destructive', 'write'].flatMap((scene) => Object.keys(LOOKS).map((look) => ({ scene, look }))),
  )('has $scene while it is changed, $look', async ({ scene, look }) => {
    const page = await opened(scene, LOOKS[look]);
    await page.keyboard.press('e');
    await page.locator('[data-testid=edit-command]').fill('rm -rf build dist coverage && ls src');
    await page.locator('[data-testid=consequences]').waitFor();
    await page.screenshot({ path: join(FOLDER, `${scene}-edited-${look}.png`) });
  });
  it.each(Object.entries(SETTINGS_VIEWS))('has the settings, %s', async (name, { query, go }) => {
    const page = await openedSettings(query);
    await go(page);
    for (const [look, how] of Object.entries(SETTINGS_LOOKS)) {
      await lookedAt(page, { width: 860, height: 640, ...how });
      await page.screenshot({ path: join(FOLDER, `settings-${name}-${look}.png`) });
    }
  });
  it.each(README)('has a picture for the README, $file', async ({ scene, look, file }) => {
    const page = await opened(scene, look);
    await page.locator('[data-testid=approve][data-armed=true]').waitFor();
    await page.screenshot({ path: join(FOLDER, file) });
  });
});
