import type { WindowPlatform } from './platform';

/** A click and those that the browser makes of it, as that on the field of a label, come within so many milliseconds. */
const SAME_CLICK = 50;

/** Tells a click that follows from mouse, finger or key from one that assistive technology, or another program, asks for. */
export class Presses {
  private pressed = false;
  private clickedAt = -Infinity;

  /** A button, a finger or a key went down, at the time `now` in milliseconds. */
  press(): void {
    this.pressed = true;
  }

  /** Whether a click at the time `now` follows from a press. */
  isPressed(now: number): boolean {
    const follows = this.pressed || now - this.clickedAt < SAME_CLICK;
    if (this.pressed) this.clickedAt = now;
    this.pressed = false;
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
    if (event.isTrusted) presses.press();
  };
  const options = { capture: true, passive: true };
  window.addEventListener('pointerdown', press, options);
  window.addEventListener('keydown', press, options);
  window.addEventListener(
    'click',
    (event) => {
      if (!event.isTrusted || presses.isPressed(event.timeStamp)) return;
      void platform.pressedWithoutDevice().catch(() => undefined);
    },
    options,
  );
}
