import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AnswerRequest, DecisionRequest } from '../../src/generated/protocol';
import { calls, hasBrowser, settled, standing, withBrowser } from './page';

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.className ?? '',
  );

/** Everything that the Tab key reaches, once around. */
async function reached(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (now !== '' && all.includes(now) && all.length > 5) break;
    all.push(now);
  }
  return all;
}

describe.runIf(hasBrowser)('by keyboard alone', () => {
  withBrowser();

  it('every way to answer is reached', async () => {
    const page = await standing('write');
    const all = await reached(page);
    for (const one of [
      'pause-menu',
      'open-settings',
      'open-help',
      'edit',
      'deny',
      'deny-with-reason',
      'approve',
    ])
      expect(all, one).toContain(one);
  });

  it('a request is denied with words', async () => {
    const page = await standing('write');
    await page.keyboard.press('r');
    await page.keyboard.type('use the other branch');
    await page.keyboard.press('Enter');
    const [sent] = await calls<{ decision: DecisionRequest }>(page, 'decide');
    expect(sent?.decision).toMatchObject({ decision: 'deny', reason: 'use the other branch' });
  });

  it('no key decides in a window that was given the keyboard unasked, until it is clicked', async () => {
    const page = await standing('write&unasked');
    for (const key of ['a', 's', 'd', 'r']) await page.keyboard.press(key);
    expect(await page.locator('[data-testid=too-early]').innerText()).toContain('Click here first');
    await settled(page);
    await page.keyboard.press('a');
    expect(await calls(page, 'decide')).toEqual([]);
    await page.locator('main').click({ position: { x: 5, y: 5 } });
    await settled(page);
    await page.keyboard.press('a');
    expect(await calls(page, 'decide')).toHaveLength(1);
  });

  it('one goes through what waits', async () => {
    const page = await standing('ten');
    const strip = page.locator('[data-testid=strip]');
    for (const place of ['2 of 11', '3 of 11']) {
      await page.keyboard.press('j');
      expect(await strip.innerText()).toContain(place);
    }
    await page.keyboard.press('k');
    expect(await strip.innerText()).toContain('2 of 11');
  });

  it('a destructive call takes its word', async () => {
    const page = await standing('editable-destructive');
    await page.keyboard.press('a');
    await page.keyboard.type('rm');
    await settled(page);
    await page.keyboard.press('Enter');
    const [sent] = await calls<{ decision: DecisionRequest }>(page, 'decide');
    expect(sent?.decision.decision).toBe('approve');
  });

  it('a number takes a choice and sends nothing', async () => {
    const page = await standing('question');
    await page.keyboard.press('2');
    expect(await page.locator('[data-testid=choice-2] input').isChecked()).toBe(true);
    await page.keyboard.press('1');
    expect(await page.locator('[data-testid=choice-2] input').isChecked()).toBe(false);
    expect(await page.locator('[data-testid=choice-1] input').isChecked()).toBe(true);
    await page.keyboard.press('9');
    expect(await calls(page, 'answer')).toEqual([]);
    await settled(page);
    await page.locator('[data-testid=answer]').press('Enter');
    const [sent] = await calls<{ answer: AnswerRequest }>(page, 'answer');
    expect(sent?.answer).toEqual({ selected: ['PostgreSQL 17'] });
  });

  it('several choices are taken and left again, and numbers in a text are text', async () => {
    const page = await standing('question_many');
    for (const key of ['1', '3', '1']) await page.keyboard.press(key);
    const checked = await page.locator('[data-testid^=choice-] input:checked').count();
    expect(checked).toBe(1);
    const open = await standing('question');
    await open.locator('[data-testid=own-words]').fill('');
    await open.locator('[data-testid=own-words]').pressSequentially('2 of 3');
    expect(await open.locator('[data-testid=own-words]').inputValue()).toBe('2 of 3');
    expect(await open.locator('[data-testid^=choice-] input:checked').count()).toBe(0);
  });
});
