import type { NewCredential, NewCredentialRequest, Settings, SettingsView } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { asProblem, type SettingsPlatform } from '../../platform';
import { applyAppearance } from '../../shared/appearance';
import { applyLocale } from '../../shared/language.svelte';
import { AgentsModel } from './agents-model.svelte';
import { ActivityModel } from './activity-model.svelte';
import { GuideModel } from './guide-model.svelte';
import { HistoryModel } from './history-model.svelte';
import { RulesModel } from './rules-model.svelte';

/** The sections of the settings window, in their order. */
export const SECTIONS = [
  'activity',
  'rules',
  'policy',
  'agents',
  'sessions',
  'general',
  'connections',
  'guide',
  'about',
] as const;
export type Section = (typeof SECTIONS)[number];

/** Everything that the settings window knows. What is shown is always what the desktop says is in force. */
export class SettingsModel {
  view = $state.raw<SettingsView | null>(null);
  section = $state<Section>('activity');
  problem = $state<string | null>(null);
  created = $state.raw<NewCredential | null>(null);
  /** Which call of the past the person has asked for last, counted. */
  askedFor = $state(0);
  /** Outlives the section that shows it, with whatever is unsaved in it. */
  readonly rules: RulesModel;
  readonly agents: AgentsModel;
  readonly history: HistoryModel;
  readonly activity: ActivityModel;
  readonly guide: GuideModel;

  constructor(readonly platform: SettingsPlatform) {
    this.rules = new RulesModel(platform);
    this.agents = new AgentsModel(platform);
    this.history = new HistoryModel(platform);
    this.activity = new ActivityModel(platform);
    this.guide = new GuideModel(platform);
  }

  /** Connects to the desktop; the result disconnects. */
  async start(): Promise<() => void> {
    const stop = await this.platform.onSettingsView((view) => this.receive(view));
    try {
      this.receive(await this.platform.settingsView());
    } catch (error) {
      this.fail(error);
    }
    return stop;
  }

  /** Changes something; when that fails, says so and shows what is in force. */
  async change(action: (platform: SettingsPlatform) => Promise<void>): Promise<void> {
    this.problem = null;
    try {
      await action(this.platform);
    } catch (error) {
      this.fail(error);
    }
    this.receive(await this.platform.settingsView().catch(() => this.view));
  }

  save(change: Partial<Settings>): Promise<void> {
    const settings = this.view?.settings;
    if (!settings) return Promise.resolve();
    return this.change((platform) => platform.saveSettings({ ...settings, ...change }));
  }

  /** A person has said whether Handraise starts at login, and is not asked again. */
  startAtLogin(start_at_login: boolean): Promise<void> {
    return this.save({ start_at_login, start_at_login_asked: true });
  }

  /** Shows another section. The guide is left by that, and does not come up by itself again. */
  go(section: Section): void {
    const isLeft = this.section === 'guide' && section !== 'guide';
    this.section = section;
    this.problem = null;
    if (!isLeft) return;
    void this.guide.stop();
    if (this.view?.settings.guide_left === false) void this.save({ guide_left: true });
  }

  createCredential(request: NewCredentialRequest): Promise<void> {
    return this.change(async (platform) => {
      this.created = await platform.createCredential(request);
    });
  }

  private receive(view: SettingsView | null): void {
    if (!view) return;
    // At the first start, and when it is asked for elsewhere.
    if (!view.settings.guide_left && this.view?.settings.guide_left !== false) this.section = 'guide';
    this.view = { ...view };
    applyAppearance(view.settings.appearance, view.accent);
    applyLocale(view.locale);
    // What is wrong with the file, or waits to be confirmed, may be something else by now.
    if (this.rules.view) void this.rules.load();
    if (!view.wanted || view.wanted.number === this.askedFor) return;
    this.askedFor = view.wanted.number;
    this.go('activity');
    void this.activity.show(view.wanted.id);
  }

  private fail(error: unknown): void {
    this.problem = m.settings_failed({ problem: asProblem(error).detail || m.problem_unknown() });
  }
}
