import { getLocale } from '../paraglide/runtime.js';

/**
 * The language that is spoken, with the system's region where the system speaks it as well: a day is written in another
 * way in Britain than in America.
 */
function region(): string {
  const spoken = getLocale();
  const system = globalThis.navigator?.languages ?? [];
  return system.find((tag) => tag === spoken || tag.startsWith(`${spoken}-`)) ?? spoken;
}

/** A number as a person writes it. */
export function number(value: number): string {
  return new Intl.NumberFormat(region()).format(value);
}

/** A day of the year. */
export function day(date: Date): string {
  return new Intl.DateTimeFormat(region(), { day: 'numeric', month: 'short' }).format(date);
}

/** A moment as a person writes it: the time today, else the date and the time. */
export function moment(timestamp: string, now: Date): string {
  const date = new Date(timestamp);
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const today = date.toDateString() === now.toDateString();
  const how = today ? time : ({ day: 'numeric', month: 'short', ...time } as const);
  return new Intl.DateTimeFormat(region(), how).format(date);
}
