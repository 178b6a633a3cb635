import { expect, it } from 'vitest';
import { readDraft } from './stored-draft';

it('reads a stored draft, and takes anything else for none', () => {
  expect(readDraft('{"text":"version = 1","etag":"a"}')).toEqual({ text: 'version = 1', etag: 'a' });
  for (const other of [null, '', '{', '1', 'null', '{"text":1,"etag":"a"}', '{"text":"x"}'])
    expect(readDraft(other)).toBeNull();
});
