import { createHash } from 'node:crypto';

import { canonical, isObject } from '../json.js';
import type { JsonValue } from '../generated/protocol.js';

/** A tool as its server describes it, with whatever the description holds. */
export type ToolDefinition = { name: string } & Record<string, unknown>;

/** Characters of a text that are shown of each side of a change. */
const MAX_EXCERPT = 600;

/** The tools in the result of `tools/list`; what is no tool is left out. */
export function toolsOf(result: unknown): ToolDefinition[] {
  const tools = isObject(result) ? result['tools'] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.filter((tool): tool is ToolDefinition => isObject(tool) && typeof tool['name'] === 'string');
}

/**
 * SHA-256 over all that a tool's definition holds (name, title, description, schemas, annotations and
 * what later versions of the protocol add), but for `_meta`, which is for programs and may change with
 * every answer.
 */
export function definitionHash(definition: ToolDefinition): string {
  const known = hashes.get(definition);
  if (known !== undefined) return known;
  const hash = createHash('sha256')
    .update(canonical(pinned(definition)))
    .digest('hex');
  hashes.set(definition, hash);
  return hash;
}

/** Definitions are never changed, and every call looks at one. */
const hashes = new WeakMap<ToolDefinition, string>();

/** The part of a definition that is pinned. */
export function pinned(definition: ToolDefinition): { [field: string]: JsonValue } {
  const { _meta, ...rest } = definition;
  return rest as { [field: string]: JsonValue };
}

/** What has changed between two definitions, for a person: one line for each field. */
export function describeChange(before: ToolDefinition, after: ToolDefinition): string {
  const [old, now] = [pinned(before), pinned(after)];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return fields.flatMap((field) => fieldChange(field, old[field], now[field])).join('\n');
}

function fieldChange(field: string, before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  const text = (value: JsonValue | undefined) => (value === undefined ? '(nothing)' : canonical(value));
  if (text(before) === text(after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names.flatMap((name) =>
      fieldChange(`${field}.${name}`, before[name] as JsonValue, after[name] as JsonValue),
    );
  }
  return [`${field} was ${excerpt(text(before))} and is now ${excerpt(text(after))}`];
}

function excerpt(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_EXCERPT) return text;
  const left = characters.length - MAX_EXCERPT;
  return `${characters.slice(0, MAX_EXCERPT).join('')}… (${left} more characters)`;
}

/** A name as a reader sees it: two tools whose names look alike have the same. */
export function lookOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[\s_.-]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}
