/** How far down a person has been shown a text without a gap, in pixels from its top. */
export type Shown = { until: number; width: number };

/** The part of the text that can be seen, in pixels from its top, and its size. */
export type Sight = { top: number; bottom: number; width: number; height: number };

const SLACK = 2;

/** Nothing has been shown. */
export const NOTHING_SHOWN: Shown = { until: 0, width: 0 };

/**
 * Takes in what can be seen now. Jumping past a part does not count as showing it, and neither does a slit:
 * at least `least` pixels, or all of the text, have to be seen at once.
 */
export function look(shown: Shown, sight: Sight, least = 0): Shown {
  // Another width breaks the lines elsewhere: what had been seen is no longer known.
  const until = shown.width === sight.width ? shown.until : 0;
  const seen = sight.bottom - sight.top;
  const reaches = seen > 0 && seen >= Math.min(least, sight.height) - SLACK && sight.top <= until + SLACK;
  return { until: reaches ? Math.max(until, sight.bottom) : until, width: sight.width };
}

/** Whether all of a text of this height has been shown. */
export function isWhole(shown: Shown, height: number): boolean {
  return height > 0 && shown.until >= height - SLACK;
}
