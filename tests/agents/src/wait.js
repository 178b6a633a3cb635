// Waiting for things to happen, and giving up with the name of what did not.

/** Seconds that anything may take: some agents need long to start on a slow machine. */
const PATIENCE = 90;

/**
 * Looks again and again until `look` gives something true, and gives that.
 * @template T
 * @param {string} what is waited for, for the error
 * @param {() => T | Promise<T>} look
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, look, seconds = PATIENCE) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${seconds} seconds in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
