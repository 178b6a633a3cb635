import { m } from '../../paraglide/messages.js';
import { isFoundIn } from '../../shared/search';
import { presets } from '../policy/presets';
import type { Section } from '../models/settings-model.svelte';

/** Something that can be set or looked up, and where it is. */
export type Setting = {
  section: Section;
  /** Finds it in its section. */
  selector: string;
  /** What leads to it, as long as it is not drawn. */
  otherwise?: string;
  label: string;
  /** What it is found by besides. */
  detail: string;
};

const byId = (section: Section, id: string, label: string, detail = ''): Setting => ({
  section,
  selector: `#${id}`,
  label,
  detail,
});

const byTest = (section: Section, testid: string, label: string, detail = ''): Setting => ({
  section,
  selector: `[data-testid="${testid}"]`,
  label,
  detail,
});

const words = (choices: readonly { label: string; detail?: string }[]): string =>
  choices.flatMap(({ label, detail }) => [label, detail ?? '']).join(' ');

/** Every setting of every section, in the order of the sections. The browser tests hold it against what is drawn. */
export function settingsIndex(): Setting[] {
  const modes = [
    { label: m.mode_normal(), detail: m.mode_normal_detail() },
    { label: m.mode_ask_everything(), detail: m.mode_ask_everything_detail() },
    { label: m.mode_deny_everything(), detail: m.mode_deny_everything_detail() },
  ];
  return [
    byTest('activity', 'nav-activity', m.nav_activity(), `${m.activity_export_csv()} ${m.figures_by()}`),
    byId('rules', 'rule-list-title', m.rules_list(), m.nav_rules()),
    byId('rules', 'policy-text', m.editor_label(), m.nav_rules()),
    byTest('rules', 'try-kind', m.try_title(), `${m.try_kind()} ${m.try_line()}`),
    byTest('rules', 'suggest', m.suggest_title(), m.suggest_detail()),
    byTest('rules', 'import-look', m.import_title(), m.import_detail()),
    byTest('policy', 'preset-practical', m.policy_preset(), words(presets())),
    byId('policy', 'timeout', m.policy_timeout(), m.policy_timeout_detail()),
    byTest('policy', 'open-policy', m.policy_file()),
    byTest('agents', 'nav-agents', m.nav_agents(), m.agents_intro()),
    byTest('sessions', 'nav-sessions', m.nav_sessions(), m.sessions_intro()),
    byId('general', 'start-at-login', m.general_start(), m.general_start_detail()),
    byId('general', 'notifications', m.general_notifications(), m.general_notifications_detail()),
    byId('general', 'prompt-window', m.general_window(), m.general_window_detail()),
    byId('general', 'keep-prompt-ready', m.general_ready(), m.general_ready_detail()),
    byId('general', 'shortcut', m.general_shortcut(), m.general_shortcut_detail()),
    {
      ...byId('general', 'shortcut-keys', m.general_shortcut_keys(), m.general_shortcut()),
      otherwise: '#shortcut',
    },
    byId('general', 'quiet-hours', m.general_quiet(), m.general_quiet_detail()),
    {
      ...byId('general', 'quiet-from', m.general_quiet_from(), m.general_quiet()),
      otherwise: '#quiet-hours',
    },
    {
      ...byId('general', 'quiet-until', m.general_quiet_until(), m.general_quiet()),
      otherwise: '#quiet-hours',
    },
    byId('general', 'sound', m.general_sound(), m.general_sound_detail()),
    byId('general', 'made-input', m.general_made_input(), m.general_made_input_detail()),
    byId('general', 'terminals-decide', m.general_terminals(), m.general_terminals_detail()),
    byId('general', 'destructive-here', m.general_destructive(), m.general_destructive_detail()),
    byId('general', 'keep-days', m.general_keep(), m.general_keep_detail()),
    byId('general', 'undo', m.general_undo(), m.general_undo_detail()),
    { ...byId('general', 'undo-days', m.general_undo_days(), m.general_undo()), otherwise: '#undo' },
    {
      ...byId('general', 'undo-size', m.general_undo_size(), m.general_undo_size_detail()),
      otherwise: '#undo',
    },
    byId('general', 'language', m.general_language(), m.general_language_detail()),
    byId('general', 'appearance', m.general_appearance()),
    byTest('general', 'mode-normal', m.general_mode(), words(modes)),
    byTest('connections', 'endpoint', m.connections_endpoint(), m.connections_intro()),
    byTest('connections', 'credential-row', m.connections_credentials()),
    byTest('connections', 'credential-name', m.credential_new(), m.credential_role()),
    byTest('guide', 'nav-guide', m.nav_guide()),
    byTest('about', 'version', m.nav_about()),
  ];
}

/** The settings that have all the words of `search`. */
export function foundSettings(search: string): Setting[] {
  return settingsIndex().filter(({ label, detail }) => isFoundIn(`${label} ${detail}`, search));
}
