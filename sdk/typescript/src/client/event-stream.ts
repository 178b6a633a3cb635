// Server-sent events (WHATWG HTML, "Interpreting an event stream").

/** One frame of an event stream. */
export interface Frame {
  /** The last id that was seen up to this frame. */
  id: string;
  event: string;
  data: string;
}

/** Puts frames together from text in pieces that end anywhere. */
export class FrameDecoder {
  #text = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  /** The last id that was seen, also of a frame without data. */
  get lastId(): string {
    return this.#id;
  }

  /** The frames that are whole once `piece` has come. */
  *push(piece: string): Generator<Frame, void> {
    this.#text += piece;
    for (;;) {
      // A line break at the very end may be the first half of CR LF.
      const found = /\r\n|\n|\r(?!$)/.exec(this.#text);
      if (!found) return;
      const line = this.#text.slice(0, found.index);
      this.#text = this.#text.slice(found.index + found[0].length);
      const frame = this.#line(line);
      if (frame) yield frame;
    }
  }

  #line(line: string): Frame | undefined {
    if (line === '') {
      const frame = { id: this.#id, event: this.#event || 'message', data: this.#data.join('\n') };
      const isWhole = this.#data.length > 0;
      this.#event = '';
      this.#data = [];
      return isWhole ? frame : undefined;
    }
    const [, name = line, value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    return undefined;
  }
}
