import { invoke as invokeAtOnce, type InvokeArgs } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import type {
  ApprovalResult,
  DesktopState,
  QuestionResult,
  ReplayProgress,
  SettingsView,
} from '../generated/protocol';
import type { Platform } from './platform';
import { Pulled } from './pulled';

/** Over when the machine knows of the last press without a device. */
let told: Promise<unknown> = Promise.resolve();

/** What follows from such a press comes behind it. */
const invoke = <T>(command: string, args?: InvokeArgs): Promise<T> =>
  told.then(() => invokeAtOnce<T>(command, args));

/** With a thousand that wait a state is megabytes: the page asks for it when it can take one. */
const states = new Pulled(() => invoke<DesktopState>('desktop_state'));

/** The product: commands and events of `src-tauri`. The only file that imports the Tauri API. */
export const tauri: Platform = {
  pressedWithoutDevice: () => {
    const now = invokeAtOnce<void>('pressed_without_device');
    told = now.catch(() => undefined);
    return now;
  },
  hideWindow: () => invoke('hide_window'),
  fitWindow: (width, height) => invoke('fit_window', { width, height }),
  dismissMissed: (id) => invoke('dismiss_missed', { id }),

  desktopState: () => states.now(),
  // A request that could not be answered: the program ends, and its windows with it.
  onDesktopState: (listener) =>
    listen('desktop-state-changed', () => void states.changed(listener).catch(() => undefined)),
  promptDrawn: (opening, layout) => invoke('prompt_drawn', { opening, ...layout }),
  promptPainted: (opening) => invoke('prompt_painted', { opening }),
  onRequestEnded: (listener) => listen<ApprovalResult>('request-ended', (event) => listener(event.payload)),
  onQuestionEnded: (listener) => listen<QuestionResult>('question-ended', (event) => listener(event.payload)),
  answer: (id, answer) => invoke('answer', { id, answer }),
  decide: (id, decision) => invoke('decide', { id, decision }),
  previewEdit: (id, values) => invoke('preview_edit', { id, values }),
  reveal: (id) => invoke('reveal', { id }),
  previewRule: (request) => invoke('preview_rule', { request }),
  checkRule: (id, request) => invoke('check_rule', { id, request }),
  setMode: (mode, seconds) => invoke('set_mode', { mode, seconds }),
  openSettings: () => invoke('open_settings'),
  openGuide: () => invoke('open_guide'),

  settingsView: () => invoke('settings_view'),
  onSettingsView: (listener) => listen<SettingsView>('settings-view', (event) => listener(event.payload)),
  saveSettings: (settings) => invoke('save_settings', { settings }),
  setPolicyPreset: (preset) => invoke('set_policy_preset', { preset }),
  setTimeoutSeconds: (seconds) => invoke('set_timeout', { seconds }),
  openPolicyFile: () => invoke('open_policy_file'),
  policy: () => invoke('policy'),
  checkPolicy: (text) => invoke('check_policy', { text }),
  savePolicy: (text, etag) => invoke('save_policy', { text, etag }),
  confirmPolicy: (etag) => invoke('confirm_policy', { etag }),
  discardPolicy: (etag) => invoke('discard_policy', { etag }),
  addPolicyRules: (rules) => invoke('add_policy_rules', { rules }),
  suggestRules: () => invoke('suggest_rules'),
  ownRules: () => invoke('own_rules'),
  importPolicyRules: (inFront, behind) => invoke('import_policy_rules', { inFront, behind }),
  tryCall: (trial) => invoke('try_call', trial),
  kept: (ids) => invoke('kept', { ids }),
  putBack: (request) => invoke('put_back', { request }),
  revokeGrant: (id) => invoke('revoke_grant', { id }),
  endSession: (key) => invoke('end_session', { key }),
  createCredential: (request) => invoke('create_credential', { request }),
  revokeCredential: (id) => invoke('revoke_credential', { id }),
  agents: () => invoke('agents'),
  previewAgentChange: (wish) => invoke('preview_agent_change', { wish }),
  changeAgent: (wish, digest) => invoke('change_agent', { wish, digest }),
  checkAgent: (agent) => invoke('check_agent', { agent }),
  comparePresets: () => invoke('compare_presets'),
  onReplayProgress: (listener) =>
    listen<ReplayProgress>('replay-progress', (event) => listener(event.payload)),
  stopComparing: () => invoke('stop_comparing'),
  askSample: () => invoke('ask_sample'),
  stopSample: () => invoke('stop_sample'),
  openInbox: () => invoke('open_inbox'),
  activity: (search) => invoke('activity', { search }),
  activityChoices: () => invoke('activity_choices'),
  activityFigures: (days) => invoke('activity_figures', { days }),
  exportActivity: (search, format) => invoke('export_activity', { search, format }),
  dismissNotice: (title) => invoke('dismiss_notice', { title }),
};
