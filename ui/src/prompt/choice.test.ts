import { describe, expect, it } from 'vitest';
import type { Approval } from '../generated/protocol';
import { approval, denial, lateApproval, reachName, sessionChoice } from './choice';

const request = {
  id: 'r',
  arguments_hash: 'ab',
  scopes: [
    { scope: 'minutes', whole_tool: false, remembers: 'x' },
    { scope: 'session', whole_tool: true, remembers: 'every' },
    { scope: 'session', whole_tool: false, remembers: 'x' },
  ],
} as Approval;

describe('a decision', () => {
  it('is bound to what was shown', () => {
    for (const decision of [approval(request, null), denial(request, null, ''), lateApproval(request)]) {
      expect(decision.arguments_hash).toBe('ab');
    }
  });

  it('reaches no further than was chosen', () => {
    expect(approval(request, null)).toMatchObject({ scope: 'once', whole_tool: false });
    expect(approval(request, request.scopes[1] ?? null)).toMatchObject({
      scope: 'session',
      whole_tool: true,
    });
    expect(lateApproval(request)).toMatchObject({ scope: 'once', late: true });
  });

  it('for the session means exactly this call', () => {
    expect(sessionChoice(request)?.whole_tool).toBe(false);
  });

  it('leaves out an empty reason', () => {
    expect(denial(request, null, '  ')).not.toHaveProperty('reason');
    expect(denial(request, null, ' use pnpm ').reason).toBe('use pnpm');
  });

  it('has a name for each choice', () => {
    expect([null, ...request.scopes].map(reachName)).toEqual(['once', 'minutes', 'tool', 'session']);
  });
});
