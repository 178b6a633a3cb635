import type { ApprovalResult, PresetComparison, ReplayProgress } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { asProblem, type SettingsPlatform } from '../../platform';

/** The steps of the guide, in their order. */
export const STEPS = ['presets', 'agents', 'sample'] as const;
export type Step = (typeof STEPS)[number];

/** How it stands with the replay of the agents' calls. */
export type Replay =
  | { state: 'none' }
  | { state: 'running'; progress: ReplayProgress | null }
  | { state: 'stopped' }
  | { state: 'failed'; problem: string }
  | { state: 'done'; comparison: PresetComparison };

/** How it stands with the sample. */
export type Sample =
  | { state: 'none' }
  | { state: 'waiting' }
  | { state: 'failed'; problem: string }
  | { state: 'ended'; result: ApprovalResult };

/** The guide of the first start. What it has found outlives its section. */
export class GuideModel {
  step = $state<Step>('presets');
  replay = $state.raw<Replay>({ state: 'none' });
  sample = $state.raw<Sample>({ state: 'none' });

  #replays = 0;

  constructor(private readonly platform: SettingsPlatform) {}

  /** Replays what the agents did in the last days. */
  async compare(): Promise<void> {
    if (this.replay.state === 'running') return;
    const running = (progress: ReplayProgress | null): Replay => ({ state: 'running', progress });
    this.replay = running(null);
    const own = ++this.#replays;
    // Another may have begun since this one was stopped.
    const isStopped = (): boolean => this.replay.state !== 'running' || this.#replays !== own;
    const stopListening = await this.platform.onReplayProgress((progress) => {
      if (!isStopped()) this.replay = running(progress);
    });
    try {
      const comparison = await this.platform.comparePresets();
      if (!isStopped()) this.replay = { state: 'done', comparison };
    } catch (error) {
      if (!isStopped()) this.replay = { state: 'failed', problem: words(error) };
    }
    stopListening();
  }

  /** Ends the replay. */
  async stopComparing(): Promise<void> {
    if (this.replay.state !== 'running') return;
    this.replay = { state: 'stopped' };
    await this.platform.stopComparing().catch(() => undefined);
  }

  /** Sends the sample through the gate, and waits for the answer. */
  async ask(): Promise<void> {
    if (this.sample.state === 'waiting') return;
    this.sample = { state: 'waiting' };
    try {
      const result = await this.platform.askSample();
      if (this.sample.state === 'waiting') this.sample = { state: 'ended', result };
    } catch (error) {
      if (this.sample.state === 'waiting') this.sample = { state: 'failed', problem: words(error) };
    }
  }

  /** Takes the sample back. */
  async takeBack(): Promise<void> {
    if (this.sample.state !== 'waiting') return;
    this.sample = { state: 'none' };
    await this.platform.stopSample().catch(() => undefined);
  }

  /** Whatever runs for the guide ends. */
  async stop(): Promise<void> {
    await Promise.all([this.stopComparing(), this.takeBack()]);
  }
}

function words(error: unknown): string {
  return asProblem(error).detail || m.problem_unknown();
}
