import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { DecisionRequest } from '../../src/generated/protocol';
import type { FixtureControls } from '../../src/platform/fixture/fixture';
import { calls, hasBrowser, settled, standing, withBrowser } from './page';

type Decided = { id: string; decision: DecisionRequest };
type Controlled = { fixture: FixtureControls };

const decisions = (page: Page): Promise<Decided[]> => calls<Decided>(page, 'decide');
const approve = (page: Page) => page.locator('[data-testid=approve]');
const isReady = async (page: Page): Promise<boolean> =>
  (await approve(page).getAttribute('data-armed')) === 'true';

/** Something on the screen moves: the wait starts. The clock stands, so that what comes next comes too early. */
const moved = (page: Page): Promise<void> =>
  page.evaluate(() => void window.dispatchEvent(new Event('resize')));

/** Reads the call to its end by the button itself. */
async function read(page: Page): Promise<number> {
  let presses = 0;
  while ((await approve(page).getAttribute('data-reading')) === 'true') {
    expect(presses, 'the end is never reached').toBeLessThan(200);
    presses += 1;
    await approve(page).click();
    await settled(page);
  }
  return presses;
}

describe.runIf(hasBrowser)('deciding', () => {
  withBrowser();

  it('takes a click once the call has stood still, and one only', async () => {
    const page = await standing('scopes');
    expect(await isReady(page)).toBe(true);
    await approve(page).click();
    await settled(page);
    expect((await decisions(page)).map(({ decision }) => decision.decision)).toEqual(['approve']);
    expect(await page.locator('[data-testid=empty]').isVisible()).toBe(true);
  });

  it('takes mouse, keys and labels for presses', async () => {
    const page = await standing('scopes');
    // A label hands its click on to its field.
    await page.locator('[data-testid=scope-session]').click();
    await page.locator('[data-testid=scope-session]').locator('input').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.locator('[data-testid=deny-with-reason]').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid=reason]').waitFor();
    await page.keyboard.press('Escape');
    await settled(page);
    await approve(page).click();
    await settled(page);
    expect((await decisions(page)).length).toBe(1);
    expect(await calls(page, 'pressed_without_device')).toEqual([]);
  });

  it('shows what a changed edit would make of the file while it is typed', async () => {
    const page = await standing('editable-edit', { width: 680, height: 900 });
    await page.locator('[data-testid=edit]').click();
    await page.locator('[data-testid=edit-field]').last().fill('return amount.round(4);');
    await settled(page);
    const shown = page.locator('[data-testid=edit-difference]');
    expect(await shown.innerText()).toContain('return amount.round(4);');
    expect(await shown.innerText()).not.toContain('toDecimalPlaces(2)');
    await read(page);
    await approve(page).click();
    await settled(page);
    const [decided] = await decisions(page);
    expect(decided?.decision.arguments).toMatchObject({ new_string: 'return amount.round(4);' });
  });

  it('says after the last answer what was answered, and shows no page that says goodbye', async () => {
    const page = await standing('scopes');
    await approve(page).click();
    await page.clock.runFor(500);
    expect(await page.locator('[data-testid=empty] [data-testid=toast]').innerText()).toContain('npm test');
    expect(await page.locator('[data-testid=open-guide]').count()).toBe(0);
    expect(await page.locator('[data-testid=empty] h1').count()).toBe(0);
    await settled(page);
    expect(await page.locator('[data-testid=open-guide]').count()).toBe(1);
    expect(await page.locator('[data-testid=toast]').count()).toBe(0);
  });

  it('starts to wait again when a click comes too early, and says so', async () => {
    const page = await standing('scopes');
    await moved(page);
    // By force: the button says that it is not ready, and is pressed all the same.
    await approve(page).click({ force: true });
    expect(await page.locator('[data-testid=too-early]').isVisible()).toBe(true);
    // The first wait would be over now; the click has begun another one.
    await page.clock.runFor(300);
    await approve(page).click({ force: true });
    await page.clock.runFor(400);
    expect(await isReady(page)).toBe(false);
    await settled(page);
    expect(await decisions(page)).toEqual([]);
    await approve(page).click();
    expect(await decisions(page)).toHaveLength(1);
  });

  it('starts to wait again when a key comes too early, and says so', async () => {
    const page = await standing('scopes');
    await moved(page);
    await page.keyboard.press('a');
    expect(await page.locator('[data-testid=too-early]').isVisible()).toBe(true);
    expect(await decisions(page)).toEqual([]);
    await settled(page);
    await page.keyboard.press('a');
    expect(await decisions(page)).toHaveLength(1);
  });

  it('cannot approve what was not on the screen, by mouse or by keys', async () => {
    const page = await standing('long');
    expect(await approve(page).innerText()).toMatch(/^Read on: [\d,]+ more lines$/);
    for (const key of ['s', 'Enter']) await page.keyboard.press(key);
    expect(await decisions(page)).toEqual([]);
    expect(await read(page)).toBeGreaterThan(2);
    expect(await decisions(page)).toEqual([]);
    await approve(page).click();
    expect(await decisions(page)).toHaveLength(1);
  });

  it('does not count the end of a long call as read when somebody jumps there', async () => {
    const page = await standing('editable');
    await page.locator('[data-testid=unfold]').first().click();
    await page.evaluate(() => document.querySelector('.scrolls')?.scrollTo(0, 1e6));
    await settled(page);
    expect(await isReady(page)).toBe(false);
  });

  it('approves changed arguments that were changed before the call was read', async () => {
    const page = await standing('editable');
    await page.keyboard.press('e');
    await page.locator('[data-testid=edit-command]').fill('touch one');
    await settled(page);
    await approve(page).click();
    expect((await decisions(page)).map(({ decision }) => decision.arguments)).toEqual([
      { command: 'touch one' },
    ]);
  });

  it('cannot approve changed arguments whose end was not on the screen', async () => {
    const page = await standing('editable');
    await page.keyboard.press('e');
    const long = JSON.stringify(
      { command: 'x', more: Array.from({ length: 90 }, (_, index) => index) },
      null,
      2,
    );
    await page.locator('[data-testid=edit-as-json]').click();
    await page.locator('[data-testid=edit-arguments]').fill(long);
    await page.evaluate(() => document.querySelector('.scrolls')?.scrollTo(0, 0));
    await settled(page);
    expect(await isReady(page)).toBe(false);
    await read(page);
    await approve(page).click();
    expect((await decisions(page)).map(({ decision }) => decision.arguments)).toEqual([JSON.parse(long)]);
  });

  it('keeps changed arguments on the screen while they are confirmed', async () => {
    const page = await standing('editable-destructive');
    await page.keyboard.press('e');
    const field = page.locator('[data-testid=edit-command]');
    await field.fill('rm -rf build');
    await page.locator('.scrolls').focus();
    await settled(page);
    await page.keyboard.press('a');
    await page.locator('[data-testid=confirm-word]').fill('rm');
    expect(await field.inputValue()).toContain('rm -rf build');
    expect(await field.isVisible()).toBe(true);
    expect(await page.locator('[data-testid=command]').count()).toBe(0);
    await settled(page);
    await page.locator('[data-testid=confirm-word]').press('Enter');
    expect((await decisions(page)).map(({ decision }) => decision.arguments)).toEqual([
      { command: 'rm -rf build' },
    ]);
  });

  it('says while a command is changed what the rules say of it, and arms for its risk', async () => {
    const page = await standing('editable');
    const card = page.locator('[data-testid=prompt-card]');
    await page.keyboard.press('e');
    const field = page.locator('[data-testid=edit-command]');
    await field.fill('ls src');
    expect(await isReady(page), 'nobody has said yet what it does').toBe(false);
    await settled(page);
    expect(await card.getAttribute('data-risk')).toBe('read_only');
    expect(await isReady(page)).toBe(true);
    await field.fill('rm -rf build');
    await settled(page);
    expect(await card.getAttribute('data-risk')).toBe('destructive');
    expect(await page.locator('[data-testid=consequences]').innerText()).toContain('Deletes 18 files');
    expect(await approve(page).innerText()).toContain('Hold');
    await approve(page).click();
    expect(await decisions(page), 'a click alone destroys nothing').toEqual([]);
    await page.locator('[data-testid=edit-as-json]').click();
    expect(JSON.parse(await page.locator('[data-testid=edit-arguments]').inputValue())).toEqual({
      command: 'rm -rf build',
    });
  });

  it('keeps what a call would do to a few lines that unfold', async () => {
    const page = await standing('effects');
    const lines = page.locator('[data-testid=consequence]').filter({ visible: true });
    expect(await lines.count()).toBe(3);
    expect(await lines.first().getAttribute('data-loses')).toBe('true');
    await page.locator('[data-testid=consequence-names]').first().waitFor({ state: 'hidden' });
    await lines.first().locator('summary').click();
    expect(await page.locator('[data-testid=consequence-names]').first().innerText()).toContain('.env');
    await page.locator('[data-testid=consequences-more] > summary').click();
    expect(await lines.count()).toBe(6);
  });

  it('goes on when a request ends elsewhere, and takes no click that was meant for it', async () => {
    const page = await standing('ten');
    const card = page.locator('[data-testid=prompt-card]');
    const first = (await card.getAttribute('data-request-id')) ?? '';
    await page.evaluate((id) => (window as unknown as Controlled).fixture.end(id, 'approved'), first);
    expect(await card.getAttribute('data-request-id')).not.toBe(first);
    expect(await page.locator('[data-testid=end-notice]').innerText()).toContain('elsewhere');
    await page.locator('[data-testid=deny]').click();
    expect(await decisions(page), 'the click was meant for the one before').toEqual([]);
    await settled(page);
    await page.locator('[data-testid=deny]').click();
    expect((await decisions(page)).map(({ decision }) => decision.decision)).toEqual(['deny']);
  });

  it('shows what an overwritten file loses, and counts only that as the call', async () => {
    const page = await standing('overwrite');
    const shown = page.locator('[data-testid=diff]');
    expect(await shown.innerText()).toContain("parse('0.4')");
    expect(await shown.locator('li.remove').count()).toBe(1);
    expect(await shown.innerText()).toContain('unchanged lines');
    expect(await isReady(page)).toBe(true);
    await shown.locator('[data-testid=unfold-far]').first().click();
    expect(await shown.innerText()).toContain('rate0');
  });
});
