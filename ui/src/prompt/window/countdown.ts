import { m } from '../../paraglide/messages.js';

/** Whole seconds until `expiresAt`, never less than nothing. */
export function secondsLeft(expiresAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1000));
}

/** How much of the time is left, from 1 to 0. */
export function shareLeft(requestedAt: string, expiresAt: string, now: number): number {
  const whole = Date.parse(expiresAt) - Date.parse(requestedAt);
  return whole > 0 ? Math.min(1, Math.max(0, (Date.parse(expiresAt) - now) / whole)) : 0;
}

/** Time left in words. */
export function timeLeft(seconds: number): string {
  if (seconds <= 0) return m.time_over();
  if (seconds < 60) return m.time_left_seconds({ seconds });
  if (seconds < 3600) return m.time_left_minutes(clock(seconds));
  return m.time_left_hours(hours(seconds));
}

/** Time left for a narrow column. */
export function timeLeftShort(seconds: number): string {
  if (seconds < 60) return m.time_seconds_short({ seconds });
  if (seconds < 3600) return m.time_minutes_short(clock(seconds));
  return m.time_hours_short(hours(seconds));
}

function clock(seconds: number): { minutes: number; seconds: string } {
  return { minutes: Math.floor(seconds / 60), seconds: String(seconds % 60).padStart(2, '0') };
}

function hours(seconds: number): { hours: number; minutes: number } {
  return { hours: Math.floor(seconds / 3600), minutes: Math.floor((seconds % 3600) / 60) };
}
