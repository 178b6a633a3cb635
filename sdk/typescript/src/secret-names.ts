// What the name of a key, option, variable or header says about its value: as `crates/redaction/src/key_names.rs`
// says it, from the same tables. Held to it by `sdk/vectors/redaction.jsonl`.

import { SECRET_NAMES } from './generated/secret-names.js';

/** How sure a name is, the surest first. */
export type Secrecy = 'strong' | 'medium' | 'random' | 'weak';

type Entry = readonly [word: string, kind: string, strength: Secrecy];

const WORDS = new Map((SECRET_NAMES.words as unknown as Entry[]).map((entry) => [entry[0], entry]));
const ENDINGS = SECRET_NAMES.endings as unknown as Entry[];
const set = (words: readonly string[]): ReadonlySet<string> => new Set(words);
const OTHER_WORDS = set(SECRET_NAMES.other_words);
const KEY_QUALIFIERS = set(SECRET_NAMES.key_qualifiers);
const OFTEN_PUBLIC = set(SECRET_NAMES.often_public_qualifiers);
const PUBLIC = set(SECRET_NAMES.public_qualifiers);
const ABOUT = set(SECRET_NAMES.about);
const ASKING = set(SECRET_NAMES.asking);
const VARIANTS = set(SECRET_NAMES.variants);

/** What `name` says about its value; `undefined` when it says nothing. */
export function secrecyOf(name: string): Secrecy | undefined {
  const all = wordsOf(name);
  const end = all.findLastIndex((word) => !/^[0-9]*$/.test(word) && !VARIANTS.has(word));
  const words = all.slice(0, end + 1);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (words.length > 1 && ASKING.has(first)) return undefined;
  const secret = secretWord(last);
  if (secret !== undefined) return qualified(words, secret);
  if (last === 'id' && words.at(-2) === 'secret') return 'random';
  if (ABOUT.has(last)) return undefined;
  const inner = words.map(secretWord).find((entry) => entry !== undefined && entry[2] !== 'weak');
  return inner && (inner[2] === 'strong' ? 'medium' : 'weak');
}

function qualified(words: string[], [, kind, strength]: Entry): Secrecy | undefined {
  const nearest = words.at(-2) ?? '';
  const isPublic = PUBLIC.has(nearest);
  if (kind === 'key' && isPublic) return undefined;
  if (kind === 'key' && KEY_QUALIFIERS.has(nearest)) return OFTEN_PUBLIC.has(nearest) ? 'random' : 'medium';
  if ((kind === 'signature' || kind === 'session') && isPublic) return undefined;
  return ['public', 'pub', 'publishable'].includes(nearest) ? undefined : strength;
}

function secretWord(numbered: string): Entry | undefined {
  const word = numbered.replace(/[0-9]+$/, '');
  return (
    WORDS.get(word) ?? (OTHER_WORDS.has(word) ? undefined : ENDINGS.find(([ending]) => word.endsWith(ending)))
  );
}

/** The words of a name in lower case: divided at all that is no letter or digit, and at changes of case. */
export function wordsOf(name: string): string[] {
  return name
    .split(/[^\p{Alphabetic}\p{N}]+/u)
    .flatMap((part) =>
      part.split(/(?<=\p{Lowercase})(?=\p{Uppercase})|(?<=\p{Uppercase})(?=\p{Uppercase}\p{Lowercase})/u),
    )
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}
