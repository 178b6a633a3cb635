import type { JsonValue } from '../../../generated/protocol';
import { m } from '../../../paraglide/messages.js';

type Arguments = { [key in string]: JsonValue };

/** Arguments as a person changed them, or what is wrong with the text. */
export type Edited = { arguments: Arguments } | { problem: string };

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a character in `text` could not be seen where it is typed. */
export function hasInvisible(text: string): boolean {
  return [...text.matchAll(INVISIBLE)].some(([character]) => !/[ \n\t]/.test(character));
}

/** JSON text in which nothing is invisible: such characters only occur inside strings, where they can be escaped. */
export function escapeInvisible(json: string): string {
  return json.replace(INVISIBLE, (character) =>
    /[ \n\t]/.test(character)
      ? character
      : [...Array(character.length).keys()].map((index) => escape(character, index)).join(''),
  );
}

/** Reads changed arguments; refuses what would not be sent exactly as it is written. */
export function readEdited(text: string): Edited {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem: m.edit_invalid_json({ problem: error instanceof Error ? error.message : String(error) }),
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: m.edit_not_object() };
  const tokens = text.match(TOKEN) ?? [];
  const number = tokens.find((token) => /^[-\d]/.test(token) && !isExact(token));
  if (number !== undefined) return { problem: m.edit_number({ number }) };
  const name = repeatedName(tokens);
  if (name !== undefined) return { problem: m.edit_twice({ name }) };
  return { arguments: value as Arguments };
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:,]/g;

function isExact(token: string): boolean {
  const number = Number(token);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

function repeatedName(tokens: readonly string[]): string | undefined {
  const open: Set<string>[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token.startsWith('"') && tokens[index + 1] === ':') {
      const name = JSON.parse(token) as string;
      if (open.at(-1)?.has(name)) return token;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}

function escape(character: string, index: number): string {
  return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
}
