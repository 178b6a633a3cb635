import type { RiskLevel } from './generated/protocol.js';

/** The words that other designs have for the three levels. */
export type RiskWord =
  RiskLevel | 'low' | 'readonly' | 'safe' | 'medium' | 'requires_approval' | 'high' | 'forbidden';

const LEVELS: Record<RiskWord, RiskLevel> = {
  read_only: 'read_only',
  readonly: 'read_only',
  low: 'read_only',
  safe: 'read_only',
  write: 'write',
  medium: 'write',
  requires_approval: 'write',
  destructive: 'destructive',
  high: 'destructive',
  forbidden: 'destructive',
};

/**
 * The level that goes with a word.
 *
 * @throws TypeError for any other word: a typo never weakens a call.
 */
export function riskLevel(word: RiskWord): RiskLevel {
  const level = Object.hasOwn(LEVELS, word) ? LEVELS[word] : undefined;
  if (level === undefined) throw new TypeError(`${JSON.stringify(word)} is no risk level`);
  return level;
}

/** The three levels in the words of a risk class. */
export const riskWords: Readonly<Record<RiskLevel, 'low' | 'medium' | 'high'>> = {
  read_only: 'low',
  write: 'medium',
  destructive: 'high',
};
