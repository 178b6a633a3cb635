import { describe, expect, it } from 'vitest';
import { KINDS, triedCall } from './tried-call';

const written = { what: ' a ', server: '', arguments: '' };

describe('a tried call', () => {
  it('has what its kind needs', () => {
    const calls = KINDS.map((kind) => triedCall({ ...written, kind }));
    expect(calls).toEqual([
      // Every character of a command line counts.
      { kind: 'command', line: ' a ' },
      { kind: 'read', path: 'a' },
      { kind: 'edit', path: 'a' },
      { kind: 'write', path: 'a' },
      { kind: 'fetch', url: 'a' },
      { kind: 'tool', tool: 'a', arguments: {} },
    ]);
  });

  it('takes an object for the arguments of a tool and nothing else', () => {
    const tool = (text: string) => triedCall({ ...written, kind: 'tool', server: ' docs ', arguments: text });
    expect(tool('{ "query": [1] }')).toEqual({
      kind: 'tool',
      tool: 'a',
      server: 'docs',
      arguments: { query: [1] },
    });
    for (const text of ['[]', 'null', '"a"', '{', '1']) expect(tool(text)).toBeNull();
  });
});
