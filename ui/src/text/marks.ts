import type { Piece } from '../generated/protocol';

/** One thing to draw. Nothing an agent wrote is drawn except as one of these. */
export type Mark =
  | { kind: 'text'; text: string }
  /** A word that mixes alphabets, as a Latin word with one Cyrillic letter. */
  | { kind: 'mixed'; text: string }
  | { kind: 'tab' }
  /** A character that would be invisible, by its label. */
  | { kind: 'hidden'; label: string }
  /** A run of blanks long enough to push what follows out of sight. */
  | { kind: 'blanks'; count: number }
  /** Combining marks beyond what any script stacks on one letter. */
  | { kind: 'combining'; count: number }
  /** A redacted secret: what it is, how long it is, and what tells it from others of its kind. */
  | { kind: 'redacted'; secret: string; count: number; print: string };

export type Line = Mark[];

const MAX_BLANK_RUN = 24;
/** Room for the words that say how long a redacted secret is. */
const MAX_SIZE = 16;
const SPECIAL = / {25,}|\t|(?<=\p{M}{4})\p{M}+/gu;
// The form that the server gives to a mark, and nothing longer.
const REDACTED = /‹redacted:([a-z0-9-]{1,32}):(\d{1,12}):([0-9a-f]{8})›/g;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

/** Divides agent text into lines of marks. */
export function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [[]];
  for (const piece of pieces) {
    if (piece.kind === 'hidden') {
      lines.at(-1)?.push({ kind: 'hidden', label: piece.label });
      continue;
    }
    piece.text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push(...marksOf(part));
    });
  }
  // A line break at the very end closes the last line; it does not open another one.
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

/** A text of one line, as the server makes them. */
export function marksIn(text: string): Line {
  return linesOf([{ kind: 'text', text }]).flat();
}

/** A text of one line where nothing but text can be shown: redacted secrets by their kind. */
export function asLabel(text: string): string {
  return text.replaceAll(REDACTED, '[$1]');
}

/** Agent text with labels in angle brackets, for comparing and for one-line labels. */
export function plainText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : `⟨${piece.label}⟩`)).join('');
}

/** Number of characters that a mark stands for. */
export function widthOf(mark: Mark): number {
  switch (mark.kind) {
    case 'text':
    case 'mixed':
      return [...mark.text].length;
    case 'tab':
      return 1;
    case 'hidden':
      return mark.label.length + 2;
    case 'redacted':
      return mark.secret.length + MAX_SIZE;
    case 'blanks':
    case 'combining':
      return Math.min(mark.count, MAX_BLANK_RUN);
  }
}

function marksOf(text: string): Mark[] {
  const marks: Mark[] = [];
  let end = 0;
  for (const match of text.matchAll(REDACTED)) {
    const [whole, secret = '', count = '', print = ''] = match;
    marks.push(...spacesOf(text.slice(end, match.index)));
    marks.push({ kind: 'redacted', secret, count: Number(count), print });
    end = match.index + whole.length;
  }
  marks.push(...spacesOf(text.slice(end)));
  return marks;
}

function spacesOf(text: string): Mark[] {
  const marks: Mark[] = [];
  let end = 0;
  for (const match of text.matchAll(SPECIAL)) {
    marks.push(...wordsOf(text.slice(end, match.index)));
    end = match.index + match[0].length;
    if (match[0] === '\t') marks.push({ kind: 'tab' });
    else if (match[0].startsWith(' ')) marks.push({ kind: 'blanks', count: match[0].length });
    else marks.push({ kind: 'combining', count: [...match[0]].length });
  }
  marks.push(...wordsOf(text.slice(end)));
  return marks;
}

function wordsOf(text: string): Mark[] {
  const marks: Mark[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    if (!mixesAlphabets(match[0])) continue;
    if (match.index > end) marks.push({ kind: 'text', text: text.slice(end, match.index) });
    marks.push({ kind: 'mixed', text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) marks.push({ kind: 'text', text: text.slice(end) });
  return marks;
}

function mixesAlphabets(word: string): boolean {
  const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];
  return alphabets.filter((alphabet) => alphabet.test(word)).length > 1;
}
