// Secrets taken out of what the SDK itself shows or hands on, by the names that they stand under. Secrets that only
// their form gives away are redacted by Handraise in what it shows itself.

import { type Secrecy, secrecyOf, wordsOf } from './secret-names.js';

/** What stands in the place of a secret. */
export const REDACTED = '[REDACTED]';

/** Names beside the built-in ones, as words without separators, with what stands in the place of their values. */
export type OwnNames = ReadonlyMap<string, string>;

/** The name of a rule, so that `apiKey`, `api-key` and `API_KEY` are the same. */
export function ownName(key: string): string {
  return wordsOf(key).join('');
}

/** What stands in the place of the value `value` under the name `name`; `undefined` where it may be seen. */
export function replacementFor(name: string, value: unknown, own: OwnNames = new Map()): string | undefined {
  const words = wordsOf(name);
  for (let from = 0; from < words.length; from += 1) {
    const replacement = own.get(words.slice(from).join(''));
    if (replacement !== undefined) return replacement;
  }
  return isSecret(secrecyOf(name), value) ? REDACTED : undefined;
}

function isSecret(secrecy: Secrecy | undefined, value: unknown): boolean {
  if (secrecy === undefined || value === null || typeof value === 'boolean' || value === undefined)
    return false;
  return secrecy === 'strong' || secrecy === 'medium' || (typeof value === 'string' && looksRandom(value));
}

function looksRandom(text: string): boolean {
  return text.length >= 16 && /^\S+$/.test(text) && /[0-9]/.test(text) && /\p{L}/u.test(text);
}

/** `NAME=value`, `"name": "value"`, `--name value`, `Name: value`. */
const ASSIGNED =
  /(?<name>[\p{L}\p{N}_.-]{2,64})(?<between>["']?\s*(?:[:=]|(?<=--[\w-]{2,62})\s)\s*["']?)(?<value>[^\s"'&;,]+)/gu;
const SCHEME = /\b(?<scheme>Bearer|Basic|Token)(?<between>\s+)[\w.~+/=-]{8,}/gi;
const USER_INFO = /(?<before>:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g;

/** Text without the secrets that stand under a name in it, also where it is JSON. */
export function redactedText(text: string, own: OwnNames = new Map()): string {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.stringify(redacted(JSON.parse(text), own));
    } catch {
      // Text like any other.
    }
  }
  return text
    .replace(SCHEME, `$<scheme>$<between>${REDACTED}`)
    .replace(USER_INFO, `$<before>${REDACTED}`)
    .replace(ASSIGNED, (whole: string, ...found: unknown[]) => {
      const { name = '', between = '', value = '' } = found.at(-1) as Record<string, string>;
      // What was replaced already, or goes before it.
      if (value.includes(REDACTED) || /^(bearer|basic|token)$/i.test(value)) return whole;
      const secrecy = secrecyOf(name);
      const isWord = secrecy !== 'strong' && !looksRandom(value);
      const replacement = own.get(ownName(name)) ?? (isWord ? undefined : replacementFor(name, value, own));
      return replacement === undefined ? whole : `${name}${between}${replacement}`;
    });
}

/** A copy of a JSON value without its secrets. */
export function redacted(value: unknown, own: OwnNames = new Map()): unknown {
  if (typeof value === 'string') return redactedText(value, own);
  if (Array.isArray(value)) return value.map((item) => redacted(item, own));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    replacementFor(name, field, own) ?? redacted(field, own),
  ]);
  return Object.fromEntries(fields);
}
