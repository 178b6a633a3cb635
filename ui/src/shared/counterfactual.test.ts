import { describe, expect, it } from 'vitest';
import type { Preview, PreviewCall } from '../generated/protocol';
import { counterfactual, wasDenied } from './counterfactual';

const preview = (change: Partial<Preview>): Preview => ({
  calls: 500,
  matched: 0,
  would_allow: 0,
  would_confine: 0,
  would_ask: 0,
  would_deny: 0,
  approved_by_person: 0,
  denied_by_person_count: 0,
  denied_by_person: [],
  examples: [],
  ...change,
});

describe('what a rule would have done', () => {
  it('is said with the calls that a person denied', () => {
    const denied = [{ id: 'a' }, { id: 'b' }, { id: 'c' }] as PreviewCall[];
    const sentence = counterfactual(preview({ matched: 41, would_allow: 41, denied_by_person: denied }));
    expect(sentence).toMatch(/41.*500.*3/);
    expect(wasDenied(preview({ denied_by_person: denied }))).toBe(true);
  });

  it('is said without them when there are none', () => {
    expect(counterfactual(preview({ matched: 2, would_allow: 2 }))).not.toMatch(/denied/);
  });

  it('is nothing when no call matched, and unknown without calls', () => {
    const none = counterfactual(preview({}));
    expect(none).toContain('500');
    expect(counterfactual(preview({ calls: 0 }))).not.toBe(none);
  });

  it('counts what a stricter rule would have stopped', () => {
    expect(counterfactual(preview({ matched: 7, would_ask: 3, would_deny: 4 }))).toMatch(/7.*500/);
  });
});
