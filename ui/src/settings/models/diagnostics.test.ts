import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../generated/protocol';
import { asSentence, inOrder, selectionOf, worstByLine } from './diagnostics';

const at = (severity: Diagnostic['severity'], line: number): Diagnostic => ({
  severity,
  code: 'policy::x',
  message: 'x',
  span: { start: 0, end: 0 },
  line,
  column: 1,
});

describe('diagnostics', () => {
  it('come with the errors first, each from the top', () => {
    const sorted = inOrder([at('warning', 1), at('error', 9), at('warning', 3), at('error', 2)]);
    expect(sorted.map((one) => [one.severity, one.line])).toEqual([
      ['error', 2],
      ['error', 9],
      ['warning', 1],
      ['warning', 3],
    ]);
  });

  it('mark a line by the worst that is said about it', () => {
    const worst = worstByLine([at('warning', 4), at('error', 4), at('warning', 4), at('warning', 7)]);
    expect([...worst]).toEqual([
      [4, 'error'],
      [7, 'warning'],
    ]);
  });

  it('select the place that the server means, whatever stands before it', () => {
    const text = 'reason = "größe 🙂"\npatern = 1';
    const bytes = new TextEncoder().encode(text.slice(0, text.indexOf('patern'))).length;
    const [start, end] = selectionOf(text, { start: bytes, end: bytes + 6 });
    expect(text.slice(start, end)).toBe('patern');
    expect(selectionOf('ab', { start: 9, end: 12 })).toEqual([2, 2]);
  });

  it('are said as sentences', () => {
    expect(asSentence('unknown key')).toBe('Unknown key.');
    expect(asSentence('did you mean `pattern`?')).toBe('Did you mean `pattern`?');
    expect(asSentence('')).toBe('');
  });
});
