import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import project from '../project.inlang/settings.json';

type Catalogue = Record<string, string>;

const FOLDER = join(import.meta.dirname, '..', 'messages');
const read = (locale: string): Catalogue =>
  JSON.parse(readFileSync(join(FOLDER, `${locale}.json`), 'utf8')) as Catalogue;
const english = read('en');
const others = project.locales.filter((locale) => locale !== 'en');

/** What is the same in English and in another language: names, units, samples, and words that both have. */
const SAME: Record<string, ReadonlySet<string>> = {
  de: new Set([
    'agent',
    'app_name',
    'about_version',
    'activity_hours',
    'activity_minutes',
    'activity_seconds',
    'connections_socket',
    'credential_name',
    'details',
    'end_words',
    'enumeration',
    'group_count',
    'general_mode',
    'general_undo_mebibytes',
    'grant_command',
    'grant_command_in',
    'guide_sample_command',
    'in_project',
    'mode',
    'notification_action_details',
    'notification_title',
    'notification_title_no_project',
    'plan',
    'provenance_branch',
    'provenance_container',
    'provenance_repository',
    'provenance_ssh',
    'provenance_terminal',
    'remembers_for',
    'risk_known',
    'time_hours_short',
    'time_minutes_short',
    'time_seconds_short',
    'tray_pause',
    'try_agent',
    'try_line_placeholder',
    'waits_for',
  ]),
  ja: new Set([
    'app_name',
    'general_undo_mebibytes',
    'grant_command',
    'guide_sample_command',
    'notification_title_no_project',
    'provenance_ssh',
    'time_minutes_short',
    'try_line_placeholder',
  ]),
};

/** Texts whose end is another one on purpose. */
const FREE_ENDING: ReadonlySet<string> = new Set([
  'de.grant_approves',
  'de.grant_denies',
  'ja.activity_exported',
  'ja.activity_exported_one',
  'ja.grant_approves',
  'ja.grant_denies',
  'ja.risk_known',
  'ja.setting_becomes',
  'ja.try_title',
]);

/** German speaks to the person as Sie; Japanese has its own signs. */
const ODD: Record<string, RegExp> = {
  de: /\b(du|dich|dir|dein\w*)\b|\S…/i,
  ja: /[\u3040-\u30ff\u4e00-\u9fff][,:;?!]|[\uff10-\uff19\uff21-\uff5a]/,
};

const placeholders = (text: string): string[] => [...text.matchAll(/\{[a-z_]+\}/g)].map(String).toSorted();

/** How a text ends: a sentence, something to be filled in, more to come, or none of these. */
function ending(text: string): string {
  const last = text.trimEnd().at(-1) ?? '';
  return { '.': '.', '。': '.', ':': ':', '：': ':', '?': '?', '？': '?', '…': '…' }[last] ?? '';
}

describe('the languages', () => {
  it('are those that have a catalogue', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(
      project.locales.map((locale) => `${locale}.json`).toSorted(),
    );
  });

  it('have one text where there is one of a thing, and one where there are more', () => {
    const alone = Object.keys(english).filter(
      (key) =>
        key.endsWith('_one') && !(key.replace(/_one$/, '') in english) && key !== 'question_choose_one',
    );
    expect(alone).toEqual([]);
  });
});

describe.each(others)('the catalogue %s.json', (locale) => {
  const catalogue = read(locale);

  it('has the keys of en.json, in their order', () => {
    const missing = Object.keys(english).filter((key) => !(key in catalogue));
    expect(missing, `to be translated in messages/${locale}.json`).toEqual([]);
    const needless = Object.keys(catalogue).filter((key) => !(key in english));
    expect(needless, `to be taken out of messages/${locale}.json: en.json does not have them`).toEqual([]);
    expect(Object.keys(catalogue), 'the order of en.json').toEqual(Object.keys(english));
  });

  it('fills in what en.json fills in', () => {
    const differ = Object.entries(catalogue).filter(
      ([key, text]) => String(placeholders(text)) !== String(placeholders(english[key] ?? '')),
    );
    expect(differ).toEqual([]);
  });

  it('has no text that is left in English, but those that are the same', () => {
    const same = Object.keys(catalogue).filter((key) => catalogue[key] === english[key]);
    const known = SAME[locale] ?? new Set();
    expect(
      same.filter((key) => !known.has(key)),
      'translate these, or add them to SAME if they are the same on purpose',
    ).toEqual([]);
    expect(
      [...known].filter((key) => !same.includes(key)),
      'no longer the same',
    ).toEqual([]);
  });

  it('ends its texts as en.json does: nothing is cut off, and no sentence lacks its end', () => {
    const differ = Object.entries(catalogue).filter(
      ([key, text]) => ending(text) !== ending(english[key] ?? '') && !FREE_ENDING.has(`${locale}.${key}`),
    );
    expect(differ.map(([key, text]) => [key, english[key], text])).toEqual([]);
  });

  it('has the signs of its language', () => {
    const odd = Object.entries(catalogue).filter(([key, text]) => {
      if (key === 'guide_sample_command' || key === 'try_line_placeholder') return false;
      return /\.\.\.|["']| {2}/.test(text) || ODD[locale]?.test(text) === true;
    });
    expect(odd).toEqual([]);
  });
});
