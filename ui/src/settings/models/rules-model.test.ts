import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PolicyView } from '../../generated/protocol';
import type { SettingsPlatform } from '../../platform';
import { RulesModel } from './rules-model.svelte';

const view = (text: string, etag: string, change: Partial<PolicyView> = {}): PolicyView => ({
  text,
  etag,
  path: '/policy.toml',
  diagnostics: [],
  in_force: { preset: 'practical', timeout_seconds: 300, rules: 0, path: '/policy.toml' },
  ...change,
});

/** A file that others may change, and what was done with it. */
function desk(first: PolicyView) {
  const file = { now: first, saved: [] as string[] };
  const platform = {
    policy: () => Promise.resolve(file.now),
    checkPolicy: () => Promise.resolve({ is_usable: true, diagnostics: [] }),
    savePolicy(text: string, etag: string) {
      if (etag !== file.now.etag) return Promise.reject({ code: 'policy_moved', detail: 'moved' });
      file.saved.push(text);
      file.now = view(text, `${etag}+`);
      return Promise.resolve(file.now);
    },
  } as unknown as SettingsPlatform;
  return { file, platform };
}

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});

describe('a policy text that is being written', () => {
  it('is saved in the place of the text that it was made from', async () => {
    const { file, platform } = desk(view('a', '1'));
    const model = new RulesModel(platform);
    await model.load();
    model.edit('b');
    expect(model.maySave).toBe(true);
    await model.save();
    expect(file.saved).toEqual(['b']);
    expect([model.isChanged, model.saved, model.text]).toEqual([false, true, 'b']);
  });

  it('is kept, and said to be overtaken, when the file changes meanwhile', async () => {
    const { file, platform } = desk(view('a', '1'));
    const model = new RulesModel(platform);
    await model.load();
    model.edit('mine');
    file.now = view('theirs', '2');
    await model.save();
    expect(file.saved).toEqual([]);
    expect([model.text, model.isOvertaken, model.maySave]).toEqual(['mine', true, false]);
    model.insist();
    await model.save();
    expect(file.saved).toEqual(['mine']);
  });

  it('outlives its window', async () => {
    const { platform } = desk(view('a', '1'));
    const model = new RulesModel(platform);
    await model.load();
    model.edit('unfinished');
    const another = new RulesModel(platform);
    await another.load();
    expect([another.text, another.isChanged]).toEqual(['unfinished', true]);
    another.forget();
    const third = new RulesModel(platform);
    await third.load();
    expect(third.text).toBe('a');
  });

  it('is no change when it is the text of the file again', async () => {
    const { platform } = desk(view('a', '1'));
    const model = new RulesModel(platform);
    await model.load();
    model.edit('ab');
    model.edit('a');
    expect(model.isChanged).toBe(false);
  });

  it('waits while a change from outside waits', async () => {
    const pending = { added: [], removed: [], moved: [], settings: [], loosens: true };
    const { platform } = desk(view('a', '1', { pending }));
    const model = new RulesModel(platform);
    await model.load();
    model.edit('b');
    expect(model.maySave).toBe(false);
  });
});
