import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { differences, drawing } from './drawing';
import { hasBrowser, lookedAt, openedPrompt, openedSettings, SETTINGS, withBrowser, type Look } from './page';
import { PROMPT_VIEWS, SETTINGS_VIEWS } from './views';

/** What each of these views draws is kept here, for a person to read when it changes. */
const KEPT = join(import.meta.dirname, 'drawings');
/** Pictures of what does not look as it was kept. */
const CHANGED = join(import.meta.dirname, '../../gallery/changed');

const LOOKS: Record<string, Look> = {
  light: {},
  dark: { appearance: 'dark' },
  large: { width: 1280, height: 720, text: 200 },
  wide: { width: 1100, height: 700 },
  german: { locale: 'de' },
};

/** The views that are kept, each in the looks in which it says something of its own. */
const PROMPT: Record<string, string[]> = {
  write: ['light', 'dark', 'large', 'german'],
  destructive: ['light', 'dark'],
  edit: ['light', 'dark'],
  hidden: ['light'],
  ten: ['light', 'wide'],
  alike: ['wide'],
  plan: ['light'],
  question: ['light', 'dark'],
  mcp: ['light'],
  missed: ['light'],
  empty: ['light'],
  'prompt-always': ['light'],
  'prompt-edit-command': ['light'],
  'prompt-reason': ['light'],
};
const OF_SETTINGS: Record<string, string[]> = {
  'guide-presets': ['light', 'dark'],
  'activity-detail': ['light'],
  agents: ['light'],
  policy: ['light'],
  rules: ['light', 'dark'],
  general: ['light', 'large'],
  connections: ['light'],
  sessions: ['light'],
};

/** Compares what an open window draws with what was kept of it, or keeps it. */
async function compared(page: Page, name: string): Promise<void> {
  const now = await drawing(page);
  const file = join(KEPT, `${name}.txt`);
  const picture = join(CHANGED, `${name}.png`);
  rmSync(picture, { force: true });
  if (import.meta.env.MODE === 'keep') {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(file, `${now.join('\n')}\n`);
    return;
  }
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const found = differences(kept, now);
  if (found.length === 0) return;
  mkdirSync(CHANGED, { recursive: true });
  await page.screenshot({ path: picture });
  expect.fail(
    `${name} is drawn in another way:\n${found.join('\n')}\n` +
      `How it looks now: ${picture}\nWhere it is meant so: npm --prefix ui run drawings`,
  );
}

describe.runIf(hasBrowser)('what is drawn is what was kept', () => {
  withBrowser({ atMoment: true, plainCode: true });
  it.each(Object.entries(PROMPT))('of the prompt window: %s', async (name, looks) => {
    const view = PROMPT_VIEWS[name];
    expect(view).toBeDefined();
    if (!view) return;
    for (const look of looks) {
      const page = await openedPrompt(view);
      await lookedAt(page, LOOKS[look] ?? {});
      await compared(page, `prompt-${name.replace(/^prompt-/, '')}-${look}`);
    }
  });
  it.each(Object.entries(OF_SETTINGS))('of the settings window: %s', async (name, looks) => {
    const view = SETTINGS_VIEWS[name];
    expect(view).toBeDefined();
    if (!view) return;
    for (const look of looks) {
      const page = await openedSettings(view.query);
      await view.go(page);
      await lookedAt(page, { ...SETTINGS, ...LOOKS[look] });
      await compared(page, `settings-${name}-${look}`);
    }
  });
});
