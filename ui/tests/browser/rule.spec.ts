import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { DecisionRequest } from '../../src/generated/protocol';
import { calls, hasBrowser, settled, standing, withBrowser } from './page';

type Decided = { id: string; decision: DecisionRequest };

const approve = (page: Page) => page.locator('[data-testid=approve]');
const field = (page: Page) => page.locator('[data-testid=rule-field]');

/** Begins to change the rule of the answer "always". */
async function changing(): Promise<Page> {
  const page = await standing('scopes');
  await page.locator('[data-testid=scope-always]').click();
  await page.locator('[data-testid=rule-change]').click();
  return page;
}

/** Writes a rule, and waits until it is checked. */
async function written(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.clock.runFor(300);
  await settled(page);
}

describe.runIf(hasBrowser)('changing the rule', () => {
  withBrowser();

  it('begins with the rule as it would be written, and without what destroys', async () => {
    const page = await changing();
    expect(await field(page).inputValue()).toContain('[[rule]]');
    expect(await field(page).inputValue()).toContain('risk = ["read_only", "write"]');
  });

  it('holds the approval back while the rule cannot be approved with', async () => {
    const page = await changing();
    await written(page, '[[rule]]\ncommand = "make *"\naction = "allow"\n');
    expect(await page.locator('[data-testid=rule-refused]').innerText()).toContain('does not cover');
    expect(await approve(page).getAttribute('data-armed')).toBe('false');
    await approve(page).click({ force: true });
    expect(await calls<Decided>(page, 'decide')).toEqual([]);
  });

  it('says what a wider one would let pass, and approves with it as it is written', async () => {
    const page = await changing();
    const wide = '[[rule]]\ncommand = "npm *"\naction = "allow"\nrisk = ["read_only", "write"]\n';
    await written(page, wide);
    expect(await page.locator('[data-testid=rule-difference]').innerText()).toContain('22 more');
    expect(await page.locator('[data-testid=rule-passes] li').count()).toBe(2);
    expect(await page.locator('[data-testid=rule-asked] li').count()).toBe(2);
    await page.clock.runFor(2000);
    await settled(page);
    await approve(page).click();
    await settled(page);
    const [decided] = await calls<Decided>(page, 'decide');
    expect(decided?.decision).toMatchObject({ scope: 'always', breadth: 'exact', rule: wide });
  });

  it('can be left: the rule stands as it was shown', async () => {
    const page = await changing();
    await written(page, 'nonsense');
    await page.keyboard.press('Escape');
    await settled(page);
    expect(await field(page).count()).toBe(0);
    await page.clock.runFor(2000);
    await settled(page);
    await approve(page).click();
    await settled(page);
    const [decided] = await calls<Decided>(page, 'decide');
    expect(decided?.decision.scope).toBe('always');
    expect(decided?.decision).not.toHaveProperty('rule');
  });
});

describe.runIf(hasBrowser)('ticking the commands that an answer covers', () => {
  withBrowser();

  /** The answer "always" to a line of three commands, with any arguments. */
  async function ticking(): Promise<Page> {
    const page = await standing('several', { width: 680, height: 960 });
    await page.locator('[data-testid=scope-always]').click();
    await page.locator('[data-testid=breadth-prefix]').click();
    return page;
  }
  const tick = (page: Page, index: number) => page.locator('[data-testid=tick]').nth(index);

  it('is offered for answers that leave arguments open, and never for what cannot be', async () => {
    const page = await standing('several', { width: 680, height: 960 });
    expect(await tick(page, 0).count()).toBe(0);
    await page.locator('[data-testid=scope-session]').click();
    await page.locator('[data-testid=breadth-prefix]').click();
    expect(await tick(page, 0).count()).toBe(1);
    expect(await tick(page, 0).isChecked()).toBe(true);
    expect(await tick(page, 2).isDisabled()).toBe(true);
    expect(await page.locator('[data-testid=ticks-others]').isVisible()).toBe(true);
  });

  it('writes the rules of the ticked ones only', async () => {
    const page = await ticking();
    const rule = page.locator('[data-testid=rule-text]');
    expect(await rule.innerText()).toContain('cargo test *');
    expect(await page.locator('[data-testid=rule-change]').count()).toBe(0);
    await tick(page, 1).click();
    expect(await rule.innerText()).not.toContain('cargo test *');
    expect(await page.locator('[data-testid=rule-change]').count()).toBe(1);
    await settled(page);
    await approve(page).click();
    await settled(page);
    const [decided] = await calls<Decided>(page, 'decide');
    expect(decided?.decision).toMatchObject({ scope: 'always', breadth: 'prefix', commands: [0] });
  });

  it('approves nothing for long when none is ticked', async () => {
    const page = await ticking();
    await tick(page, 0).click();
    await tick(page, 1).click();
    await settled(page);
    expect(await page.locator('[data-testid=ticks-none]').isVisible()).toBe(true);
    expect(await approve(page).getAttribute('data-armed')).toBe('false');
  });
});
