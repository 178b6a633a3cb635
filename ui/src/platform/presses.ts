import type { WindowPlatform } from './platform';

/** A click and those that the browser makes of it, as that on the field of a label, come within so many milliseconds. */
const SAME_CLICK = 50;
/** A click comes within so many milliseconds of the press or the release that makes it: one that comes later is another's. */
const FOLLOWS_WITHIN = 300;

/** Tells a click that follows from mouse, finger or key from one that assistive technology, or another program, asks for. */
export class Presses {
  private movedAt = -Infinity;
  private clickedAt = -Infinity;

  /** A button, a finger or a key went down or came up, at the time `now` in milliseconds. */
  press(now: number): void {
    this.movedAt = now;
  }

  /** Whether a click at the time `now` follows from a press. */
  isPressed(now: number): boolean {
    const isOwn = now - this.movedAt < FOLLOWS_WITHIN;
    const follows = isOwn || now - this.clickedAt < SAME_CLICK;
    if (isOwn) this.clickedAt = now;
    // One press makes one click.
    this.movedAt = -Infinity;
    return follows;
  }
}

/**
 * Tells the machine of each click without a press, before anything follows from it. The page's own scripts click as well;
 * those are not trusted, and ask for nothing that a person did not.
 */
export function watchPresses(platform: WindowPlatform): void {
  const presses = new Presses();
  const press = (event: Event): void => {
    if (event.isTrusted) presses.press(event.timeStamp);
  };
  const options = { capture: true, passive: true };
  for (const moved of ['pointerdown', 'pointerup', 'keydown', 'keyup'] as const)
    window.addEventListener(moved, press, options);
  window.addEventListener(
    'click',
    (event) => {
      if (!event.isTrusted || presses.isPressed(event.timeStamp)) return;
      void platform.pressedWithoutDevice().catch(() => undefined);
    },
    options,
  );
}
