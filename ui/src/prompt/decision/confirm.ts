import type { Approval } from '../../generated/protocol';
import { plainText } from '../../text/marks';

const MAX_WORD = 24;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;
const PREPARATIONS: ReadonlySet<string> = new Set([
  'set',
  'cd',
  'export',
  'source',
  '.',
  'true',
  'pushd',
  'umask',
]);
const TYPEABLE = /^[!-~]+$/;

/** The word that a person types to approve a destructive request: the program, else the tool. */
export function confirmWord(approval: Approval): string {
  const { subject, tool } = approval;
  const program = subject.kind === 'command' ? programOf(plainText(subject.line)) : undefined;
  return [program, tool].find((word) => word !== undefined && isTypeable(word)) ?? 'approve';
}

/** Whether what was typed is the word; case does not matter, blanks around it do not either. */
export function isConfirmed(typed: string, word: string): boolean {
  return typed.trim().toLowerCase() === word.toLowerCase();
}

/** The first program of a command line; steps that only prepare are passed over while others follow. */
function programOf(line: string): string | undefined {
  const programs = line
    .split(/\n|;|&&|\|\|/)
    .map((step) => step.split(/\s+/).find((word) => word !== '' && !ASSIGNMENT.test(word)))
    .flatMap((word) => word?.split('/').at(-1) ?? []);
  return programs.find((word) => !PREPARATIONS.has(word)) ?? programs[0];
}

function isTypeable(word: string): boolean {
  return word.length <= MAX_WORD && TYPEABLE.test(word);
}
