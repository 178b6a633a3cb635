import type { DiffLine, Piece } from '../generated/protocol';
import { markWords, type MarkedDiffLine } from './words';

/** One place where a text changes; numbers of lines begin at 1, and are absent where nobody knows them. */
export type Hunk = { before?: number; after?: number; lines: readonly DiffLine[] };

/** A row of a difference: a line with its numbers, or lines that stay as they are and are far from those that change. */
export type DiffRow =
  | { kind: 'line'; line: MarkedDiffLine; before: number | null; after: number | null }
  | { kind: 'far'; key: number; count: number };

/** Lines that stay and are drawn on either side of a change. */
const NEAR = 3;
/** As many lines that stay are folded at least: a row in the place of fewer would save nothing. */
const LEAST = 4;

/** All rows of a difference. `whole` has the lines of the new text, for what lies between the places. */
export function diffRows(hunks: readonly Hunk[], whole: readonly Piece[][] = []): DiffRow[] {
  const rows: DiffRow[] = [];
  let [before, after] = [1, 1];
  const keep = (until: number): void => {
    const kept = whole.slice(after - 1, until - 1).map((text): DiffLine => ({ sign: 'keep', text }));
    rows.push(...numbered(kept, before, after));
  };
  for (const hunk of hunks) {
    keep(hunk.after ?? 1);
    rows.push(...numbered(hunk.lines, hunk.before ?? null, hunk.after ?? hunk.before ?? null));
    before = (hunk.before ?? 1) + hunk.lines.filter((line) => line.sign !== 'add').length;
    after = (hunk.after ?? 1) + hunk.lines.filter((line) => line.sign !== 'remove').length;
  }
  if (hunks.length > 0) keep(whole.length + 1);
  return rows;
}

/** The lines of a text, each with what is invisible in it. */
export function piecesOfLines(text: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const piece of text) {
    if (piece.kind === 'hidden') lines.at(-1)?.push(piece);
    else
      piece.text.split('\n').forEach((part, index) => {
        if (index > 0) lines.push([]);
        if (part !== '') lines.at(-1)?.push({ kind: 'text', text: part });
      });
  }
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

function numbered(lines: readonly DiffLine[], before: number | null, after: number | null): DiffRow[] {
  let [old, now] = [before, after];
  return markWords(lines).map((line): DiffRow => {
    const isOld = line.sign !== 'add';
    const isNew = line.sign !== 'remove';
    const row: DiffRow = { kind: 'line', line, before: isOld ? old : null, after: isNew ? now : null };
    if (old !== null && isOld) old += 1;
    if (now !== null && isNew) now += 1;
    return row;
  });
}

/** `rows` without the lines that stay and are far from all that changes, but for those whose key is in `opened`. */
export function foldFar(rows: readonly DiffRow[], opened: ReadonlySet<number>): DiffRow[] {
  const isKept = (row: DiffRow | undefined): boolean => row?.kind === 'line' && row.line.sign === 'keep';
  const result: DiffRow[] = [];
  let start = 0;
  while (start < rows.length) {
    let end = start;
    while (isKept(rows[end])) end += 1;
    const from = start === 0 ? 0 : start + NEAR;
    const until = end === rows.length ? end : end - NEAR;
    if (until - from >= LEAST && !opened.has(start)) {
      result.push(...rows.slice(start, from), { kind: 'far', key: start, count: until - from });
      result.push(...rows.slice(until, end + 1));
    } else result.push(...rows.slice(start, end + 1));
    start = end + 1;
  }
  return result;
}
