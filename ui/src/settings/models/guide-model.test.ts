import { describe, expect, it } from 'vitest';
import type { ApprovalResult, PresetComparison, ReplayProgress } from '../../generated/protocol';
import type { SettingsPlatform } from '../../platform';
import { GuideModel } from './guide-model.svelte';

const COMPARISON: PresetComparison = { agents: [], presets: [] };

/** A platform whose answers come when the test says so. */
function made() {
  const heard = { listeners: 0, stopped: 0, takenBack: 0 };
  let tell: (progress: ReplayProgress) => void = () => undefined;
  const ends: Record<string, { resolve: (value: never) => void; reject: (error: unknown) => void }> = {};
  const later = <T>(name: string): Promise<T> =>
    new Promise((resolve, reject) => (ends[name] = { resolve: resolve as never, reject }));
  const platform = {
    comparePresets: () => later<PresetComparison>('compare'),
    onReplayProgress: (listener: typeof tell) => {
      heard.listeners += 1;
      tell = listener;
      return Promise.resolve(() => void (heard.listeners -= 1));
    },
    stopComparing: () => Promise.resolve(void (heard.stopped += 1)),
    askSample: () => later<ApprovalResult>('ask'),
    stopSample: () => Promise.resolve(void (heard.takenBack += 1)),
  };
  const guide = new GuideModel(platform as unknown as SettingsPlatform);
  return { guide, heard, ends, tell: (progress: ReplayProgress) => tell(progress) };
}

/** Lets whatever is ready go on. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('the guide', () => {
  it('shows how far the replay is, and then what it found', async () => {
    const { guide, heard, ends, tell } = made();
    const running = guide.compare();
    await turn();
    tell({ phase: 'reading', calls: 100 });
    expect(guide.replay).toMatchObject({ state: 'running', progress: { calls: 100 } });
    ends['compare']?.resolve(COMPARISON as never);
    await running;
    expect([guide.replay.state, heard.listeners]).toEqual(['done', 0]);
  });

  it('forgets a replay that was stopped, whatever comes of it', async () => {
    const { guide, heard, ends, tell } = made();
    const running = guide.compare();
    await turn();
    await guide.stopComparing();
    tell({ phase: 'replaying', done: 1, steps: 8 });
    ends['compare']?.reject({ detail: 'It was stopped.' });
    await running;
    expect([guide.replay.state, heard.stopped, heard.listeners]).toEqual(['stopped', 1, 0]);
  });

  it('does not take the end of a stopped replay for that of the next one', async () => {
    const { guide, ends } = made();
    const first = guide.compare();
    await turn();
    const stopped = ends['compare'];
    await guide.stopComparing();
    const second = guide.compare();
    await turn();
    stopped?.reject({ detail: 'It was stopped.' });
    await first;
    expect(guide.replay.state).toBe('running');
    ends['compare']?.resolve(COMPARISON as never);
    await second;
    expect(guide.replay.state).toBe('done');
  });

  it('tells why there are no figures', async () => {
    const { guide, ends } = made();
    const running = guide.compare();
    await turn();
    ends['compare']?.reject({ detail: 'The disk is full.' });
    await running;
    expect(guide.replay).toEqual({ state: 'failed', problem: 'The disk is full.' });
  });

  it('takes what still waits back when it is left', async () => {
    const { guide, heard, ends } = made();
    const asking = guide.ask();
    await guide.stop();
    ends['ask']?.reject({ detail: 'It was stopped.' });
    await asking;
    expect([guide.sample.state, heard.takenBack, heard.stopped]).toEqual(['none', 1, 0]);
  });
});
