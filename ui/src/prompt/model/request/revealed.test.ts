import { describe, expect, it } from 'vitest';
import type { Approval, ArgumentRow, CommandPart, Piece } from '../../../generated/protocol';
import { withRevealed } from './revealed';

const text = (value: string): Piece[] => [{ kind: 'text', text: value }];
const row = (value: string): ArgumentRow => ({
  name: text('command'),
  value: text(value),
  lines: 1,
  length: value.length,
});
const part = { kind: 'command', text: text('curl ‹…›'), action: 'ask' } as CommandPart;
const redacted = {
  id: 'r',
  arguments_hash: 'ab',
  arguments: [row('curl ‹…›')],
  subject: { kind: 'command', line: text('curl ‹…›'), parts: [part], obstacle: 'it is odd' },
} as unknown as Approval;

describe('a request with its redacted values shown', () => {
  it('has the original arguments and is decided by the same hash', () => {
    const shown = withRevealed(redacted, { arguments: [row('curl secret')] });
    expect(shown.arguments).toEqual([row('curl secret')]);
    expect(shown.subject).toEqual(redacted.subject);
    expect(shown.arguments_hash).toBe('ab');
    expect(shown).not.toHaveProperty('editable_arguments');
  });

  it('keeps how its parts were judged', () => {
    const subject = { kind: 'command', line: text('curl secret'), parts: [] } as const;
    const shown = withRevealed(redacted, { arguments: [], subject: { ...subject, parts: [] } });
    expect(shown.subject).toEqual({ ...redacted.subject, line: text('curl secret') });
  });

  it('can be changed when its arguments come with it', () => {
    expect(withRevealed(redacted, { arguments: [], editable_arguments: '{}' }).editable_arguments).toBe('{}');
  });
});
