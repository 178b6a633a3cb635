import type { Page } from 'playwright-core';

/** A view of the settings window: what it is opened with, and how one gets to it. */
export type SettingsView = { query: string; go: (page: Page) => Promise<void> };

const id = (name: string): string => `[data-testid=${name}]`;
const click = async (page: Page, ...names: string[]): Promise<void> => {
  for (const name of names) await page.locator(id(name)).first().click();
};
const drawn = (page: Page, name: string): Promise<void> => page.locator(id(name)).first().waitFor();

/** Every view of the guide and of the activity. */
export const SETTINGS_VIEWS: Record<string, SettingsView> = {
  'guide-presets': { query: 'first', go: (page) => drawn(page, 'guide-figure') },
  'guide-presets-none': {
    query: 'first&bare&replay=none',
    go: async (page) => {
      await drawn(page, 'guide-compare');
    },
  },
  'guide-replaying': {
    query: 'first&replay=waits',
    go: async (page) => {
      await drawn(page, 'guide-stop');
      await page.waitForFunction(() =>
        (window as unknown as { fixture: { calls: { name: string }[] } }).fixture.calls.some(
          ({ name }) => name === 'compare_presets',
        ),
      );
      await page.evaluate(() =>
        (window as unknown as { fixture: { progress(progress: unknown): void } }).fixture.progress({
          phase: 'replaying',
          done: 3,
          steps: 8,
        }),
      );
      await page.getByText('Step 3 of 8').waitFor();
    },
  },
  'guide-agents': {
    query: 'first',
    go: async (page) => {
      await click(page, 'guide-step-agents');
      await drawn(page, 'guide-agents');
    },
  },
  'guide-agents-none': {
    query: 'first&bare',
    go: async (page) => {
      await click(page, 'guide-step-agents');
      await page.getByText('No agent was found').waitFor();
    },
  },
  'guide-sample': { query: 'first', go: (page) => click(page, 'guide-step-sample') },
  'guide-sample-waits': {
    query: 'first',
    go: async (page) => {
      await click(page, 'guide-step-sample', 'guide-ask');
      await drawn(page, 'guide-open-inbox');
    },
  },
  activity: {
    query: '',
    go: async (page) => {
      await click(page, 'nav-activity');
      await drawn(page, 'activity-row');
    },
  },
  'activity-empty': {
    query: 'bare',
    go: async (page) => {
      await click(page, 'nav-activity');
      await drawn(page, 'activity-empty');
    },
  },
  'activity-many': {
    query: 'many',
    go: async (page) => {
      await click(page, 'nav-activity');
      await drawn(page, 'activity-more');
    },
  },
  'activity-detail': {
    query: '',
    go: async (page) => {
      await click(page, 'nav-activity', 'activity-open');
      await drawn(page, 'activity-kept');
      await drawn(page, 'activity-rule-open');
      await click(page, 'activity-rule-open');
      await drawn(page, 'counterfactual');
    },
  },
  'activity-walls': {
    query: '',
    go: async (page) => {
      await click(page, 'nav-activity');
      await page.locator(id('activity-open')).nth(1).click();
      await drawn(page, 'denied-by-walls');
    },
  },
  suggestions: {
    query: '',
    go: async (page) => {
      await click(page, 'nav-rules', 'suggest');
      await drawn(page, 'counterfactual');
      await page.locator(id('open-walls')).scrollIntoViewIfNeeded();
    },
  },
  'activity-figures': {
    query: '',
    go: async (page) => {
      await click(page, 'nav-activity', 'activity-figures');
      await drawn(page, 'figures-most');
    },
  },
  'activity-figures-empty': {
    query: 'bare',
    go: async (page) => {
      await click(page, 'nav-activity', 'activity-figures');
      await drawn(page, 'figures-empty');
    },
  },
};
