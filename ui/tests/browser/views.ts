import type { Page } from 'playwright-core';
import { SCENES } from '../../src/platform/fixture/scenes';

/** A view of the settings window: what it is opened with, and how one gets to it. */
export type SettingsView = { query: string; go: (page: Page) => Promise<void> };

const id = (name: string): string => `[data-testid=${name}]`;
const click = async (page: Page, ...names: string[]): Promise<void> => {
  for (const name of names) await page.locator(id(name)).first().click();
};
/** Goes to a section, and waits for something in it. */
const section =
  (name: string, shown: string) =>
  async (page: Page): Promise<void> => {
    await click(page, `nav-${name}`);
    await drawn(page, shown);
  };
const drawn = (page: Page, name: string): Promise<void> => page.locator(id(name)).first().waitFor();

/** Every view of the settings window. */
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
      await page.locator('progress[max="8"]').waitFor();
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
      await drawn(page, 'guide-agents-none');
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
      await drawn(page, 'counterfactual-told');
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
      await drawn(page, 'counterfactual-told');
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
  'activity-files': {
    query: '',
    go: async (page) => {
      await click(page, 'nav-activity', 'activity-files');
      await drawn(page, 'history-call');
      await click(page, 'history-open');
      await drawn(page, 'history-difference');
    },
  },
  sessions: { query: '', go: section('sessions', 'session') },
  'sessions-empty': { query: 'bare', go: section('sessions', 'sessions-empty') },
  agents: { query: '', go: section('agents', 'agent-row') },
  'agents-change': {
    query: '',
    go: async (page) => {
      await section('agents', 'agent-row')(page);
      await click(page, 'agent-disconnect');
      await drawn(page, 'agent-difference');
    },
  },
  'agents-checked': {
    query: '',
    go: async (page) => {
      await section('agents', 'agent-row')(page);
      await click(page, 'agent-check');
      await drawn(page, 'agent-finding');
    },
  },
  policy: { query: '', go: section('policy', 'preset-strict') },
  'policy-broken': { query: 'policy=broken', go: section('policy', 'policy-problem') },
  rules: { query: '', go: section('rules', 'try-form') },
  'rules-pending': { query: 'policy=pending', go: section('rules', 'difference-row') },
  'rules-broken': { query: 'policy=broken', go: section('rules', 'diagnostic') },
  'rules-tried': {
    query: '',
    go: async (page) => {
      await section('rules', 'try-form')(page);
      await page.locator(id('try-line')).fill('npm test && git push');
      await click(page, 'try');
      await drawn(page, 'try-answer');
      await click(page, 'suggest');
      await drawn(page, 'suggestion');
      for (const rules of await page.locator('[data-testid=try-part] summary').all()) await rules.click();
      await page.locator(id('try-form')).scrollIntoViewIfNeeded();
    },
  },
  'rules-tried-edit': {
    query: '',
    go: async (page) => {
      await section('rules', 'try-form')(page);
      await page.locator(id('try-kind')).selectOption('edit');
      await page.locator(id('try-line')).fill('docs/a.md');
      await click(page, 'try');
      await drawn(page, 'try-rule');
      await page.locator(id('try-form')).scrollIntoViewIfNeeded();
    },
  },
  'rules-tried-tool': {
    query: '',
    go: async (page) => {
      await section('rules', 'try-form')(page);
      await page.locator(id('try-kind')).selectOption('tool');
      await page.locator(id('try-arguments')).fill('[]');
      await page.locator(id('try-line')).fill('search');
      await click(page, 'try');
      await drawn(page, 'try-problem');
      await page.locator(id('try-form')).scrollIntoViewIfNeeded();
    },
  },
  'rules-import': {
    query: '',
    go: async (page) => {
      await section('rules', 'try-form')(page);
      await click(page, 'import-look');
      await drawn(page, 'import-agent');
      for (const list of await page.locator('[data-testid=import-agent] summary').all()) await list.click();
      await page.locator(id('import')).scrollIntoViewIfNeeded();
    },
  },
  search: {
    query: '',
    go: async (page) => {
      await page.locator(id('settings-search')).fill('e');
      await drawn(page, 'settings-hit');
    },
  },
  'search-none': {
    query: '',
    go: async (page) => {
      await page.locator(id('settings-search')).fill('no such thing');
      await drawn(page, 'settings-search-none');
    },
  },
  general: { query: '', go: section('general', 'language') },
  'general-paused': {
    query: '',
    go: async (page) => {
      await section('general', 'language')(page);
      await click(page, 'mode-ask_everything');
      await drawn(page, 'pause-end');
      await page.locator(id('pause-end')).scrollIntoViewIfNeeded();
    },
  },
  connections: { query: '', go: section('connections', 'credential-row') },
  'connections-token': {
    query: '',
    go: async (page) => {
      await section('connections', 'credential-row')(page);
      await page.locator(id('credential-name')).fill('phone');
      await click(page, 'create-credential');
      await drawn(page, 'token');
    },
  },
  about: { query: '', go: section('about', 'version') },
};

