import { describe, expect, it } from 'vitest';
import type { Approval } from '../generated/protocol';
import { byStep, stepOf } from './steps';

const approval = (id: string, batch?: string): Approval => ({ id, title: id, batch }) as Approval;
const ids = (approvals: Approval[]): string => approvals.map((one) => one.id).join('');

describe('calls of one step', () => {
  const pending = [approval('a', 'x'), approval('b'), approval('c', 'y'), approval('d', 'x'), approval('e')];

  it('stand together, and all else where it stood', () => {
    expect(ids(byStep(pending))).toBe('adbce');
    expect(ids(byStep([approval('a'), approval('b')]))).toBe('ab');
  });

  it('are known from each of them, and only where there are several', () => {
    expect(ids(stepOf(pending, approval('d', 'x')))).toBe('ad');
    expect(stepOf(pending, approval('c', 'y'))).toEqual([]);
    expect(stepOf(pending, approval('b'))).toEqual([]);
    expect(stepOf(pending, approval('gone', 'x'))).toEqual([]);
  });
});
