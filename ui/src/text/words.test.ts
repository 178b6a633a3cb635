import { describe, expect, it } from 'vitest';
import type { DiffLine, DiffSign } from '../generated/protocol';
import { markWords } from './words';

const line = (sign: DiffSign, text: string): DiffLine => ({ sign, text: [{ kind: 'text', text }] });
const changed = (lines: DiffLine[]): string[][] =>
  markWords(lines).map((marked) =>
    marked.parts
      .filter((part) => part.changed)
      .map((part) => (part.text[0]?.kind === 'text' ? part.text[0].text : '')),
  );

describe('words that differ', () => {
  it('are marked in lines that replace one another', () => {
    expect(
      changed([line('remove', 'let total: number = 0;'), line('add', 'let total: Decimal = zero;')]),
    ).toEqual([
      ['number', '0'],
      ['Decimal', 'zero'],
    ]);
  });

  it('are not marked between lines with nothing in common', () => {
    expect(changed([line('remove', 'import os'), line('add', 'class Ledger(Base):')])).toEqual([[], []]);
  });

  it('are not marked where lines do not pair up', () => {
    expect(changed([line('remove', 'a b c'), line('add', 'a b d'), line('add', 'e')])).toEqual([[], [], []]);
  });

  it('never change the text', () => {
    const lines = [line('keep', ' x'), line('remove', 'f(a,  b)'), line('add', 'f(a,  c, d)')];
    const texts = markWords(lines).map((marked) =>
      marked.parts
        .flatMap((part) => part.text.map((piece) => (piece.kind === 'text' ? piece.text : '')))
        .join(''),
    );
    expect(texts).toEqual([' x', 'f(a,  b)', 'f(a,  c, d)']);
  });
});
