import type { Readable, Writable } from 'node:stream';

const NEWLINE = 10;
/** Lines up to this many bytes are copied to be written together with their line break. */
const SMALL = 64 * 1024;

/** Calls `take` for every line that `source` brings, without its line break. */
export function readLines(source: Readable, take: (line: Buffer) => void): void {
  let parts: Buffer[] = [];
  source.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const last = chunk.subarray(start, end);
      const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      parts = [];
      start = end + 1;
      const isBlank = line.length === 0 || (line.length === 1 && line[0] === 13);
      if (!isBlank) take(line[line.length - 1] === 13 ? line.subarray(0, -1) : line);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}

/** Writes lines to `sink`, and makes `source` wait while it does not keep up. */
export function lineWriter(sink: Writable, source: Readable): (line: string | Buffer) => void {
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    sink.uncork();
  };
  return (line) => {
    if (sink.destroyed || sink.writableEnded) return;
    // Lines that come together leave together.
    if (!isCorked) {
      isCorked = true;
      sink.cork();
      process.nextTick(uncork);
    }
    const keepsUp = writeLine(sink, line);
    if (keepsUp || source.isPaused()) return;
    source.pause();
    sink.once('drain', () => source.resume());
  };
}

function writeLine(sink: Writable, line: string | Buffer): boolean {
  if (typeof line === 'string') return sink.write(`${line}\n`);
  if (line.length > SMALL) {
    sink.write(line);
    return sink.write('\n');
  }
  const whole = Buffer.allocUnsafe(line.length + 1);
  line.copy(whole);
  whole[line.length] = NEWLINE;
  return sink.write(whole);
}
