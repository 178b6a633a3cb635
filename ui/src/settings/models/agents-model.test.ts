import { describe, expect, it, vi } from 'vitest';
import type { AgentChange } from '../../generated/protocol';
import type { SettingsPlatform } from '../../platform';
import { AgentsModel } from './agents-model.svelte';

const FILE = { path: '/home/mira/.claude/settings.json', lines: [] };
const WISH = { agent: 'claude-code', connect: true, onlyWhatAgentAsks: false, forMachine: false };

function change(files: AgentChange['files'], digest = 'd1'): AgentChange {
  return { agent: 'claude-code', files, digest, is_made: false };
}

function platform(more: Partial<SettingsPlatform>): SettingsPlatform {
  return { agents: () => Promise.resolve([]), ...more } as SettingsPlatform;
}

describe('a change to an agent', () => {
  it('for the whole machine needs nothing more, and says what it was', async () => {
    const previewAgentChange = vi.fn(() => Promise.resolve(change([FILE], 'shown')));
    const changeAgent = vi.fn(() => Promise.resolve(change([FILE])));
    const model = new AgentsModel(platform({ previewAgentChange, changeAgent }));
    await model.preview({ ...WISH, forMachine: true });
    await model.make('Claude Code');
    expect(changeAgent).toHaveBeenCalledWith({ ...WISH, forMachine: true }, 'shown');
    expect(previewAgentChange).toHaveBeenCalledTimes(1);
    expect(model.done?.sentences).toEqual(["This machine's settings now keep the hooks of Claude Code on."]);
  });

  it('is made with the digest of what was shown', async () => {
    const changeAgent = vi.fn(() => Promise.resolve(change([{ ...FILE, backup: '/old' }])));
    const previews = [change([FILE], 'shown'), change([])];
    const model = new AgentsModel(
      platform({ previewAgentChange: () => Promise.resolve(previews.shift() ?? change([])), changeAgent }),
    );
    await model.preview(WISH);
    await model.make('Claude Code');
    expect(changeAgent).toHaveBeenCalledWith(WISH, 'shown');
    expect(model.open).toBeNull();
    expect(model.done?.sentences.join(' ')).toContain('/old');
  });

  it('is followed by the one that it makes necessary', async () => {
    const previews = [change([FILE], 'first'), change([FILE], 'second')];
    const changeAgent = vi.fn(() => Promise.resolve(change([FILE])));
    const model = new AgentsModel(
      platform({ previewAgentChange: () => Promise.resolve(previews.shift() ?? change([])), changeAgent }),
    );
    await model.preview(WISH);
    await model.make('Codex');
    expect(model.open).toMatchObject({ isMore: true, change: { digest: 'second' } });
    expect(changeAgent).toHaveBeenCalledTimes(1);
  });

  it('is not shown when another one was asked for meanwhile', async () => {
    let answer: (change: AgentChange) => void = () => {};
    const late = new Promise<AgentChange>((resolve) => (answer = resolve));
    const answers = [late, Promise.resolve(change([FILE], 'own'))];
    const model = new AgentsModel(platform({ previewAgentChange: () => answers.shift() ?? late }));
    const first = model.preview(WISH);
    await model.preview({ ...WISH, onlyWhatAgentAsks: true });
    answer(change([FILE], 'every'));
    await first;
    expect(model.open?.change?.digest).toBe('own');
  });

  it('that fails says why, in words', async () => {
    const model = new AgentsModel(
      platform({
        previewAgentChange: () => Promise.resolve(change([FILE])),
        changeAgent: () => Promise.reject({ detail: 'The settings have changed meanwhile.' }),
      }),
    );
    await model.preview(WISH);
    await model.make('Claude Code');
    expect(model.problem).toContain('The settings have changed meanwhile.');
    expect(model.open).toBeNull();
  });
});
