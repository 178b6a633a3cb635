/** Something that changes, and counts its changes. */
export interface Counted {
  revision: number;
}

/**
 * What a page is told to ask for. It is asked for once at a time, however often the page is told meanwhile, so that nothing
 * piles up behind a page that is slow; and what comes twice is taken once.
 */
export class Pulled<T extends Counted> {
  #ask: () => Promise<T>;
  #last: number | undefined;
  #asking = false;
  #again = false;

  constructor(ask: () => Promise<T>) {
    this.#ask = ask;
  }

  /** How it is now. */
  async now(): Promise<T> {
    const value = await this.#ask();
    this.#last = value.revision;
    return value;
  }

  /** It may have changed: hands it to `listener` if it has. */
  async changed(listener: (value: T) => void): Promise<void> {
    this.#again = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#again) {
        this.#again = false;
        const before = this.#last;
        const value = await this.now();
        if (value.revision !== before) listener(value);
      }
    } finally {
      this.#asking = false;
    }
  }
}
