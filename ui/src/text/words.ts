import type { DiffLine, Piece } from '../generated/protocol';
import { plainText } from './marks';
import type { Stretch } from './segments';

/** A part of a line; `changed` parts are not in its counterpart. */
export type Part = { text: Piece[]; changed: boolean };

/** A line of a change, divided so that the words that differ can be marked. */
export type MarkedDiffLine = DiffLine & { parts: Part[] };

const MAX_WORDS = 400;

/** Which stretches of the line `text` are not in the line `other`. */
export function changedWords(other: readonly Piece[], text: readonly Piece[]): Stretch<boolean>[] {
  const line = (sign: DiffLine['sign'], pieces: readonly Piece[]): DiffLine => ({ sign, text: [...pieces] });
  const [, own] = markWords([line('remove', other), line('add', text)]);
  return (own?.parts ?? []).map((part) => ({ length: plainText(part.text).length, said: part.changed }));
}

/** Marks, in removed lines followed by as many added ones, the words that differ. */
export function markWords(diff: readonly DiffLine[]): MarkedDiffLine[] {
  const marked = diff.map((line): MarkedDiffLine => ({
    ...line,
    parts: [{ text: line.text, changed: false }],
  }));
  let start = 0;
  while (start < diff.length) {
    const removed = run(diff, start, 'remove');
    const added = run(diff, start + removed, 'add');
    if (removed > 0 && removed === added) {
      for (let index = start; index < start + removed; index += 1)
        markPair(marked[index], marked[index + removed]);
    }
    start += Math.max(1, removed + added);
  }
  return marked;
}

function markPair(one: MarkedDiffLine | undefined, other: MarkedDiffLine | undefined): void {
  const [from, to] = [words(one), words(other)];
  if (!one || !other || !from || !to || from.length * to.length === 0) return;
  const common = commonWords(from, to);
  const kept = common.reduce((total, [index]) => total + (from[index]?.trim().length ?? 0), 0);
  const shorter = Math.min(...[from, to].map((all) => all.join('').trim().length));
  // Two lines with next to nothing in common are two lines, not one changed line.
  if (kept * 3 < shorter) return;
  one.parts = parts(from, new Set(common.map(([index]) => index)));
  other.parts = parts(to, new Set(common.map(([, index]) => index)));
}

/** The longest common subsequence, as pairs of positions. */
function commonWords(from: string[], to: string[]): [number, number][] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      const longest = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      lengths[i]?.fill(longest, j, j + 1);
    }
  }
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < from.length && j < to.length) {
    if (from[i] === to[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

function parts(all: string[], kept: ReadonlySet<number>): Part[] {
  const found: { text: string; changed: boolean }[] = [];
  all.forEach((word, index) => {
    // A blank between two changed words belongs to them.
    const between =
      word.trim() === '' &&
      !kept.has(index - 1) &&
      !kept.has(index + 1) &&
      index > 0 &&
      index + 1 < all.length;
    const changed = !kept.has(index) || between;
    const last = found.at(-1);
    if (last?.changed === changed) last.text += word;
    else found.push({ text: word, changed });
  });
  return found.map(({ text, changed }) => ({ text: [{ kind: 'text', text }], changed }));
}

function run(diff: readonly DiffLine[], start: number, sign: DiffLine['sign']): number {
  let end = start;
  while (diff[end]?.sign === sign) end += 1;
  return end - start;
}

/** The words, blanks and signs of a line; nothing for a line with hidden characters or of great length. */
function words(line: DiffLine | undefined): string[] | undefined {
  const pieces = line?.text ?? [];
  if (!pieces.every((piece) => piece.kind === 'text')) return undefined;
  const text = pieces.map((piece) => piece.text).join('');
  const found = text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
  return found.length <= MAX_WORDS ? found : undefined;
}
