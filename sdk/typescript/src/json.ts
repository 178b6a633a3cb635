import { createHash } from 'node:crypto';

import type { JsonValue } from './generated/protocol.js';

/** The arguments of a call. */
export type Arguments = { [name: string]: JsonValue };

/**
 * A copy of a call's arguments as JSON. Nobody who holds the original can change what is decided
 * about, and what is decided about is what runs.
 *
 * @throws TypeError when they are no object, or hold what JSON cannot.
 */
export function snapshot(value: unknown): Arguments {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? {}));
  if (!isObject(copy)) throw new TypeError('the arguments of a call are an object');
  return copy as Arguments;
}

/** Whether `value` is an object with named fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** SHA-256 of the RFC 8785 canonical form, in lower-case hexadecimal: what a decision is bound to. */
export function argumentsHash(value: Arguments): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/**
 * RFC 8785. Its numbers and strings are those of ECMAScript, and its order of names is that of
 * `Array.prototype.sort`: by UTF-16 code unit.
 */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name] as JsonValue)}`).join(',')}}`;
}
