import { describe, expect, it } from 'vitest';
import type { Approval, Widening } from '../../../generated/protocol';
import {
  approval,
  approveLabel,
  breadths,
  confinedApproval,
  denial,
  durations,
  lateApproval,
  narrowest,
  sessionChoice,
} from './choice';

const request = {
  id: 'r',
  arguments_hash: 'ab',
  scopes: [
    { scope: 'minutes', breadth: 'exact', remembers: 'x' },
    { scope: 'session', breadth: 'tool', remembers: 'every' },
    { scope: 'session', breadth: 'exact', remembers: 'x' },
    { scope: 'always', breadth: 'prefix', remembers: 'every x', rule: '[[rule]]' },
  ],
} as Approval;

describe('a decision', () => {
  it('is bound to what was shown', () => {
    for (const decision of [approval(request, null), denial(request, null, ''), lateApproval(request)]) {
      expect(decision.arguments_hash).toBe('ab');
    }
  });

  it('reaches no further than was chosen', () => {
    expect(approval(request, null)).toMatchObject({ scope: 'once', breadth: 'exact' });
    expect(approval(request, request.scopes[1] ?? null)).toMatchObject({
      scope: 'session',
      breadth: 'tool',
    });
    expect(lateApproval(request)).toMatchObject({ scope: 'once', late: true });
  });

  it('for the session means exactly this call', () => {
    expect(sessionChoice(request)?.breadth).toBe('exact');
  });

  it('leaves out an empty reason', () => {
    expect(denial(request, null, '  ')).not.toHaveProperty('reason');
    expect(denial(request, null, ' use pnpm ').reason).toBe('use pnpm');
  });
});

describe('a confined approval', () => {
  const walls = { sentence: 'writes only in app, no network' };
  const confinable = { ...request, confinement: { walls, hash: 'w1' } } as Approval;

  it('is bound to the walls that were shown, and to this call', () => {
    expect(confinedApproval(confinable)).toMatchObject({
      decision: 'approve',
      scope: 'once',
      arguments_hash: 'ab',
      confined: 'w1',
    });
    expect(approval(confinable, null)).not.toHaveProperty('confined');
  });

  it('is bound to the wider walls where these were chosen', () => {
    const wider = { opens: '~/out', hash: 'w2', walls, rule: '' } as unknown as Widening;
    expect(confinedApproval(confinable, wider).confined).toBe('w2');
  });

  it('never becomes one without walls', () => {
    expect(confinedApproval(request).confined).toBe('');
  });
});

describe('the two axes', () => {
  it('offer only what the server offers, the shortest first', () => {
    expect(durations(request)).toEqual(['once', 'minutes', 'session', 'always']);
    expect(durations({ ...request, scopes: [] })).toEqual(['once']);
  });

  it('offer the narrowest first, and have it chosen', () => {
    expect(breadths(request, 'session').map((choice) => choice.breadth)).toEqual(['exact', 'tool']);
    expect(narrowest(request, 'session')?.breadth).toBe('exact');
    expect(narrowest(request, 'always')?.breadth).toBe('prefix');
  });

  it('remember nothing for once', () => {
    expect(narrowest(request, 'once')).toBeNull();
    expect(breadths(request, 'once')).toEqual([]);
  });

  it('show on the button when more than this call is approved', () => {
    const labels = [null, ...request.scopes].map(approveLabel);
    expect(new Set(labels).size).toBe(labels.length);
  });
});
