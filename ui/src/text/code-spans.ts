/** A piece of a sentence, and whether it is code: what stands between backticks. */
export interface Span {
  text: string;
  code: boolean;
}

/**
 * A span begins after a blank, ends before one or before punctuation, and has no blanks at its edges. Anything else keeps
 * its backticks: they may be part of a command.
 */
const CODE = /(?<=^|[\s(“"])`([^`\s](?:[^`]*[^`\s])?)`(?=$|[\s.,:;)”"’'?!])/gu;

/** A sentence of Handraise's own, as text and code in turn. */
export function spansOf(sentence: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const found of sentence.matchAll(CODE)) {
    spans.push({ text: sentence.slice(end, found.index), code: false }, { text: found[1] ?? '', code: true });
    end = found.index + found[0].length;
  }
  spans.push({ text: sentence.slice(end), code: false });
  return spans.filter((span) => span.text !== '');
}
