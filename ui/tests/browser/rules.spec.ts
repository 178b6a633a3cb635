import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Trial } from '../../src/platform';
import { calls, hasBrowser, openedSettings, PATIENCE, withBrowser } from './page';

const at = (page: Page, name: string) => page.locator(`[data-testid=${name}]`).first();
const soon = (read: () => Promise<unknown>) => expect.poll(read, { timeout: PATIENCE, interval: 50 });

async function openedRules(query = ''): Promise<Page> {
  const page = await openedSettings(query);
  await at(page, 'nav-rules').click();
  await at(page, 'try-form').waitFor();
  return page;
}

describe.runIf(hasBrowser)('the rules', () => {
  withBrowser();

  it('adds the rules of an agent as they were shown, once a person has said so', async () => {
    const page = await openedRules();
    await at(page, 'import-look').click();
    await at(page, 'import-agent').waitFor();
    expect(await at(page, 'import-counts').innerText()).toBe('4 carried over, 2 not');
    expect(await at(page, 'import-little').innerText()).toContain('next to nothing: 1');
    const agents = page.locator('[data-testid=import-agent]');
    expect(await agents.nth(1).innerText()).toContain('not valid JSON');
    const lists = agents.first().locator('summary');
    await lists.nth(0).click();
    await lists.nth(1).click();
    expect(await at(page, 'import-left').innerText()).toContain('which a rule cannot name');
    const shown = await at(page, 'import-entry').innerText();
    expect(shown).toContain('npm run test *');
    await at(page, 'import-add').click();
    expect(await calls(page, 'import_policy_rules')).toEqual([]);
    await at(page, 'import-add-confirm').click();
    await at(page, 'import-added').waitFor();
    const [added] = await calls<{ inFront: string; behind: string }>(page, 'import_policy_rules');
    expect(added?.inFront).toContain('npm run test *');
    expect(added?.inFront).not.toContain('deny');
    expect(added?.behind).toContain('curl *');
    expect(await at(page, 'policy-text').inputValue()).toContain('npm run test *');
  });

  it('says that no agent keeps any', async () => {
    const page = await openedRules('bare');
    await at(page, 'import-look').click();
    await at(page, 'import-none').waitFor();
  });

  it('adds none while the text of the policy is being changed', async () => {
    const page = await openedRules();
    await at(page, 'policy-text').fill('version = 1\n');
    await at(page, 'import-look').click();
    await at(page, 'import-agent').waitFor();
    expect(await page.locator('[data-testid=import-add]').count()).toBe(0);
    await at(page, 'forget-policy').click();
    await at(page, 'forget-policy-confirm').click();
    await at(page, 'import-add').waitFor();
  });

  it('tries every kind of call', async () => {
    const page = await openedRules();
    const kinds: [string, string, Trial['call']][] = [
      ['command', 'git status', { kind: 'command', line: 'git status' }],
      ['read', 'src/a.ts', { kind: 'read', path: 'src/a.ts' }],
      ['edit', 'docs/a.md', { kind: 'edit', path: 'docs/a.md' }],
      ['write', 'docs/a.md', { kind: 'write', path: 'docs/a.md' }],
      ['fetch', 'https://evil.example', { kind: 'fetch', url: 'https://evil.example' }],
      ['tool', 'search', { kind: 'tool', tool: 'search', server: 'docs', arguments: { query: 'x' } }],
    ];
    for (const [kind, what] of kinds) {
      await at(page, 'try-kind').selectOption(kind);
      await at(page, 'try-line').fill(what);
      if (kind === 'tool') {
        await at(page, 'try-server').fill('docs');
        await at(page, 'try-arguments').fill('{ "query": "x" }');
      }
      const before = (await calls(page, 'try_call')).length;
      await at(page, 'try-folder').fill('/home/mira/code');
      await at(page, 'try').click();
      await soon(async () => (await calls(page, 'try_call')).length).toBe(before + 1);
      await at(page, 'try-answer').waitFor();
    }
    const tried = await calls<Trial>(page, 'try_call');
    expect(tried).toEqual(kinds.map(([, , call]) => ({ call, folder: '/home/mira/code' })));
    await soon(() => at(page, 'try-rule').innerText()).toContain('file_write');
    await at(page, 'try-arguments').fill('{');
    await at(page, 'try').click();
    await at(page, 'try-problem').waitFor();
    expect(await calls(page, 'try_call')).toHaveLength(kinds.length);
  });
});
