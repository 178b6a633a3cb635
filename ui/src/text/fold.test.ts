import { describe, expect, it } from 'vitest';
import { fold, lengthOf, rowsOf } from './fold';
import { linesOf } from './marks';

const lines = (text: string) => linesOf([{ kind: 'text', text }]);
const folded = (text: string) => fold(rowsOf(lines(text)));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');

describe('folding', () => {
  it('leaves alone what fits, or nearly fits', () => {
    expect(folded(numbered(15))).toMatchObject({ lines: 0, characters: 0 });
  });

  it('says how many lines are left', () => {
    const result = folded(numbered(424));
    expect(result.rows).toHaveLength(12);
    expect(result.lines).toBe(412);
  });

  it('says how many characters of one long line are left', () => {
    const result = folded('x'.repeat(10_000));
    expect(result.rows).toHaveLength(1);
    expect(result).toMatchObject({ lines: 0, characters: 10_000 - 12 * 72 });
  });

  it('loses nothing: what is shown and what is counted make the whole', () => {
    const text = `${numbered(5)}\n${'y'.repeat(3000)}\n${numbered(3)}`;
    const result = folded(text);
    const shown = result.rows.flatMap((row) => (row.kind === 'line' ? row.marks : []));
    const length = shown.reduce((total, mark) => total + (mark.kind === 'text' ? mark.text.length : 0), 0);
    expect(length + result.characters).toBe(text.replaceAll('\n', '').length);
  });

  it('counts the empty lines that would push text out of sight', () => {
    const rows = rowsOf(lines(`ls${'\n'.repeat(51)}rm -rf /`));
    expect(rows).toEqual([
      { kind: 'line', number: 1, marks: [{ kind: 'text', text: 'ls' }] },
      { kind: 'gap', number: 2, count: 50 },
      { kind: 'line', number: 52, marks: [{ kind: 'text', text: 'rm -rf /' }] },
    ]);
  });

  it('knows the length of the text', () => {
    expect(lengthOf(lines('ab\ncd\te'))).toBe(7);
    expect(lengthOf(lines(`a${' '.repeat(90)}b`))).toBe(92);
  });
});
