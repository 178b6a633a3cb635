import type { RiskLevel } from '../../../generated/protocol';

/** How long a request must have stood still before it can be approved, in milliseconds. */
export const ARM_DELAY: Record<RiskLevel, number> = { read_only: 300, write: 600, destructive: 1500 };
/** The same after the person's own decision, so that a second click of a hurried pair lands on nothing. */
export const ARM_DELAY_AFTER_DECISION = 1000;
/** How long the approve button of a destructive request has to be held. */
export const HOLD_FOR = 1500;

/** When the approve button becomes live. Deny never waits for it. */
export type ArmingClock = {
  delay: number;
  /** When everything last stood still; `null` while the request is not yet painted. */
  settledAt: number | null;
  /** When a key was last pressed anywhere in the window. */
  keyAt: number;
};

/** The clock of a request that is about to be painted. */
export function unpainted(risk: RiskLevel, afterDecision: boolean): ArmingClock {
  const delay = ARM_DELAY[risk];
  return {
    delay: afterDecision ? Math.max(delay, ARM_DELAY_AFTER_DECISION) : delay,
    settledAt: null,
    keyAt: -Infinity,
  };
}

/** The request is of another risk now. */
export function at(clock: ArmingClock, risk: RiskLevel): ArmingClock {
  return { ...clock, delay: ARM_DELAY[risk] };
}

/** The request was painted. */
export function painted(clock: ArmingClock, now: number): ArmingClock {
  return { ...clock, settledAt: now };
}

/** Focus, visibility, size or order changed. A request that is not painted yet stays so. */
export function disturbed(clock: ArmingClock, now: number): ArmingClock {
  return clock.settledAt === null ? clock : { ...clock, settledAt: now };
}

/** All of the request has been on the screen now, at the end of reading: the press that led there is no answer. */
export function readToTheEnd(clock: ArmingClock, now: number): ArmingClock {
  return disturbed({ ...clock, delay: Math.max(clock.delay, ARM_DELAY_AFTER_DECISION) }, now);
}

/** A key was pressed anywhere in the window. */
export function keyPressed(clock: ArmingClock, now: number): ArmingClock {
  return { ...clock, keyAt: now };
}

/** Milliseconds until a click approves; `Infinity` while the request is not painted. */
export function armsIn(clock: ArmingClock, now: number): number {
  if (clock.settledAt === null) return Infinity;
  return Math.max(0, Math.max(clock.settledAt, clock.keyAt) + clock.delay - now);
}

/** Whether a click approves. */
export function isArmed(clock: ArmingClock, now: number): boolean {
  return armsIn(clock, now) === 0;
}

/** Whether the request has stood still long enough; keys do not count, for text that is typed to confirm. */
export function isSettled(clock: ArmingClock, now: number): boolean {
  return clock.settledAt !== null && now - clock.settledAt >= clock.delay;
}

/** How much of a hold is done, from 0 to 1. */
export function holdProgress(startedAt: number, now: number): number {
  return Math.min(1, Math.max(0, (now - startedAt) / HOLD_FOR));
}
