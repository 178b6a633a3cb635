import { isObject } from '../json.js';
import { toolsOf } from './definitions.js';
import { metaOf } from './revision.js';
import type { ToolBook } from './tool-book.js';

/** Pages of `tools/list` that are read at most. */
const MAX_PAGES = 100;

/**
 * How long what a server has listed counts. Up to 2025-11-25 it counts until the server tells of a change. Since
 * 2026-07-28 nobody is told who has not subscribed, so that a list counts for its `ttlMs`, and where its `cacheScope`
 * is `private` for who has got it.
 */
export class ToolList {
  /** By the clock of the process, in milliseconds. */
  private until = Number.NEGATIVE_INFINITY;
  private reader: string | undefined;
  /** Changes that were told: a list that was asked for before one of them does not count. */
  private changes = 0;
  /** The list that is being read, page by page. */
  private reading: { until: number; reader: string | undefined; changes: number } | undefined;

  /** The listing of the proxy's own that is under way. */
  private listing: { reader: string; done: Promise<void> } | undefined;

  constructor(private readonly book: ToolBook) {}

  /**
   * Lists all tools for `reader`, page by page; whoever wants the same meanwhile waits for it.
   *
   * @param ask Asks for one page; gives `undefined` where the server does not list.
   */
  read(
    reader: string,
    revision: string | undefined,
    ask: (params: Record<string, unknown>) => Promise<Record<string, unknown> | undefined>,
  ): Promise<void> {
    const before = this.listing;
    if (before?.reader === reader) return before.done;
    const turn = before === undefined ? Promise.resolve() : before.done.catch(() => {});
    const done = turn
      .then(() => this.readPages(reader, revision, ask))
      .finally(() => {
        if (this.listing?.done === done) this.listing = undefined;
      });
    this.listing = { reader, done };
    return done;
  }

  private async readPages(
    reader: string,
    revision: string | undefined,
    ask: (params: Record<string, unknown>) => Promise<Record<string, unknown> | undefined>,
  ): Promise<void> {
    let cursor: string | undefined;
    for (let number = 0; number < MAX_PAGES; number += 1) {
      const told = this.changes;
      const params = { ...(cursor === undefined ? {} : { cursor }), ...metaOf(revision) };
      const result = await ask(params).catch((error: unknown) => {
        this.failed();
        throw error;
      });
      if (result === undefined) return this.failed();
      cursor = this.listed(result, { isFirst: number === 0, revision, reader, told });
      if (cursor === undefined) return;
    }
  }

  /** What is listed counts for `reader`. */
  countsFor(reader: string): boolean {
    return performance.now() < this.until && (this.reader === undefined || this.reader === reader);
  }

  /** How many changes the server has told of so far. */
  get told(): number {
    return this.changes;
  }

  /** The server has told of a change. */
  changed(): void {
    this.changes += 1;
    this.until = Number.NEGATIVE_INFINITY;
  }

  /** Listing has failed: what was listed before may have changed since. */
  failed(): void {
    this.reading = undefined;
    this.until = Number.NEGATIVE_INFINITY;
    this.book.forget();
  }

  /**
   * The server has answered `tools/list`.
   *
   * @param page Whether it is the first; the revision that the request named; who asked; `told` when it did.
   * @returns The cursor of the next page.
   */
  listed(
    result: Record<string, unknown>,
    page: { isFirst: boolean; revision: string | undefined; reader: string; told: number },
  ): string | undefined {
    const { isFirst, revision, reader, told } = page;
    this.book.listed(toolsOf(result), isFirst);
    const { until, of } = validity(result, revision, reader);
    if (isFirst) this.reading = { until, reader: of, changes: told };
    else if (this.reading !== undefined) {
      this.reading.until = Math.min(this.reading.until, until);
      this.reading.reader ??= of;
    }
    const next = typeof result['nextCursor'] === 'string' ? result['nextCursor'] : undefined;
    this.until = Number.NEGATIVE_INFINITY;
    // Who reads the last of several pages only has still not seen the rest.
    if (next === undefined && this.reading !== undefined) {
      if (this.reading.changes === this.changes) this.until = this.reading.until;
      this.reader = this.reading.reader;
      this.reading = undefined;
    }
    return next;
  }
}

function validity(
  result: Record<string, unknown>,
  revision: string | undefined,
  reader: string,
): { until: number; of: string | undefined } {
  if (revision === undefined || !isObject(result)) return { until: Number.POSITIVE_INFINITY, of: undefined };
  const { ttlMs, cacheScope } = result;
  const isTime = typeof ttlMs === 'number' && ttlMs > 0;
  return {
    until: isTime ? performance.now() + ttlMs : Number.NEGATIVE_INFINITY,
    of: cacheScope === 'public' ? undefined : reader,
  };
}
