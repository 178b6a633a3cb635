// Which conversation a call belongs to, where a framework knows it. What a person approves "for this session" holds
// in that conversation alone, so an adapter that can know it has to say so.

import { isObject } from '../json.js';

/** Names under which frameworks keep a conversation's id, the first that is there counts. */
const NAMES = ['conversation', 'thread', 'session', 'chat', 'run'].flatMap((word) => [
  `${word}Id`,
  `${word}ID`,
  `${word}_id`,
]);

/** Fields in which frameworks keep what they know of a call: Mastra, the Vercel AI SDK, LangChain among them. */
const KEPT_IN = [
  'metadata',
  'data',
  'agent',
  'runtimeContext',
  'requestContext',
  'experimental_context',
  'context',
  'configurable',
  'workflow',
];

/** A conversation: its id, or that there is one whose id cannot be told. */
export type Conversation = { readonly id: string | undefined };

/**
 * The conversation that `known` names, which a framework hands along with a call: an object with the id in it or one
 * level below, or something like a `Map`. `undefined`: it names none.
 */
export function conversationIn(known: unknown): Conversation | undefined {
  const kept = isObject(known) ? KEPT_IN.map((name) => known[name]) : [];
  for (const place of [known, ...kept]) {
    const value = NAMES.map((name) => fieldOf(place, name)).find(
      (found) => found !== undefined && found !== null,
    );
    if (value !== undefined) return { id: idOf(value) };
  }
  return undefined;
}

/** A session of its own for each conversation within `session`. */
export function sessionWithin(session: string | undefined, { id }: Conversation): string | undefined {
  if (id === undefined || session === undefined) return id;
  return session === id ? id : `${encodeURIComponent(session)}/${encodeURIComponent(id)}`;
}

function fieldOf(known: unknown, name: string): unknown {
  if (typeof known !== 'object' || known === null) return undefined;
  // Mastra's RuntimeContext and RequestContext are read with `get`.
  const { get } = known as { get?: unknown };
  if (typeof get === 'function') return (get as (name: string) => unknown).call(known, name);
  return Object.hasOwn(known, name) ? (known as Record<string, unknown>)[name] : undefined;
}

function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}
