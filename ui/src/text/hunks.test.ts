import { describe, expect, it } from 'vitest';
import type { DiffLine, DiffSign, Piece } from '../generated/protocol';
import { diffRows, foldFar, piecesOfLines, type DiffRow } from './hunks';

const line = (sign: DiffSign, text: string): DiffLine => ({ sign, text: [{ kind: 'text', text }] });
const text = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : `⟨${piece.label}⟩`)).join('');
const written = (rows: DiffRow[]): string[] =>
  rows.map((row) =>
    row.kind === 'far' ? `⋯ ${row.count}` : `${row.before ?? '-'} ${row.after ?? '-'} ${text(row.line.text)}`,
  );
const numbers = Array.from({ length: 30 }, (_, index) => [
  { kind: 'text' as const, text: `line ${index + 1}` },
]);

describe('a difference', () => {
  const hunk = {
    before: 12,
    after: 12,
    lines: [line('keep', 'line 12'), line('remove', 'old'), line('add', 'line 13'), line('add', 'line 14')],
  };

  it('numbers its lines on both sides, and folds what is far', () => {
    expect(written(foldFar(diffRows([hunk], numbers), new Set()))).toEqual([
      '⋯ 9',
      '10 10 line 10',
      '11 11 line 11',
      '12 12 line 12',
      '13 - old',
      '- 13 line 13',
      '- 14 line 14',
      '14 15 line 15',
      '15 16 line 16',
      '16 17 line 17',
      '⋯ 13',
    ]);
  });

  it('shows all of the new text once everything is unfolded', () => {
    const keys = foldFar(diffRows([hunk], numbers), new Set()).flatMap((row) =>
      row.kind === 'far' ? [row.key] : [],
    );
    const rows = foldFar(diffRows([hunk], numbers), new Set(keys));
    const after = rows.flatMap((row) =>
      row.kind === 'line' && row.after !== null ? [text(row.line.text)] : [],
    );
    expect(after).toEqual(numbers.map(text));
  });

  it('never folds what changes', () => {
    const lines = Array.from({ length: 40 }, (_, index) =>
      line(index % 9 === 4 ? 'add' : 'keep', `${index}`),
    );
    const added = foldFar(diffRows([{ lines }]), new Set()).filter(
      (row) => row.kind === 'line' && row.line.sign === 'add',
    );
    expect(added).toHaveLength(lines.filter(({ sign }) => sign === 'add').length);
  });

  it('has no numbers where nobody knows them', () => {
    expect(written(diffRows([{ lines: [line('remove', 'a'), line('add', 'b')] }]))).toEqual([
      '- - a',
      '- - b',
    ]);
  });
});

it('the lines of a text keep what is invisible in them', () => {
  const pieces: Piece[] = [
    { kind: 'text', text: 'a\nb' },
    { kind: 'hidden', label: 'U+200B' },
    { kind: 'text', text: 'c\n' },
  ];
  expect(piecesOfLines(pieces).map(text)).toEqual(['a', 'b⟨U+200B⟩c']);
});
