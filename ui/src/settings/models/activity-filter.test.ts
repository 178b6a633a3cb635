import { describe, expect, it } from 'vitest';
import { duration, isFiltered, NO_FILTER, outcomeWords, toSearch } from './activity-filter';

const NOW = new Date('2026-11-24T12:00:00Z');

describe('a filter of past calls', () => {
  it('names only what was chosen', () => {
    expect(toSearch(NO_FILTER, NOW)).toEqual({});
    expect(isFiltered(NO_FILTER)).toBe(false);
    const filter = { ...NO_FILTER, text: ' npm ', status: 'denied' as const, hours: 24 };
    expect(toSearch(filter, NOW)).toEqual({
      text: 'npm',
      status: 'denied',
      since: '2026-11-23T12:00:00.000Z',
    });
    expect(isFiltered(filter)).toBe(true);
  });

  it('takes all that there is', () => {
    const filter = {
      id: '',
      text: 'a',
      agent: 'codex',
      folder: '/srv',
      status: 'approved' as const,
      decidedBy: 'person' as const,
      hours: 1,
    };
    expect(Object.keys(toSearch(filter, NOW)).toSorted()).toEqual([
      'agent',
      'decided_by',
      'folder',
      'since',
      'status',
      'text',
    ]);
    expect(toSearch({ ...filter, id: 'x' }, NOW), 'one call is found whatever else it is').toEqual({
      id: 'x',
    });
  });
});

describe('how a call ended', () => {
  it('is said with who answered', () => {
    expect(outcomeWords({ status: 'approved', decided_by: 'person' })).toBe('Approved by you');
    expect(outcomeWords({ status: 'denied', decided_by: 'policy' })).toBe('Denied by the policy');
    expect(outcomeWords({ status: 'cancelled', decided_by: 'requester' })).toBe('Taken back by the agent');
    const confined = 'writes only in shopfront, no network';
    expect(outcomeWords({ status: 'approved', decided_by: 'policy', confined })).toBe(
      'Allowed by the policy, confined',
    );
    expect(outcomeWords({ status: 'pending' })).toBe('Waits for you');
  });
});

describe('a time span', () => {
  it.each([
    [0, '0 s'],
    [89, '89 s'],
    [90, '2 min'],
    [3600, '60 min'],
    [7200, '2 h'],
  ])('of %d seconds is %s', (seconds, words) => expect(duration(seconds)).toBe(words));
});
