import { describe, expect, it } from 'vitest';
import type { Session } from '../../generated/protocol';
import { byProject } from './session-groups';

const session = (id: string, project?: string): Session =>
  ({ id, ...(project === undefined ? {} : { project }) }) as unknown as Session;

describe('sessions by project', () => {
  it('stand under the folder of their project, the latest first, and those of none come last', () => {
    const groups = byProject([
      session('a'),
      session('b', '/home/mira/code/shopfront'),
      session('c', '/home/mira/code/ledger/'),
      session('d', '/home/mira/code/shopfront'),
    ]);
    expect(groups.map(({ name, sessions }) => [name, sessions.map(({ id }) => id)])).toEqual([
      ['shopfront', ['b', 'd']],
      ['ledger', ['c']],
      [undefined, ['a']],
    ]);
  });

  it('of folders with one name are two groups', () => {
    expect(
      byProject([session('a', '/one/web'), session('b', '/two/web')]).map(({ project }) => project),
    ).toEqual(['/one/web', '/two/web']);
  });

  it('of the root have a name', () => {
    expect(byProject([session('a', '/')])[0]?.name).toBe('/');
  });
});
