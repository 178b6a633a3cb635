import type { TriedCall } from '../../generated/protocol';

/** What a call can do, as a person chooses it. */
export const KINDS = ['command', 'read', 'edit', 'write', 'fetch', 'tool'] as const;

/** What a person has written to try the policy on. */
export type Tried = {
  kind: (typeof KINDS)[number];
  /** The command line, file, address or name of the tool. */
  what: string;
  server: string;
  /** JSON. */
  arguments: string;
};

/** The call that it is; `null`: the arguments are no object. */
export function triedCall({ kind, what, server, arguments: text }: Tried): TriedCall | null {
  switch (kind) {
    case 'command':
      return { kind, line: what };
    case 'read':
    case 'edit':
    case 'write':
      return { kind, path: what.trim() };
    case 'fetch':
      return { kind, url: what.trim() };
    case 'tool': {
      const given = object(text.trim() === '' ? '{}' : text);
      const named = server.trim();
      return (
        given && { kind, tool: what.trim(), ...(named === '' ? {} : { server: named }), arguments: given }
      );
    }
  }
}

type JsonObject = Extract<TriedCall, { kind: 'tool' }>['arguments'];

function object(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
