import { once } from 'node:events';

/** Waits until `sink` takes more, or has gone. */
export async function drained(sink: NodeJS.EventEmitter): Promise<void> {
  const over = new AbortController();
  const waits = ['drain', 'close'].map((name) => once(sink, name, { signal: over.signal }));
  await Promise.race(waits).catch(() => {});
  over.abort();
  await Promise.allSettled(waits);
}
