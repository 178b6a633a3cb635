import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/generated/protocol';
import type { FixtureControls } from '../../src/platform/fixture/fixture';
import { calls, hasBrowser, openedSettings, PATIENCE, withBrowser } from './page';

const at = (page: Page, name: string) => page.locator(`[data-testid=${name}]`).first();
/** What becomes so. */
const soon = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: PATIENCE });

describe.runIf(hasBrowser)('the guide of the first start', () => {
  withBrowser();

  it('comes up by itself, writes the choice, and is left for good', async () => {
    const page = await openedSettings('first');
    await at(page, 'guide-figure').waitFor();
    expect(await at(page, 'guide-preset-workspace').innerText()).toContain('Recommended');
    await at(page, 'guide-preset-workspace').locator('input').click();
    await soon(() => calls(page, 'set_policy_preset')).toEqual(['workspace']);
    await at(page, 'nav-rules').click();
    await soon(async () =>
      (await calls<Settings>(page, 'save_settings')).map(({ guide_left }) => guide_left),
    ).toEqual([true]);
    await at(page, 'nav-guide').click();
    expect(await at(page, 'guide-title').isVisible()).toBe(true);
  });

  it('shows what is in force when a choice was refused, and takes the same choice again', async () => {
    const page = await openedSettings('first');
    const answers = (answer: FixtureControls['answer']) =>
      page.evaluate((answer) => {
        (window as unknown as { fixture: FixtureControls }).fixture.answer = answer;
      }, answer);
    const isChosen = (name: string) => at(page, name).locator('input').isChecked();
    await answers('refused');
    await at(page, 'guide-preset-workspace').click();
    await page.getByText('The disk is full').waitFor();
    expect([await isChosen('guide-preset-practical'), await isChosen('guide-preset-workspace')]).toEqual([
      true,
      false,
    ]);
    await at(page, 'nav-general').click();
    const before = await at(page, 'appearance').inputValue();
    await at(page, 'appearance').selectOption('dark');
    await page.getByText('The disk is full').waitFor();
    expect(await at(page, 'appearance').inputValue()).toBe(before);
    await answers('taken');
    await at(page, 'appearance').selectOption('dark');
    await soon(() => at(page, 'appearance').inputValue()).toBe('dark');
    await at(page, 'nav-guide').click();
    await at(page, 'guide-preset-workspace').click();
    await soon(() => isChosen('guide-preset-workspace')).toBe(true);
  });

  it('stays away when it was left before', async () => {
    const page = await openedSettings();
    expect(await at(page, 'guide-title').count()).toBe(0);
  });

  it('stops the replay, and begins it again', async () => {
    const page = await openedSettings('first&replay=waits');
    await at(page, 'guide-stop').click();
    await at(page, 'guide-compare').waitFor();
    expect(await calls(page, 'stop_comparing')).toHaveLength(1);
    await at(page, 'guide-compare').click();
    await soon(() => calls(page, 'compare_presets')).toHaveLength(2);
    await page.evaluate(() => (window as unknown as { fixture: FixtureControls }).fixture.finish('compare'));
    await at(page, 'guide-figure').waitFor();
  });

  it('says that there are no transcripts, and gives no figures', async () => {
    const page = await openedSettings('first&replay=none');
    await page.getByText('no transcript of an agent was found').waitFor();
    expect(await at(page, 'guide-figure').count()).toBe(0);
    expect(await at(page, 'guide-preset-strict').isVisible()).toBe(true);
  });

  it('tells what became of the sample, and asks about the start at login', async () => {
    const page = await openedSettings('first');
    for (const name of ['guide-next', 'guide-next', 'guide-ask']) await at(page, name).click();
    await at(page, 'guide-open-inbox').click();
    await soon(() => calls(page, 'open_inbox')).toHaveLength(1);
    await page.evaluate(() => (window as unknown as { fixture: FixtureControls }).fixture.finish('sample'));
    expect(await at(page, 'guide-told').innerText()).toContain('You approved it');
    await at(page, 'login-no').click();
    await at(page, 'guide-login').waitFor();
    const [saved] = await calls<Settings>(page, 'save_settings');
    expect(saved).toMatchObject({ start_at_login: false, start_at_login_asked: true });
  });

  it('takes a waiting sample back when it is left', async () => {
    const page = await openedSettings('first');
    for (const name of ['guide-step-sample', 'guide-ask']) await at(page, name).click();
    await at(page, 'guide-open-inbox').waitFor();
    await at(page, 'nav-sessions').click();
    await soon(() => calls(page, 'stop_sample')).toHaveLength(1);
  });
});

