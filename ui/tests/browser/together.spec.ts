import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { DecisionRequest } from '../../src/generated/protocol';
import type { FixtureControls } from '../../src/platform/fixture/fixture';
import { calls, hasBrowser, lookedAt, opened, settled, standing, withBrowser } from './page';

type Decided = { id: string; decision: DecisionRequest };

const id = (name: string) => `[data-testid=${name}]`;
const decisions = (page: Page): Promise<Decided[]> => calls<Decided>(page, 'decide');
const approve = (page: Page) => page.locator(id('approve'));
const isReading = async (page: Page) => (await approve(page).getAttribute('data-reading')) === 'true';
const WIDE = { width: 1100, height: 700 };

/** Reads on until the last call was on the screen. */
async function read(page: Page): Promise<void> {
  for (let presses = 0; await isReading(page); presses += 1) {
    expect(presses, 'the end is never reached').toBeLessThan(50);
    await approve(page).click();
    await settled(page);
  }
}

describe.runIf(hasBrowser)('calls that look alike', () => {
  withBrowser();

  it('are approved together, each under its own arguments, once all were on the screen', async () => {
    const page = await standing('alike', { width: 380, height: 260 });
    await page.locator(id('look-together')).click();
    await settled(page);
    expect(await page.locator(`${id('together')} > li`).count()).toBe(3);
    expect(await isReading(page)).toBe(true);
    // The key reads on, as the button does.
    await page.keyboard.press('a');
    await settled(page);
    expect(await decisions(page)).toEqual([]);
    await read(page);
    expect(await decisions(page)).toEqual([]);
    expect(await approve(page).innerText()).toBe('Approve all 3');
    await approve(page).click();
    for (let one = 0; one < 3; one += 1) await settled(page);
    const sent = (await decisions(page)).map(({ decision }) => decision);
    expect(sent.map(({ decision, scope }) => [decision, scope])).toEqual(Array(3).fill(['approve', 'once']));
    expect(new Set(sent.map(({ arguments_hash: hash }) => hash)).size).toBe(3);
    // What is left is looked at alone again, the oldest first.
    expect(await page.locator(id('together')).count()).toBe(0);
    expect(await page.locator(id('command')).innerText()).toContain('terraform plan');
  });

  it('show what differs between them', async () => {
    const page = await standing('alike');
    await page.keyboard.press('g');
    const marked = await page.locator(`${id('together')} .changed`).allInnerTexts();
    expect(marked).toEqual(['api', 'batch']);
  });

  it('have to be read again when another one comes', async () => {
    const page = await standing('alike', WIDE);
    await page.keyboard.press('g');
    await settled(page);
    await read(page);
    expect(await approve(page).getAttribute('data-armed')).toBe('true');
    await page.evaluate(() =>
      (window as unknown as { fixture: FixtureControls }).fixture.arrive('cargo test -p ledger-late'),
    );
    expect(await approve(page).getAttribute('data-armed')).toBe('false');
    expect(await page.locator(`${id('together')} > li`).count()).toBe(4);
    expect(await page.locator(id('together')).innerText()).toContain('ledger-late');
  });

  it('are denied together, and looked at one by one again', async () => {
    const page = await standing('alike');
    await page.keyboard.press('g');
    await page.keyboard.press('Escape');
    expect(await page.locator(id('together')).count()).toBe(0);
    expect(await calls(page, 'hide_window')).toEqual([]);
    await page.keyboard.press('g');
    await settled(page);
    await page.keyboard.press('d');
    for (let one = 0; one < 3; one += 1) await settled(page);
    expect((await decisions(page)).map(({ decision }) => decision.decision)).toEqual(Array(3).fill('deny'));
  });

  it('are no group where one has to be looked at alone', async () => {
    const page = await standing('alike', WIDE);
    const groups = await page.locator(id('list-group')).allInnerTexts();
    expect(groups.map((words) => words.replace(/\s+/g, ' ').trim())).toEqual([
      '3 × cargo test',
      '2 × terraform plan',
    ]);
    const lanes = await page.locator(id('lane')).allInnerTexts();
    expect(lanes).toHaveLength(3);
    expect(lanes.filter((words) => words.includes('“Explore”'))).toHaveLength(1);
  });
});

describe.runIf(hasBrowser)('a thousand that wait', () => {
  withBrowser();

  it('fold into what looks alike, are searched, and gone through', async () => {
    const page = await opened('thousand', WIDE);
    expect(await page.locator(id('lane')).count()).toBe(4);
    await page.locator(id('inbox-search')).fill('step-998');
    expect(await page.locator(id('list-item')).count()).toBe(1);
    await page.locator(id('list-item')).click();
    expect(await page.locator(id('command')).innerText()).toContain('step-998');
    await page.locator(id('inbox-search')).fill('no such call');
    expect(await page.locator('nav').innerText()).toContain('Nothing that waits has these words.');
    await page.locator(id('inbox-search')).fill('');
    await lookedAt(page, {});
    await page.keyboard.press('j');
    expect(await page.locator(id('strip')).innerText()).toMatch(/of 1,?000/);
  });
});
