/** Recent reasons that are offered again. */
export const KEPT_REASONS = 5;
const MAX_KEPT = 200;

/** Puts a reason first; the same words are kept once. */
export function withReason(reasons: readonly string[], reason: string): string[] {
  const words = reason.trim();
  if (words === '' || words.length > MAX_KEPT) return [...reasons];
  return [words, ...reasons.filter((other) => other !== words)].slice(0, KEPT_REASONS);
}

/** Reads what was stored; anything unexpected counts as nothing. */
export function readReasons(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(value)) return [];
    return value.filter((reason): reason is string => typeof reason === 'string').slice(0, KEPT_REASONS);
  } catch {
    return [];
  }
}
