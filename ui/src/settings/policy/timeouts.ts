import { m } from '../../paraglide/messages.js';

const OFFERED = [30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];

/** The times to answer that are offered, with the one in force among them. */
export function timeoutChoices(current: number): number[] {
  return [...new Set([...OFFERED, current])].sort((one, other) => one - other);
}

/** A time to answer in words. */
export function timeoutWords(seconds: number): string {
  if (seconds % 3600 === 0) return plural(seconds / 3600, m.policy_timeout_hour, m.policy_timeout_hours);
  if (seconds % 60 === 0) return plural(seconds / 60, m.policy_timeout_minute, m.policy_timeout_minutes);
  return m.policy_timeout_seconds({ count: seconds });
}

function plural(count: number, one: () => string, many: (inputs: { count: number }) => string): string {
  return count === 1 ? one() : many({ count });
}
