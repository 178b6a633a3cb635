import type { Stretch } from './segments';

/** The kinds of syntax in each line of a text. */
export type Coloured = Stretch<string | null>[][];

/** What is to be read, and how. */
export type Wanted = { text: string; language: string };

/** Longest text that is read, in UTF-16 code units. */
const MAX_TEXT = 60_000;
/** How long a text is read, in milliseconds. Then it stays without colours. */
const MAX_TIME = 3000;

/** The language of a file, by its name; nothing when it has no ending. */
export function languageOf(path: string): string | null {
  const name = path.split('/').at(-1) ?? '';
  if (/^(GNUm|M|m)akefile$/.test(name)) return 'makefile';
  return /\.([A-Za-z0-9]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** Reads the syntax of a text beside the page. The result stops it; without a result in time nothing is found. */
export function highlight(wanted: Wanted, found: (coloured: Coloured) => void): () => void {
  if (wanted.text.length > MAX_TEXT || typeof Worker === 'undefined') return () => undefined;
  let worker: Worker;
  try {
    worker = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    // Colours are no more than a help.
    return () => undefined;
  }
  const stop = (): void => {
    clearTimeout(timer);
    worker.terminate();
  };
  const timer = setTimeout(stop, MAX_TIME);
  worker.onerror = stop;
  worker.onmessage = ({ data }: MessageEvent<Coloured | null>) => {
    stop();
    if (data) found(data);
  };
  worker.postMessage(wanted);
  return stop;
}
