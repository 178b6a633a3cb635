import type { Mode } from '../generated/protocol';
import { m } from '../paraglide/messages.js';

const MINUTE = 60;

/** Ends of a pause that can be chosen. */
export type PauseEnd = 'never' | 'quarter' | 'hour' | 'tomorrow';

/** How many seconds a pause with this end lasts from `now` on; nothing when a person ends it. */
export function pauseSeconds(end: PauseEnd, now: Date): number | undefined {
  switch (end) {
    case 'never':
      return undefined;
    case 'quarter':
      return 15 * MINUTE;
    case 'hour':
      return 60 * MINUTE;
    case 'tomorrow': {
      const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
      // A day of 25 hours is longer than a pause may be.
      return Math.min(Math.max(1, Math.round((midnight.getTime() - now.getTime()) / 1000)), 24 * 60 * MINUTE);
    }
  }
}

/** The local time of day. */
export function timeOfDay(time: string): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** What a pause does, and until when. */
export function pausedWords(mode: Mode, until: string | undefined): string {
  const denies = mode === 'deny_everything';
  if (until === undefined) return denies ? m.mode_deny_everything_banner() : m.mode_ask_everything_banner();
  const time = timeOfDay(until);
  return denies ? m.mode_deny_everything_until({ time }) : m.mode_ask_everything_until({ time });
}
