/** Where a frame of an event stream ends: two line breaks (WHATWG HTML, "Interpreting an event stream"). */
const END = /(?:\r\n|\n|\r(?!$))(?:\r\n|\n|\r(?!$))/;
/** Longest end of a piece that may belong to what ends a frame, in bytes. */
const HALF_END = 3;

/** Cuts an event stream into its frames, each with the bytes as they came. */
export class FrameCutter {
  private parts: Buffer[] = [];
  private tail = '';
  private size = 0;

  /** Bytes of the frame that is not whole yet. */
  get open(): number {
    return this.size;
  }

  *push(piece: Buffer): Generator<Buffer, void> {
    let left = piece;
    for (;;) {
      const found = END.exec(this.tail + left.toString('latin1'));
      if (found === null) break;
      const end = Math.max(0, found.index + found[0].length - this.tail.length);
      yield Buffer.concat([...this.parts, left.subarray(0, end)]);
      this.forget();
      left = left.subarray(end);
    }
    if (left.length === 0) return;
    this.parts.push(left);
    this.size += left.length;
    this.tail = (this.tail + left.subarray(-HALF_END).toString('latin1')).slice(-HALF_END);
  }

  /** What is left when the stream has ended. */
  rest(): Buffer {
    const rest = Buffer.concat(this.parts);
    this.forget();
    return rest;
  }

  private forget(): void {
    this.parts = [];
    this.tail = '';
    this.size = 0;
  }
}
