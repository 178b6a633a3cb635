import { describe, expect, it } from 'vitest';
import {
  ARM_DELAY,
  ARM_DELAY_AFTER_DECISION,
  armsIn,
  disturbed,
  holdProgress,
  HOLD_FOR,
  isArmed,
  isSettled,
  keyPressed,
  painted,
  readToTheEnd,
  unpainted,
} from './arming';

describe('the arming clock', () => {
  it('does not run before the request is painted', () => {
    const clock = disturbed(unpainted('write', false), 10_000);
    expect(armsIn(clock, 1e9)).toBe(Infinity);
    expect(isArmed(clock, 1e9)).toBe(false);
  });

  it.each(['read_only', 'write', 'destructive'] as const)('arms a %s request after its delay', (risk) => {
    const clock = painted(unpainted(risk, false), 1000);
    expect(isArmed(clock, 1000 + ARM_DELAY[risk] - 1)).toBe(false);
    expect(isArmed(clock, 1000 + ARM_DELAY[risk])).toBe(true);
  });

  it('waits longer for more risk', () => {
    expect(ARM_DELAY.read_only).toBeLessThan(ARM_DELAY.write);
    expect(ARM_DELAY.write).toBeLessThan(ARM_DELAY.destructive);
  });

  it('waits for a hurried second click after a decision', () => {
    const clock = painted(unpainted('read_only', true), 0);
    expect(isArmed(clock, ARM_DELAY_AFTER_DECISION - 1)).toBe(false);
    expect(unpainted('destructive', true).delay).toBe(ARM_DELAY.destructive);
  });

  it('does not take the press that led to the end for an answer', () => {
    const clock = readToTheEnd(painted(unpainted('read_only', false), 0), 5000);
    expect(isArmed(clock, 5000 + ARM_DELAY_AFTER_DECISION - 1)).toBe(false);
    expect(isArmed(clock, 5000 + ARM_DELAY_AFTER_DECISION)).toBe(true);
  });

  it('starts again when something moves or a key is pressed', () => {
    const clock = painted(unpainted('write', false), 0);
    expect(isArmed(clock, 700)).toBe(true);
    expect(isArmed(disturbed(clock, 700), 700)).toBe(false);
    expect(armsIn(keyPressed(clock, 700), 700)).toBe(600);
    expect(isArmed(keyPressed(clock, 700), 1300)).toBe(true);
  });

  it('settles in spite of keys, for text that is typed to confirm', () => {
    const clock = keyPressed(painted(unpainted('destructive', false), 0), 1499);
    expect(isSettled(clock, 1500)).toBe(true);
    expect(isArmed(clock, 1500)).toBe(false);
  });
});

describe('holding', () => {
  it('is done after its time and never more than done', () => {
    expect(holdProgress(100, 100)).toBe(0);
    expect(holdProgress(100, 100 + HOLD_FOR / 2)).toBe(0.5);
    expect(holdProgress(100, 100 + HOLD_FOR * 2)).toBe(1);
  });
});