describe.runIf(hasBrowser)('the activity', () => {
  withBrowser();

  it('finds by what is chosen, and goes on page by page', async () => {
    const page = await openedSettings('many');
    await at(page, 'nav-activity').click();
    const rows = page.locator('[data-testid=activity-row]');
    await soon(() => rows.count()).toBe(50);
    await at(page, 'activity-more').click();
    await soon(() => rows.count()).toBe(100);
    await at(page, 'activity-status').selectOption('denied');
    await soon(() => page.locator('[data-testid=activity-row][data-status=approved]').count()).toBe(0);
    await at(page, 'activity-text').fill('no call has this');
    await at(page, 'activity-empty').waitFor();
    await at(page, 'activity-clear').click();
    await soon(() => rows.count()).toBe(50);
  });

  it('opens a call by keys, undoes it, and makes a rule of it', async () => {
    const page = await openedSettings();
    await at(page, 'nav-activity').click();
    await at(page, 'activity-open').focus();
    await page.keyboard.press('Enter');
    await at(page, 'activity-kept').waitFor();
    await at(page, 'activity-rule-open').click();
    const rule = await at(page, 'rule-text').innerText();
    await at(page, 'activity-rule-add').click();
    await at(page, 'activity-rule-added').waitFor();
    const [added] = await calls<string>(page, 'add_policy_rules');
    expect(rule.trim().split('\n')[0]).toBe(added?.trim().split('\n')[0]);
    await at(page, 'history-undo').click();
    await soon(() => calls(page, 'put_back')).toHaveLength(1);
  });

  it('tells of a call what its walls denied', async () => {
    const page = await openedSettings();
    await at(page, 'nav-activity').click();
    await page.locator('[data-testid=activity-open]').nth(1).click();
    await at(page, 'denied-by-walls').waitFor();
    const told = await at(page, 'denied-by-walls').innerText();
    expect(told).toContain('write /home/mira/.cargo/registry/index');
    expect(told).toContain('connect 192.0.2.1:443');
  });

  it('offers to open what walls denied again and again', async () => {
    const page = await openedSettings();
    await at(page, 'nav-rules').click();
    await at(page, 'suggest').click();
    await at(page, 'suggested-widening').waitFor();
    expect(await at(page, 'suggested-widening').innerText()).toContain('9 calls');
    await at(page, 'open-walls').click();
    await soon(() => page.locator('[data-testid=suggested-widening]').count()).toBe(0);
    const [added] = await calls<string>(page, 'add_policy_rules');
    expect(added).toContain('[[confine.project]]');
  });

  it('says of the last week what can be done about it, and makes a rule of what was never refused', async () => {
    const page = await openedSettings();
    await at(page, 'nav-activity').click();
    await at(page, 'activity-figures').click();
    await at(page, 'week').waitFor();
    expect(await calls(page, 'activity_figures')).toEqual([30, 7]);
    expect(await at(page, 'week-late').innerText()).toContain('6 calls');
    const never = page.locator('[data-testid=week-never]');
    expect(await never.count()).toBe(2);
    await never.nth(1).locator('[data-testid=week-rule]').click();
    await at(page, 'week-rule-none').waitFor();
    await never.nth(0).locator('[data-testid=week-rule]').click();
    await at(page, 'activity-rule-add').click();
    await at(page, 'activity-rule-added').waitFor();
    expect(await calls(page, 'add_policy_rules')).toHaveLength(1);
    await at(page, 'week-late-do').click();
    await at(page, 'timeout').waitFor();
  });

  it('says where it has written what it exports', async () => {
    const page = await openedSettings();
    await at(page, 'nav-activity').click();
    await at(page, 'activity-export-csv').click();
    await at(page, 'activity-exported').waitFor();
    expect(await at(page, 'activity-exported').innerText()).toContain('Downloads');
    expect(await calls(page, 'export_activity')).toEqual([{ search: {}, format: 'csv' }]);
  });
});
