// Globs on names and texts: `*` is any text, `?` one character, everything else is itself. Case counts.

import { hasHidden } from '../hidden.js';
import { PolicyError } from './table.js';

/** Longest pattern, in bytes. */
const MAX_PATTERN = 1024;

/** A glob. Matching takes time in proportion to pattern times text, whatever they are. */
export class Glob {
  readonly text: string;
  /** What stands between the `*`, as characters. */
  readonly #pieces: readonly (readonly string[])[];

  /** @throws {@link PolicyError} when it is empty or too long. */
  constructor(text: string) {
    if (text === '') throw new PolicyError('the pattern is empty');
    if (Buffer.byteLength(text) > MAX_PATTERN) {
      throw new PolicyError(`the pattern is longer than ${MAX_PATTERN} bytes`);
    }
    this.text = text;
    this.#pieces = text.split('*').map((piece) => [...piece]);
  }

  /**
   * A glob on names.
   *
   * @throws {@link PolicyError} also for what looks like a set of characters or names, which would be taken for itself,
   * and for characters that are in no name.
   */
  static ofNames(text: string): Glob {
    const set = /[[\]{}]/.exec(text);
    if (set) {
      throw new PolicyError(
        `\`${set[0]}\` has no meaning in a glob on names; \`*\` is any text and \`?\` one character, and each name has its own rule`,
      );
    }
    if (isOdd(text)) throw new PolicyError('it contains control or invisible characters, which no name has');
    return new Glob(text);
  }

  /** It matches its own text and nothing else. */
  get isExact(): boolean {
    return !/[*?]/.test(this.text);
  }

  /** Whether the whole of `text` fits. */
  matches(text: string): boolean {
    const characters = [...text];
    const [first = [], ...rest] = this.#pieces;
    const last = rest.pop();
    if (last === undefined) return first.length === characters.length && fitsAt(first, characters, 0);
    const end = characters.length - last.length;
    let position = first.length;
    if (end < position || !fitsAt(first, characters, 0) || !fitsAt(last, characters, end)) return false;
    // Each piece as early as it can be: whatever comes later has the most room then.
    for (const piece of rest) {
      while (position + piece.length <= end && !fitsAt(piece, characters, position)) position += 1;
      position += piece.length;
      if (position > end) return false;
    }
    return true;
  }
}

/** Whether a text holds what no name has. */
export function isOdd(text: string): boolean {
  return hasHidden(text) || /[\n\t]/.test(text);
}

function fitsAt(piece: readonly string[], text: readonly string[], position: number): boolean {
  return piece.every((character, index) => character === '?' || character === text[position + index]);
}
