import { describe, expect, it } from 'vitest';
import type { ActivitySearch, ApprovalPage } from '../../generated/protocol';
import type { SettingsPlatform } from '../../platform';
import { ActivityModel } from './activity-model.svelte';

const page = (ids: string[], next?: string): ApprovalPage =>
  ({ approvals: ids.map((id) => ({ id })), ...(next && { next_cursor: next }) }) as unknown as ApprovalPage;

function model(answer: (search: ActivitySearch) => Promise<ApprovalPage>): [ActivityModel, ActivitySearch[]] {
  const asked: ActivitySearch[] = [];
  const platform = {
    activity: (search: ActivitySearch) => {
      asked.push(search);
      return answer(search);
    },
    activityChoices: () => Promise.resolve({ agents: [], folders: [] }),
    kept: () => Promise.reject(new Error('undo is off')),
  };
  return [new ActivityModel(platform as unknown as SettingsPlatform), asked];
}

const ids = (one: ActivityModel): string[] => (one.calls ?? []).map(({ id }) => id);

describe('past calls', () => {
  it('come page by page, and stay those of one search', async () => {
    const [activity, asked] = model(({ cursor }) =>
      Promise.resolve(cursor ? page(['c']) : page(['a', 'b'], 'b')),
    );
    await activity.choose({ hours: 24 });
    expect([ids(activity), activity.hasMore]).toEqual([['a', 'b'], true]);
    await activity.more();
    expect([ids(activity), activity.hasMore]).toEqual([['a', 'b', 'c'], false]);
    expect(asked[1]).toEqual({ ...asked[0], cursor: 'b' });
    await activity.more();
    expect(asked).toHaveLength(2);
  });

  it('are those of the last search, whichever answer comes first', async () => {
    const answers: ((page: ApprovalPage) => void)[] = [];
    const [activity] = model(() => new Promise((resolve) => answers.push(resolve)));
    const first = activity.choose({ text: 'a' });
    const second = activity.choose({ text: 'ab' });
    answers[1]?.(page(['new']));
    await second;
    answers[0]?.(page(['old']));
    await first;
    expect([ids(activity), activity.isLooking]).toEqual([['new'], false]);
  });

  it('are the one that is asked for, opened, until something else is looked for', async () => {
    const [activity, asked] = model(({ id }) => Promise.resolve(page(id ? [id] : ['a', 'b'])));
    await activity.choose({ text: 'x' });
    activity.view = 'figures';
    await activity.show('b');
    // The section that shows it looks once more when it comes up.
    await activity.look();
    expect([ids(activity), activity.opened, activity.view]).toEqual([['b'], 'b', 'calls']);
    expect(asked.at(-1)).toEqual({ id: 'b' });
    await activity.choose({ hours: 1 });
    expect([ids(activity), activity.opened]).toEqual([['a', 'b'], null]);
  });

  it('say why they cannot be read, and keep what was found', async () => {
    let fails = false;
    const [activity] = model(() =>
      fails ? Promise.reject({ detail: 'The disk is gone.' }) : Promise.resolve(page(['a'])),
    );
    await activity.look();
    fails = true;
    await activity.look();
    expect(activity.problem).toContain('The disk is gone.');
    expect([ids(activity), activity.isLooking]).toEqual([['a'], false]);
  });

  it('open without what they have changed where nothing is kept', async () => {
    const [activity] = model(() => Promise.resolve(page(['a'])));
    await activity.look();
    const call = activity.calls?.[0];
    if (!call) throw new Error('nothing was found');
    await activity.open(call);
    expect([activity.opened, activity.kept]).toEqual(['a', null]);
    await activity.open(call);
    expect(activity.opened).toBeNull();
  });
});
