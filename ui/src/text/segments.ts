import type { Line } from './marks';

/** A stretch of a line, by its number of characters (UTF-16 code units), with what is said about it. */
export type Stretch<Said> = { length: number; said: Said };

/** What is drawn alike: part of a line that has changed or not, of one kind of syntax. */
export type Segment = { marks: Line; changed: boolean; token: string | null };

/**
 * Cuts a line where something else is said about it. What stands for several characters, or warns, is never cut: the
 * marks were found in the whole line before.
 */
export function segments(
  marks: Line,
  changed: readonly Stretch<boolean>[],
  tokens: readonly Stretch<string | null>[],
): Segment[] {
  const [isChanged, tokenOf] = [reader(changed, false), reader(tokens, null)];
  const result: Segment[] = [];
  let at = 0;
  const push = (mark: Line[number], from: number): void => {
    const segment = { changed: isChanged(from).said, token: tokenOf(from).said };
    const last = result.at(-1);
    if (last && last.changed === segment.changed && last.token === segment.token) last.marks.push(mark);
    else result.push({ marks: [mark], ...segment });
  };
  for (const mark of marks) {
    if (mark.kind !== 'text') {
      push(mark, at);
      at +=
        mark.kind === 'mixed' ? mark.text.length : mark.kind === 'tab' ? 1 : 'count' in mark ? mark.count : 0;
      continue;
    }
    const end = at + mark.text.length;
    let from = at;
    while (from < end) {
      const until = Math.min(end, isChanged(from).end, tokenOf(from).end);
      push({ kind: 'text', text: mark.text.slice(from - at, until - at) }, from);
      from = until;
    }
    at = end;
  }
  return result;
}

/** Whether every mark of a line stands for as many characters as it is known by. */
export function isPlain(marks: Line): boolean {
  return marks.every(
    ({ kind }) => kind === 'text' || kind === 'mixed' || kind === 'tab' || kind === 'blanks',
  );
}

function reader<Said>(
  stretches: readonly Stretch<Said>[],
  otherwise: Said,
): (at: number) => { end: number; said: Said } {
  return (at) => {
    let end = 0;
    for (const stretch of stretches) {
      end += stretch.length;
      if (at < end) return { end, said: stretch.said };
    }
    return { end: Infinity, said: otherwise };
  };
}
