import { describe, expect, it } from 'vitest';
import type { PolicyDifference, RuleText } from '../../generated/protocol';
import { rowsOfDifference } from './difference';

const rule = (action: RuleText['action']): RuleText => ({ text: action, action, final: false });
const difference: PolicyDifference = {
  added: [rule('allow'), rule('deny')],
  removed: [rule('ask'), rule('allow')],
  moved: [rule('ask')],
  settings: [
    { key: 'risk.write', old: 'ask', new: 'allow' },
    { key: 'risk.read_only', old: 'allow', new: 'ask' },
    { key: 'preset', old: 'strict', new: 'practical' },
    { key: 'timeout', old: '5m', new: '2m' },
  ],
  loosens: true,
};

describe('a difference of policies', () => {
  it('marks what may let more pass', () => {
    expect(rowsOfDifference(difference).map((row) => row.allowsMore)).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
      false,
      true,
      false,
    ]);
  });

  it('marks nothing when all of it together lets no more pass', () => {
    const rows = rowsOfDifference({ ...difference, loosens: false });
    expect(rows.some((row) => row.allowsMore)).toBe(false);
    expect(rows).toHaveLength(9);
  });
});
