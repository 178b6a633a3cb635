import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import type { ApprovalResult, DesktopState, QuestionResult, SettingsView } from '../generated/protocol';
import type { Platform } from './platform';

/** The product: commands and events of `src-tauri`. The only file that imports the Tauri API. */
export const tauri: Platform = {
  hideWindow: () => invoke('hide_window'),
  fitWindow: (width, height) => invoke('fit_window', { width, height }),
  dismissMissed: (id) => invoke('dismiss_missed', { id }),

  desktopState: () => invoke('desktop_state'),
  onDesktopState: (listener) => listen<DesktopState>('desktop-state', (event) => listener(event.payload)),
  onRequestEnded: (listener) => listen<ApprovalResult>('request-ended', (event) => listener(event.payload)),
  onQuestionEnded: (listener) => listen<QuestionResult>('question-ended', (event) => listener(event.payload)),
  answer: (id, answer) => invoke('answer', { id, answer }),
  decide: (id, decision) => invoke('decide', { id, decision }),
  reveal: (id) => invoke('reveal', { id }),
  previewRule: (request) => invoke('preview_rule', { request }),
  setMode: (mode, seconds) => invoke('set_mode', { mode, seconds }),
  openSettings: () => invoke('open_settings'),

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
  tryCommand: (command) => invoke('try_command', command),
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
  dismissNotice: (title) => invoke('dismiss_notice', { title }),
};
