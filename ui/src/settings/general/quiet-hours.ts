import type { QuietHours } from '../../generated/protocol';

/** What is offered when somebody switches quiet hours on: from ten in the evening to seven in the morning. */
export const USUAL: QuietHours = { from: 22 * 60, until: 7 * 60 };

/** Minutes after midnight as the field for a time has them: `22:00`. */
export function asTime(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** What a field for a time holds, in minutes after midnight; nothing when it is empty. */
export function fromTime(text: string): number | undefined {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : undefined;
}
