import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../generated/protocol';
import { sameAgent, stepOf } from './steps';

const approval = (id: string, batch?: string): Approval => ({ id, title: id, batch }) as Approval;
const ids = (approvals: Approval[]): string => approvals.map((one) => one.id).join('');

describe('calls of one step', () => {
  const pending = [approval('a', 'x'), approval('b'), approval('c', 'y'), approval('d', 'x'), approval('e')];

  it('are known from each of them, and only where there are several', () => {
    expect(ids(stepOf(pending, approval('d', 'x')))).toBe('ad');
    expect(stepOf(pending, approval('c', 'y'))).toEqual([]);
    expect(stepOf(pending, approval('b'))).toEqual([]);
    expect(stepOf(pending, approval('gone', 'x'))).toEqual([]);
  });
});

describe('calls of one agent', () => {
  const by = (id: string, agent?: string, verified = true): Approval =>
    ({ id, agent, agent_verified: verified }) as Approval;
  const pending = [by('a', 'codex'), by('b', 'codex', false), by('c'), by('d', 'codex'), by('e')];

  it('are those of the same proved name, where there are several', () => {
    expect(ids(sameAgent(pending, by('d', 'codex')))).toBe('ad');
    expect(sameAgent(pending, by('b', 'codex', false))).toEqual([]);
    expect(sameAgent(pending, by('c'))).toEqual([]);
  });
});
