import { describe, expect, it } from 'vitest';
import type { Approval } from '../../generated/protocol';
import { confirmWord, isConfirmed } from './confirm';

const command = (text: string): Approval =>
  ({ tool: 'Bash', subject: { kind: 'command', line: [{ kind: 'text', text }] } }) as Approval;

describe('the word to type', () => {
  it.each([
    ['rm -rf build', 'rm'],
    ['/usr/bin/git push --force', 'git'],
    ['FORCE=1 terraform destroy', 'terraform'],
    ['set -e\ncd api && dropdb ledger', 'dropdb'],
    ['cd api', 'cd'],
    ['рm -rf build', 'Bash'],
    ['', 'Bash'],
  ])('of %j is %s', (line, word) => {
    expect(confirmWord(command(line))).toBe(word);
  });

  it('of another tool is its name, when that can be typed', () => {
    const other = (tool: string) => ({ tool, subject: { kind: 'arguments' } }) as Approval;
    expect(confirmWord(other('delete_repository'))).toBe('delete_repository');
    expect(confirmWord(other('削除'))).toBe('approve');
  });

  it('is taken in any case and with blanks around it', () => {
    expect(isConfirmed(' RM ', 'rm')).toBe(true);
    expect(isConfirmed('r', 'rm')).toBe(false);
    expect(isConfirmed('', 'rm')).toBe(false);
  });
});
