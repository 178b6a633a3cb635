import { expect, it } from 'vitest';
import type { Grant, Matcher } from '../../generated/protocol';
import { grantCovers } from './grant-words';

const covers = (matcher: Matcher): string => grantCovers({ matcher } as Grant);

it('names the commands and the project of a grant', () => {
  const patterns = ['git commit *', 'git push *'];
  expect(covers({ kind: 'command', patterns, project: '/code/api' })).toMatch(
    /git commit \*, git push \*.*\/code\/api/,
  );
  expect(covers({ kind: 'command', patterns })).toContain('git commit *');
});

it('tells reading from writing in a folder', () => {
  const folder = '/code/api/src';
  expect(covers({ kind: 'folder', class: 'file_write', folder })).toMatch(/writing.*\/code\/api\/src/);
  expect(covers({ kind: 'folder', class: 'file_read', folder })).toMatch(/reading/);
});

it('names the tool with its server', () => {
  expect(covers({ kind: 'tool', tool: 'create_issue', server: 'github' })).toContain('github: create_issue');
});

it('names the tasks that have to stay', () => {
  const matcher: Matcher = { kind: 'command', patterns: ['npm test *'] };
  const pin = { call: 'npm test', file: '/code/package.json', digest: 'ab', text: 'test: vitest' };
  expect(grantCovers({ matcher, tasks: [pin, pin] } as Grant)).toMatch(/npm test \*, while npm test runs/);
  expect(grantCovers({ matcher, tasks: [{ ...pin, text: '' }] } as Grant)).toBe('npm test *');
});
