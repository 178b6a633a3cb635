// What the SDK itself shows or hands on: never the secrets of a call, never characters that do
// something to a terminal. What Handraise shows, it redacts itself, by the policy's `[redaction]`.

import { HIDDEN } from './hidden.js';
import { type OwnNames, ownName, REDACTED, redactedText, replacementFor } from './redact.js';

/** A rule for showing the arguments of a tool. */
export type DisplayRule =
  /** The value under this key is not shown, at any depth, however it is spelled: `apiKey`, `api-key`, `API_KEY`. */
  | { kind: 'redactKey'; key: string; replacement?: string }
  /** Strings are cut after this many characters. */
  | { kind: 'truncateString'; maxLen: number };

/** How arguments are shown. What is given adds to the defaults. */
export interface DisplayOptions {
  /** Levels of nesting; default 4. */
  maxDepth?: number;
  /** Characters of a string; default 500. */
  maxStringLen?: number;
  /** Entries of an array; default 50. */
  maxArrayLen?: number;
  /** Keys of an object; default 50. */
  maxObjectKeys?: number;
  /** Rules beside those for the names of secrets that Handraise knows. */
  rules?: DisplayRule[];
}

/** A copy of `value` that may be shown and logged. */
export function displayArguments(value: unknown, options: DisplayOptions = {}): unknown {
  const rules = options.rules ?? [];
  const own = new Map<string, string>();
  for (const rule of rules) {
    if (rule.kind === 'redactKey') own.set(ownName(rule.key), rule.replacement ?? REDACTED);
  }
  const lengths = rules.flatMap((rule) => (rule.kind === 'truncateString' ? [rule.maxLen] : []));
  const limits: Limits = {
    own,
    depth: options.maxDepth ?? 4,
    string: Math.min(options.maxStringLen ?? 500, ...lengths),
    array: options.maxArrayLen ?? 50,
    keys: options.maxObjectKeys ?? 50,
  };
  return shown(value, limits, 0);
}

interface Limits {
  own: OwnNames;
  depth: number;
  string: number;
  array: number;
  keys: number;
}

function shown(value: unknown, limits: Limits, depth: number): unknown {
  if (depth > limits.depth) return '[TRUNCATED_DEPTH]';
  if (typeof value === 'string') return cut(redactedText(value, limits.own), limits.string);
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.array).map((item) => shown(item, limits, depth + 1));
    return value.length > limits.array ? [...items, '[TRUNCATED_ARRAY]'] : items;
  }
  if (typeof value !== 'object' || value === null) {
    return ['number', 'boolean'].includes(typeof value) || value === null ? value : String(value);
  }
  const fields = Object.entries(value);
  const kept = fields
    .slice(0, limits.keys)
    .map(([key, field]) => [key, replacementFor(key, field, limits.own) ?? shown(field, limits, depth + 1)]);
  if (fields.length > limits.keys) kept.push(['__truncated__', true]);
  return Object.fromEntries(kept);
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest).join('')}...[TRUNCATED]` : text;
}

/** Text with everything hidden drawn as its code point, as `\u{202E}`. */
export function visible(text: string): string {
  return text.replace(new RegExp(HIDDEN, 'gu'), (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16).toUpperCase().padStart(4, '0')}}`;
  });
}
