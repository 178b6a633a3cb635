import { describe, expect, it } from 'vitest';
import type { ActivityFigures } from '../../generated/protocol';
import { week } from './week';

const days = (...asked: number[]): ActivityFigures['days'] =>
  asked.map((count) => ({ day: '2026-11-24', calls: count * 2, asked: count }));
const often = (title: string, asked: number, denied: number) => ({ title, asked, denied });

describe('the last week', () => {
  it('counts seven days beside the seven before', () => {
    const last: ActivityFigures = {
      days: days(1, 1, 1, 1, 1, 1, 1),
      answers: [
        { decided_by: 'policy', calls: 5 },
        { decided_by: 'grant', calls: 2 },
        { decided_by: 'timeout', calls: 1 },
      ],
      median_seconds: 3,
      most_asked: [],
    };
    const longer = { ...last, days: days(100, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1) };
    expect(week(last, longer)).toMatchObject({
      asked: 7,
      before: 14,
      calls: 14,
      answered: 7,
      late: 1,
      median: 3,
      isQuick: false,
    });
    expect(week({ ...last, median_seconds: 2 }, longer).isQuick).toBe(true);
  });

  it('names what was asked often and never refused', () => {
    const most_asked = [often('a', 9, 1), often('b', 8, 0), often('c', 3, 0), often('d', 2, 0)];
    const figures: ActivityFigures = { days: [], answers: [], most_asked };
    const found = week(figures, figures);
    expect(found.neverRefused.map(({ title }) => title)).toEqual(['b', 'c']);
    expect([found.median, found.isQuick, found.late]).toEqual([undefined, false, 0]);
  });
});