/** A view of the prompt window: its scene, and what a person has opened in it. */
export type PromptView = { scene: string; go: (page: Page) => Promise<void> };

/** What a person has opened in a scene of the prompt window. */
export const PROMPT_STATES: Record<string, PromptView> = {
  help: { scene: 'write', go: (page) => click(page, 'open-help') },
  pause: { scene: 'write', go: (page) => click(page, 'pause-menu') },
  reason: { scene: 'write', go: (page) => click(page, 'deny-with-reason') },
  always: {
    scene: 'scopes',
    go: async (page) => {
      await click(page, 'scope-always');
      await drawn(page, 'counterfactual-told');
    },
  },
  'rule-change': {
    scene: 'scopes',
    go: async (page) => {
      await click(page, 'scope-always', 'breadth-prefix', 'rule-change');
      await page
        .locator(id('rule-field'))
        .fill(
          '[[rule]]\ntool = "shell"\ncommand = "npm *"\naction = "allow"\nrisk = ["read_only", "write"]\n',
        );
      await drawn(page, 'rule-passes');
    },
  },
  'rule-refused': {
    scene: 'scopes',
    go: async (page) => {
      await click(page, 'scope-always', 'rule-change');
      await page.locator(id('rule-field')).fill('[[rule]]\ncommand = "make *"\naction = "allow"\n');
      await drawn(page, 'rule-refused');
    },
  },
  ticks: {
    scene: 'several',
    go: async (page) => {
      await click(page, 'scope-always', 'breadth-prefix', 'tick');
      await drawn(page, 'ticks-others');
    },
  },
  session: { scene: 'folders', go: (page) => click(page, 'scope-session') },
  edit: { scene: 'editable', go: (page) => click(page, 'edit') },
  'edit-command': {
    scene: 'editable-destructive',
    go: async (page) => {
      await click(page, 'edit');
      await page.locator(id('edit-command')).fill('rm -rf build dist coverage && ls src');
      await drawn(page, 'consequences');
    },
  },
  'edit-worse': {
    scene: 'write',
    go: async (page) => {
      await click(page, 'edit');
      await page.locator(id('edit-command')).fill('rm -rf build && ls');
      await drawn(page, 'consequences');
    },
  },
  'edit-change': {
    scene: 'editable-edit',
    go: async (page) => {
      await click(page, 'edit');
      await page.locator(id('edit-field')).last().fill('return amount.toDecimalPlaces(4);');
      await page.locator(id('edit-difference')).getByText('toDecimalPlaces(4)').waitFor();
    },
  },
  together: {
    scene: 'alike',
    go: async (page) => {
      await click(page, 'look-together');
      await drawn(page, 'together');
    },
  },
  search: {
    scene: 'thousand',
    go: async (page) => {
      await page.setViewportSize({ width: 1100, height: 700 });
      await page.locator(id('inbox-search')).fill('step-99');
      await page.waitForFunction(() => document.querySelectorAll('[data-testid=list-item]').length < 20);
    },
  },
  details: { scene: 'posing', go: (page) => click(page, 'details', 'provenance') },
};

/**
 * Every view of the prompt window: the scenes as they come, and what is opened in them. A thousand requests are looked at
 * through their search: their list has the same entry again and again.
 */
export const PROMPT_VIEWS: Record<string, PromptView> = Object.fromEntries([
  ...Object.keys(SCENES)
    .filter((scene) => scene !== 'thousand')
    .map((scene) => [scene, { scene, go: () => Promise.resolve() }]),
  ...Object.entries(PROMPT_STATES).map(([name, view]) => [`prompt-${name}`, view]),
]) as Record<string, PromptView>;
