import { widthOf, type Line, type Mark } from './marks';

/** A line with its number, or a run of empty lines drawn as one row. */
export type Row =
  { kind: 'line'; number: number; marks: Line } | { kind: 'gap'; number: number; count: number };

/** What of a text is shown at first, and how much is not. */
export type Folded = {
  rows: Row[];
  /** Lines of which nothing is shown. */
  lines: number;
  /** Characters that are not shown. */
  characters: number;
};

const ROWS = 12;
const SPARE_ROWS = 3;
const COLUMNS = 72;
const MAX_GAP = 3;

/** Numbers the lines, and draws runs of empty lines that would push text out of sight as one row. */
export function rowsOf(lines: readonly Line[]): Row[] {
  const rows: Row[] = [];
  let index = 0;
  while (index < lines.length) {
    let end = index;
    while (end < lines.length && isEmpty(lines[end])) end += 1;
    if (end - index > MAX_GAP) {
      rows.push({ kind: 'gap', number: index + 1, count: end - index });
      index = end;
    } else {
      rows.push({ kind: 'line', number: index + 1, marks: lines[index] ?? [] });
      index += 1;
    }
  }
  return rows;
}

/** The first rows, when there are more than a person can take in at a glance. */
export function fold(rows: readonly Row[], limit: number = ROWS): Folded {
  const whole = { rows: [...rows], lines: 0, characters: 0 };
  if (sum(rows.map(height)) <= limit + SPARE_ROWS) return whole;
  const shown: Row[] = [];
  let left = limit;
  for (const row of rows) {
    if (height(row) > left) {
      if (row.kind === 'line' && height(row) > limit)
        shown.push({ ...row, marks: head(row.marks, left * COLUMNS) });
      break;
    }
    shown.push(row);
    left -= height(row);
  }
  const last = shown.at(-1);
  const lines = sum(rows.slice(shown.length).map((row) => (row.kind === 'gap' ? row.count : 1)));
  const characters = sum(rows.map(width)) - sum(shown.map(width));
  return last ? { rows: shown, lines, characters } : whole;
}

/** Number of characters of a whole text, line breaks included. */
export function lengthOf(lines: readonly Line[]): number {
  return sum(lines.map((line) => sum(line.map(characters)))) + Math.max(0, lines.length - 1);
}

function characters(mark: Mark): number {
  if (mark.kind === 'hidden') return 1;
  return 'count' in mark ? mark.count : widthOf(mark);
}

function head(marks: Line, longest: number): Line {
  const shown: Line = [];
  let left = longest;
  for (const mark of marks) {
    if (left <= 0) break;
    if ((mark.kind === 'text' || mark.kind === 'mixed') && widthOf(mark) > left) {
      shown.push({ ...mark, text: [...mark.text].slice(0, left).join('') });
      break;
    }
    shown.push(mark);
    left -= widthOf(mark);
  }
  return shown;
}

function isEmpty(line: Line | undefined): boolean {
  return (
    line !== undefined &&
    line.every(
      (mark) =>
        mark.kind === 'blanks' || mark.kind === 'tab' || (mark.kind === 'text' && mark.text.trim() === ''),
    )
  );
}

function height(row: Row): number {
  return Math.max(1, Math.ceil(width(row) / COLUMNS));
}

function width(row: Row): number {
  return row.kind === 'gap' ? 0 : sum(row.marks.map(widthOf));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
