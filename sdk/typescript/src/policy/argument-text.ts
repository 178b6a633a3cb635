import { canonical, isObject } from '../json.js';
import type { JsonValue } from '../generated/protocol.js';

/** Longest argument text that a pattern is tried on, in bytes. A longer one fits only what asks or denies. */
const MAX_ARGUMENTS = 64 * 1024;
/** Deepest arguments that the app reads. */
const DEEPEST = 127;

/** The RFC 8785 text of the arguments of a call; `undefined` where they have none that can be used. */
export function argumentText(args: unknown): string | undefined {
  if (!isJson(args, 0)) return undefined;
  const text = canonical(args);
  return Buffer.byteLength(text) <= MAX_ARGUMENTS ? text : undefined;
}

/** Whether a value says the same to everybody who reads it as JSON. */
function isJson(value: unknown, depth: number): value is JsonValue {
  if (depth > DEEPEST) return false;
  if (typeof value === 'string') return isText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'boolean') return true;
  // Not `every`, which passes over the holes of a list.
  if (Array.isArray(value)) return !Array.from(value).some((item) => !isJson(item, depth + 1));
  if (!isObject(value) || 'toJSON' in value || Object.getOwnPropertySymbols(value).length > 0) return false;
  return Object.entries(value).every(([name, item]) => isText(name) && isJson(item, depth + 1));
}

/** Half a surrogate pair is no text. */
function isText(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}
