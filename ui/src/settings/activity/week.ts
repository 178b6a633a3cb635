import type { ActivityFigures, AskedOften } from '../../generated/protocol';

/** Seconds in which nobody reads what is asked. */
const UNREAD = 3;
/** How often a call was asked about before it is worth a rule. */
const OFTEN = 3;
/** Calls that are named at most. */
const NAMED = 5;

/** What was in the last week, for somebody who can change it. */
export type Week = {
  asked: number;
  /** In the seven days before. */
  before: number;
  calls: number;
  /** Calls that no person had to answer. */
  answered: number;
  /** Calls that nobody answered in time. */
  late: number;
  /** Half of a person's answers took no longer, in seconds. */
  median: number | undefined;
  /** They were too quick to have been read. */
  isQuick: boolean;
  /** Asked about often, and never refused. */
  neverRefused: AskedOften[];
};

/** What the figures of seven days come to, beside those of a longer time that ends with them. */
export function week(last: ActivityFigures, longer: ActivityFigures): Week {
  const sum = (days: ActivityFigures['days'], of: 'calls' | 'asked'): number =>
    days.reduce((count, day) => count + day[of], 0);
  const by = (who: string): number => last.answers.find(({ decided_by }) => decided_by === who)?.calls ?? 0;
  const median = last.median_seconds;
  return {
    asked: sum(last.days, 'asked'),
    before: sum(longer.days.slice(-14, -7), 'asked'),
    calls: sum(last.days, 'calls'),
    answered: by('policy') + by('grant'),
    late: by('timeout'),
    median,
    isQuick: median !== undefined && median < UNREAD,
    neverRefused: last.most_asked
      .filter(({ asked, denied }) => denied === 0 && asked >= OFTEN)
      .slice(0, NAMED),
  };
}
